//! JSON that was cut in the middle of a character.

use serde::de::DeserializeOwned;
use throughline_text::whole_characters;

/// Reads a JSON value. Half a surrogate pair, or bytes that are no UTF-8, are read as U+FFFD: agents that count UTF-16 units or
/// bytes write them where they cut an output.
///
/// # Errors
/// It is no JSON, or not of this kind.
pub fn lenient_json<T: DeserializeOwned>(json: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(json)
        .or_else(|error| serde_json::from_slice(&whole_characters(json)).map_err(|_| error))
}
