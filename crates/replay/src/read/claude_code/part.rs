//! A transcript that grows: what was read before is not read again.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_conversation::{ContentBlock, has_context};
use throughline_text::fingerprint;

use super::super::assemble::{assemble, is_open};
use super::super::content::{flag, parts, text, text_of};
use super::super::lines::JsonLines;
use super::super::source;
use super::repeats::{RepeatedRows, row_text};
use super::{ClaudeCodeReader, InheritedLines, ReadLines, SYNTHETIC_MODEL, read_lines, says};
use crate::read::{RecordingError, read_session};
use crate::session::{Format, RecordedSession};

/// Bytes before a place that are compared.
const COMPARED: u64 = 64 * 1024;

/// Stands before the lines of a part while they are read, so that they are a conversation. The result does not have it.
const BEFORE: &str = "(the conversation so far)";

/// How far a transcript was read, and by what the lines behind that are known to continue it. It has names and fingerprints, and
/// no text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaudePlace {
    /// Bytes that were read.
    bytes: u64,
    /// The number of the file, where the system has one.
    file: u64,
    /// The fingerprint of the bytes before the place.
    before: u64,
    /// The ids of the newest line and of the newest message.
    newest: Vec<String>,
    is_subagent: bool,
    /// Fingerprints of the texts, and ids of the results, that the rows behind a compaction may repeat.
    texts: Vec<u64>,
    results: Vec<String>,
}

impl ClaudePlace {
    /// Notes the rows that a plugin puts in place of the conversation: texts of the user, and ids of calls with a result.
    pub fn note_rows<'r>(
        &mut self,
        texts: impl IntoIterator<Item = &'r str>,
        results: impl IntoIterator<Item = &'r str>,
    ) {
        self.texts = texts.into_iter().map(row_text).collect();
        self.results = results.into_iter().map(str::to_owned).collect();
    }
}

/// What was read of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaudeReading {
    /// The session; of a part, its turns. The first turn of a part has an empty message of the user if it continues the turn
    /// before.
    pub session: RecordedSession,
    /// Where the next part begins. `None`: the file has to be read from its start again.
    pub place: Option<ClaudePlace>,
}

/// Reads the whole transcript of Claude Code.
///
/// # Errors
/// [`RecordingError`], as for any recording.
pub fn read_claude(path: &Path) -> Result<ClaudeReading, RecordingError> {
    let file = File::open(path).and_then(|file| file.metadata());
    let file = file.map_err(|source| RecordingError::Io { file: path.to_owned(), source })?;
    let bytes = source::load(path)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(RecordingError::Empty { file: path.to_owned() });
    }
    let lines = JsonLines::of(&bytes);
    let inherited = InheritedLines::of(path, &lines);
    let mut read = read_lines(&lines, &inherited, ClaudeCodeReader::of_file(path), None);
    let place = place(&read, &lines, &bytes, number(&file), 0);
    read.draft.title = lines.title();
    read.draft.warnings.extend(lines.warning(path));
    read.draft.notes.splice(0..0, lines.bad);
    let session = assemble(path, Format::ClaudeCode, read.draft);
    if session.turns.is_empty() {
        // It may be no transcript at all.
        let none = || RecordingError::NoConversation { file: path.to_owned(), format: Format::ClaudeCode };
        return Err(read_session(path).err().unwrap_or_else(none));
    }
    Ok(ClaudeReading { session, place })
}

/// Reads what a transcript has behind a place. `None`: it is not known to continue what was read before, because the file was
/// replaced, rewound or compacted by Claude Code itself.
///
/// # Errors
/// The file cannot be read.
pub fn read_claude_part(path: &Path, from: &ClaudePlace) -> io::Result<Option<ClaudeReading>> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    let compared = from.bytes.min(COMPARED);
    if about.len() < from.bytes || number(&about) != from.file {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(from.bytes - compared))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let Some((before, part)) = usize::try_from(compared).ok().and_then(|at| bytes.split_at_checked(at))
    else {
        return Ok(None);
    };
    if fingerprint(before) != from.before {
        return Ok(None);
    }
    let lines = JsonLines::of(part);
    if lines.has_bad() || !continues(&lines, from) {
        return Ok(None);
    }
    let mut reader = ClaudeCodeReader::behind(RepeatedRows::behind(&from.texts, &from.results));
    reader.draft.user(vec![text(BEFORE)]);
    let read = read_lines(&lines, &InheritedLines::default(), reader, Some(from.is_subagent));
    if read.rewound > 0 || read.orphans > 0 || read.new_rows > 0 {
        return Ok(None);
    }
    let place = place(&read, &lines, &bytes, from.file, from.bytes - compared).map(|mut place| {
        if place.newest.is_empty() {
            place.newest.clone_from(&from.newest);
        }
        place
    });
    let mut session = assemble(path, Format::ClaudeCode, read.draft);
    let first = session.turns.first_mut().map(|turn| &mut turn.user).or(session.open_request.as_mut());
    if let Some(first) = first {
        first.content.retain(|block| !matches!(block, ContentBlock::Text { text } if text == BEFORE));
    }
    session.open_request = session.open_request.filter(is_open);
    Ok(Some(ClaudeReading { session, place }))
}

/// The place behind lines that begin at the byte `start` of a file. `None`: a later part needs what is before it.
fn place(read: &ReadLines, lines: &JsonLines, bytes: &[u8], file: u64, start: u64) -> Option<ClaudePlace> {
    if read.is_queued || !bytes.ends_with(b"\n") {
        return None;
    }
    let ids = |wanted: &dyn Fn(&Value) -> bool| {
        let newest = lines.values.iter().rev().filter(|(_, value)| wanted(value));
        newest.filter_map(|(_, value)| text_of(value, "uuid")).next().map(str::to_owned)
    };
    let (message, line) = (ids(&says), ids(&|_| true));
    let compared = bytes.len().min(usize::try_from(COMPARED).unwrap_or(usize::MAX));
    Some(ClaudePlace {
        bytes: start + bytes.len() as u64,
        file,
        before: fingerprint(bytes.get(bytes.len() - compared..)?),
        newest: message.into_iter().chain(line).collect(),
        is_subagent: read.is_subagent,
        ..ClaudePlace::default()
    })
}

/// Returns true if each line follows one of the part or the newest one before it, and if there is no compaction but that whose
/// rows are noted.
fn continues(lines: &JsonLines, from: &ClaudePlace) -> bool {
    let mut known: HashSet<&str> = from.newest.iter().map(String::as_str).collect();
    let (mut boundaries, mut is_compacted) = (0, false);
    for (_, value) in &lines.values {
        if flag(value, "isCompactSummary") {
            return false;
        }
        let is_boundary = text_of(value, "subtype") == Some("compact_boundary");
        boundaries += usize::from(is_boundary);
        if boundaries > 1 {
            return false;
        }
        is_compacted |= is_boundary;
        if is_compacted && says(value) {
            match text_of(value, "type") {
                // The model answers, and nothing has said what the compaction is.
                Some("assistant") if !is_synthetic(value) => return false,
                _ => is_compacted = !has_context(&said(value)),
            }
        }
        if flag(value, "isSidechain") && !from.is_subagent {
            continue;
        }
        let Some(id) = text_of(value, "uuid") else { continue };
        let follows = text_of(value, "parentUuid").or_else(|| text_of(value, "logicalParentUuid"));
        if !follows.map_or(is_boundary, |before| known.contains(before)) || !known.insert(id) {
            return false;
        }
    }
    true
}

fn is_synthetic(value: &Value) -> bool {
    value.get("message").and_then(|message| text_of(message, "model")) == Some(SYNTHETIC_MODEL)
}

fn said(value: &Value) -> String {
    let Some(message) = value.get("message") else { return String::new() };
    let (content, _) = parts(message.get("content"));
    let texts = content.iter().filter_map(|block| match block {
        ContentBlock::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(unix)]
fn number(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn number(_file: &Metadata) -> u64 {
    0
}
