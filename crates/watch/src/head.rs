//! The beginning of a transcript, for a list of sessions.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::tail::end;
use serde_json::Value;
use throughline_replay::{
    RecordedSession, first_value, given_title, lenient_json, line_objects, parse_session, recording_start,
};

use throughline_continuity::title_of;
use throughline_conversation::{Message, has_own_words, without_wrappers};

/// Bytes that are read first.
const BYTES: u64 = 256 * 1024;

/// Maximum bytes that are read to find the first request: a picture may be in it.
const MOST: u64 = 16 * 1024 * 1024;

/// The file in which Gemini CLI names the folder of a project.
const GEMINI_ROOT: &str = ".project_root";

/// Maximum bytes of a path.
const PATH: u64 = 64 * 1024;

/// Bytes of the end in which a name is looked for.
const END: u64 = 64 * 1024;

/// What the beginning of a transcript says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TranscriptHead {
    /// The folder that the agent worked in.
    pub folder: Option<PathBuf>,
    /// The name that its user has given the session, or the title of the first request; empty without one.
    pub title: String,
}

/// Reads the beginning of a transcript.
///
/// # Errors
/// The file cannot be read.
pub fn head(path: &Path) -> io::Result<TranscriptHead> {
    let beginning = Beginning::of(path)?;
    let title = beginning.title(path);
    Ok(TranscriptHead { folder: beginning.folder, title })
}

/// The folder that the agent worked in, by the beginning of a transcript.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn folder_of(path: &Path) -> io::Result<Option<PathBuf>> {
    Ok(Beginning::of(path)?.folder)
}

/// The beginning of a transcript, up to the first request.
pub(crate) struct Beginning {
    pub(crate) folder: Option<PathBuf>,
    /// The first request, and the newest name in what was read.
    request: Option<String>,
    name: Option<String>,
}

impl Beginning {
    /// Reads it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let mut most = BYTES;
        loop {
            let bytes = recording_start(path, most)?;
            let session = parse_session(path, &bytes).ok();
            let request = session.as_ref().and_then(first_request).map(Cow::into_owned);
            if request.is_some() || most >= MOST || (bytes.len() as u64) < most {
                let folder = bytes.split(|byte| *byte == b'\n').find_map(folder);
                let name = session.and_then(|session| session.title);
                return Ok(Self { folder: folder.or_else(|| gemini_folder(path)), request, name });
            }
            most = most.saturating_mul(4);
        }
    }

    /// The newest name of the session, or its first request. A name is given later, and some agents repeat it at the end.
    pub(crate) fn title(&self, path: &Path) -> String {
        let given = title_at_end(path);
        let title = given.as_ref().or(self.name.as_ref()).or(self.request.as_ref());
        title_of(title.map(String::as_str).unwrap_or_default())
    }
}

/// The newest name that the user has given the session near the end of its transcript.
fn title_at_end(path: &Path) -> Option<String> {
    let end = end(path, END).ok()?;
    end.lines()
        .rev()
        .flat_map(|line| line_objects(line.as_bytes()))
        .find_map(|value| given_title(&value).map(str::to_owned))
}

/// The first text that the user wrote, without what the agent has added to it.
#[must_use]
pub fn first_request(session: &RecordedSession) -> Option<Cow<'_, str>> {
    let messages = session.turns.iter().map(|turn| &turn.user).chain(&session.open_request);
    let texts = messages.flat_map(Message::texts);
    texts.map(str::trim).find(|text| has_own_words(text)).map(without_wrappers)
}

/// The session that has started the subagent of a file, as the first line names it.
pub(crate) fn session_of_subagent(path: &Path) -> Option<String> {
    first_value(path, BYTES)?.get("sessionId")?.as_str().map(str::to_owned)
}

/// The folder of a project of Gemini CLI, in the file next to the folder of its sessions.
fn gemini_folder(path: &Path) -> Option<PathBuf> {
    let mut text = String::new();
    let root = File::open(path.parent()?.parent()?.join(GEMINI_ROOT)).ok()?;
    root.take(PATH).read_to_string(&mut text).ok()?;
    let folder = text.trim();
    (!folder.is_empty()).then(|| PathBuf::from(folder))
}

/// The folder that a line names.
fn folder(line: &[u8]) -> Option<PathBuf> {
    let value: Value = lenient_json(line).ok()?;
    let named = value.get("cwd").or_else(|| value.get("payload")?.get("cwd"))?;
    named.as_str().filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests;
