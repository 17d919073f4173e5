//! The end of a transcript.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde_json::Value;

/// Bytes of the end that are looked at.
const BYTES: u64 = 256 * 1024;

/// Maximum bytes of the end in which a context is looked for.
const SINCE_COMPACTION: u64 = 64 * 1024 * 1024;

/// What the lines of compactions have, of Claude Code and of Codex.
const BOUNDARIES: [&str; 2] = ["\"subtype\":\"compact_boundary\"", "\"type\":\"compacted\""];

/// Bytes of the end that are looked at first for a result: those of parallel calls are large.
const RESULTS: u64 = 1024 * 1024;

/// Returns true if a text is in a string near the end of a transcript.
///
/// # Errors
/// The file cannot be read.
pub fn ends_with_text(path: &Path, text: &str) -> io::Result<bool> {
    // The form of JSON, without the quotes: it may be a part of a string.
    let quoted = Value::from(text.trim()).to_string();
    ends_with(path, quoted.trim_matches('"'), BYTES)
}

/// Returns true if a text is in a string of a transcript behind its last compaction.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn has_text_since_compaction(path: &Path, text: &str) -> io::Result<bool> {
    let quoted = Value::from(text.trim()).to_string();
    let end = end(path, SINCE_COMPACTION)?;
    let compacted = BOUNDARIES.iter().filter_map(|boundary| end.rfind(boundary)).max().unwrap_or(0);
    Ok(end.get(compacted..).is_some_and(|since| since.contains(quoted.trim_matches('"'))))
}

/// Returns true if these characters are in the last `bytes` of a transcript.
fn ends_with(path: &Path, wanted: &str, bytes: u64) -> io::Result<bool> {
    Ok(end(path, bytes)?.contains(wanted))
}

/// The last `bytes` of a file, or all of it.
pub(crate) fn end(path: &Path, bytes: u64) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
    let mut end = Vec::new();
    file.take(bytes).read_to_end(&mut end)?;
    // What is cut off at the start is no part of the text.
    Ok(String::from_utf8_lossy(&end).into_owned())
}

/// Returns true if a transcript of Claude Code has the result of a call. It is behind the call, and a picture may be behind it: so much
/// of the end is read as has one of the two.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn has_result(path: &Path, call: &str) -> io::Result<bool> {
    let (result, id) = (format!("\"tool_use_id\":\"{call}\""), format!("\"{call}\""));
    let mut bytes = RESULTS;
    loop {
        let length = path.metadata()?.len();
        let end = end(path, bytes)?;
        if end.contains(&result) {
            return Ok(true);
        }
        if bytes >= length || end.contains(&id) {
            return Ok(false);
        }
        bytes = bytes.saturating_mul(4);
    }
}

#[cfg(test)]
mod tests;
