//! Reading JSON that nests a little deeper than the wire's.

use serde::de::DeserializeOwned;

/// Deepest nesting of a text that is written or read. Parsers of the wire stop at 127 levels, and a record puts
/// few around them; without any bound a damaged text could use up the stack.
const DEEPEST: usize = 160;

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JsonError {
    #[error("its JSON nests deeper than {DEEPEST} levels")]
    TooDeep,
    #[error(transparent)]
    Malformed(#[from] serde_json::Error),
}

/// Returns true if a text could be read back.
pub(crate) fn check_nesting(text: &[u8]) -> Result<(), JsonError> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(JsonError::TooDeep);
        }
    }
    Ok(())
}

/// Reads a text that holds one value and nothing else.
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, JsonError> {
    // Hardly any text nests deeper than the parser's own limit, and looking for one that does takes as long as parsing.
    if let Ok(value) = serde_json::from_slice(text) {
        return Ok(value);
    }
    check_nesting(text)?;
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

#[cfg(test)]
mod tests;
