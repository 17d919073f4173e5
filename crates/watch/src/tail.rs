//! The end of a transcript.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde_json::Value;

/// Bytes of the end that are looked at.
const BYTES: u64 = 256 * 1024;

/// Returns true if a text is in a string near the end of a transcript.
///
/// # Errors
/// The file cannot be read.
pub fn ends_with_text(path: &Path, text: &str) -> io::Result<bool> {
    // The form of JSON, without the quotes: it may be a part of a string.
    let quoted = Value::from(text.trim()).to_string();
    ends_with(path, quoted.trim_matches('"'), BYTES)
}

/// Returns true if these characters are in the last `bytes` of a transcript.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn ends_with(path: &Path, wanted: &str, bytes: u64) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut end = Vec::new();
    file.take(bytes).read_to_end(&mut end)?;
    // What is cut off at the start is no part of the text.
    Ok(String::from_utf8_lossy(&end).contains(wanted))
}

#[cfg(test)]
mod tests;
