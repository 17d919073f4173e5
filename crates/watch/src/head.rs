//! The beginning of a transcript, for a list of sessions.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use throughline_replay::{RecordedSession, parse_session};
use throughline_text::headline;

use crate::note::is_agent_note;

/// Bytes that are read.
const BYTES: u64 = 256 * 1024;

/// Characters of a title.
const TITLE: usize = 120;

/// What the beginning of a transcript says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TranscriptHead {
    /// The folder that the agent worked in.
    pub folder: Option<PathBuf>,
    /// The first line of the first request; empty without one.
    pub title: String,
}

/// Reads the beginning of a transcript.
///
/// # Errors
/// The file cannot be read.
pub fn head(path: &Path) -> io::Result<TranscriptHead> {
    let mut bytes = Vec::new();
    File::open(path)?.take(BYTES).read_to_end(&mut bytes)?;
    let folder = bytes.split(|byte| *byte == b'\n').find_map(folder);
    let session = parse_session(path, &bytes).ok();
    let title = session.as_ref().and_then(first_request).map(|text| headline(text, TITLE));
    Ok(TranscriptHead { folder, title: title.unwrap_or_default() })
}

/// The first text that the user wrote.
#[must_use]
pub fn first_request(session: &RecordedSession) -> Option<&str> {
    let texts = session.turns.iter().flat_map(|turn| turn.user.texts());
    texts.map(str::trim).find(|text| !text.is_empty() && !is_agent_note(text))
}

/// The folder that a line names.
fn folder(line: &[u8]) -> Option<PathBuf> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let named = value.get("cwd").or_else(|| value.get("payload")?.get("cwd"))?;
    named.as_str().filter(|folder| !folder.is_empty()).map(PathBuf::from)
}
