//! Why a recording could not be read.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use serde_json::error::Category;
use throughline_text::cut_end;

use super::content::text_of;
use super::lines::JsonLines;
use crate::session::Format;

/// Why a recording could not be read. Each message is one line with the file and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be opened or read.
    #[error("cannot read {file}: check that it is there and may be read", file = .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// There is nothing in it.
    #[error("{file} is empty", file = .file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// It ends too early.
    #[error("{file} ends in the middle ({what}): copy or export it again", file = .file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// What ends, and where.
        what: String,
    },
    /// It is larger than a recording can be.
    #[error("{file} holds more than {limit} MiB: split the recording", file = .file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Maximum mebibytes (2^20 bytes), unpacked.
        limit: u64,
    },
    /// It is no text.
    #[error("{file}, line {line}: not text; a recording is JSON or JSON lines, plain, .gz or .zst", file = .file.display())]
    NotText {
        /// The file.
        file: PathBuf,
        /// The first line that is no text, from 1.
        line: usize,
    },
    /// It begins like a JSON document, but is not valid JSON.
    #[error("{file}, line {line}: not JSON ({why}); export the recording again", file = .file.display())]
    NotJson {
        /// The file.
        file: PathBuf,
        /// The line with the fault, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// It is text in a form that is not known.
    #[error(
        "{file} is not in a known format ({seen}); supported are claude-code, codex, opencode, pi, mini-swe-agent, swe-agent, copilot-cli, gemini-cli, atif 1 and pydantic-ai",
        file = .file.display()
    )]
    UnknownFormat {
        /// The file.
        file: PathBuf,
        /// What was seen of it.
        seen: String,
    },
    /// The format is known, but there are no messages.
    #[error("{file} ({format}) has no model answers; choose another session", file = .file.display())]
    NoConversation {
        /// The file.
        file: PathBuf,
        /// How it was recorded.
        format: Format,
    },
}

/// Why nothing of a file could be used.
pub(super) fn unreadable(
    path: &Path,
    bytes: &[u8],
    lines: &JsonLines,
    whole: Result<Value, serde_json::Error>,
) -> RecordingError {
    let file = path.to_owned();
    if let Some(line) = bytes.split(|byte| *byte == b'\n').position(is_binary) {
        return RecordingError::NotText { file, line: line + 1 };
    }
    match whole {
        // One JSON value that is cut: the lines of a JSONL file would be values of their own.
        Err(error) if error.classify() == Category::Eof && lines.values.is_empty() => {
            let what = format!("the JSON ends at line {}", error.line());
            RecordingError::Truncated { file, what }
        }
        // A document of several lines. The first line of a JSONL file would be a value of its own.
        Err(error) if error.line() > 1 && lines.begin_document() => {
            let place = format!(" at line {} column {}", error.line(), error.column());
            let why = format!("{}, column {}", error.to_string().replace(&place, ""), error.column());
            RecordingError::NotJson { file, line: error.line(), why }
        }
        Ok(document) => match text_of(&document, "schema_version") {
            Some(version) => {
                let seen = format!("its schema_version is {:?}", cut_end(version, 60));
                RecordingError::UnknownFormat { file, seen }
            }
            None => RecordingError::UnknownFormat { file, seen: lines.seen() },
        },
        Err(_) => RecordingError::UnknownFormat { file, seen: lines.seen() },
    }
}

fn is_binary(line: &[u8]) -> bool {
    line.contains(&0) || std::str::from_utf8(line).is_err()
}
