//! Reads recordings. The format is detected from the content, never from the file's name.

mod assemble;
mod atif;
mod claude_code;
mod codex;
mod content;
mod copilot;
mod detect;
mod draft;
mod error;
mod gemini;
mod given_title;
mod lenient_json;
mod lines;
mod opencode;
mod pi;
mod pydantic_ai;
mod role_messages;
mod source;
mod tree;
mod zstd_frames;

use std::path::Path;

pub use claude_code::{
    ClaudePlace, ClaudeReading, ROW_TEXTS, SYNTHETIC_MODEL, claude_conversation, read_claude,
    read_claude_part,
};
pub use error::RecordingError;
pub use gemini::{GeminiSummary, begins_gemini_session, gemini_summaries};
pub use given_title::given_title;
pub use lenient_json::lenient_json;
pub use lines::line_objects;
pub use source::{first_value, open_recording, recording_start, unpacked_name};

use self::claude_code::InheritedLines;
use self::codex::InheritedRecords;
use self::draft::RecordingDraft;
use self::lines::JsonLines;
use crate::session::{Format, RecordedSession};

/// Reads a recorded session, plain or compressed by gzip or zstd.
///
/// A line that cannot be read is skipped, counted in [`RecordedSession::warnings`] and listed in [`RecordedSession::repairs`].
///
/// # Errors
/// [`RecordingError`], one line with the file and a remedy.
pub fn read_session(path: &Path) -> Result<RecordedSession, RecordingError> {
    let session = read_transcript(path)?;
    if session.turns.is_empty() {
        return Err(RecordingError::NoConversation { file: path.to_owned(), format: session.format });
    }
    Ok(session)
}

/// Reads a recorded session as [`read_session`] does, also one in which no request was answered yet.
///
/// # Errors
/// [`RecordingError`], as for any recording.
pub fn read_transcript(path: &Path) -> Result<RecordedSession, RecordingError> {
    let bytes = source::load(path)?;
    parsed(path, &bytes, OtherFiles::Read)
}

/// The bytes of a recording, unpacked.
///
/// # Errors
/// [`RecordingError`] if the file cannot be read, is damaged, or is too large.
pub fn recording_bytes(path: &Path) -> Result<Vec<u8>, RecordingError> {
    source::load(path)
}

/// Reads a recorded session from its content, which is not compressed. `path` is for names and messages only: no other file is
/// read.
///
/// # Errors
/// [`RecordingError`], as for a file.
pub fn parse_session(path: &Path, bytes: &[u8]) -> Result<RecordedSession, RecordingError> {
    let session = parsed(path, bytes, OtherFiles::Leave)?;
    if session.turns.is_empty() {
        return Err(RecordingError::NoConversation { file: path.to_owned(), format: session.format });
    }
    Ok(session)
}

/// Whether what a fork begins with is read from the file of the session that it was forked from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OtherFiles {
    Read,
    Leave,
}

fn parsed(path: &Path, bytes: &[u8], others: OtherFiles) -> Result<RecordedSession, RecordingError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(RecordingError::Empty { file: path.to_owned() });
    }
    let (format, draft) = draft(path, bytes, others)?;
    let session = assemble::assemble(path, format, draft);
    if session.turns.is_empty() && session.open_request.is_none() {
        return Err(RecordingError::NoConversation { file: path.to_owned(), format });
    }
    Ok(session)
}

fn draft(path: &Path, bytes: &[u8], others: OtherFiles) -> Result<(Format, RecordingDraft), RecordingError> {
    let whole = lenient_json(lines::without_mark(bytes));
    if let Ok(document) = &whole
        && let Some(format) = detect::document(document)
    {
        let draft = match format {
            Format::OpenCode => opencode::read(document),
            Format::Atif => atif::read(document),
            Format::GeminiCli => gemini::read_document(document),
            Format::PydanticAi => pydantic_ai::read(document),
            Format::SweAgent => role_messages::read(document, "history"),
            _ => role_messages::read(document, "messages"),
        };
        return Ok((format, draft));
    }
    let lines = JsonLines::of(bytes);
    let Some(format) = detect::lines(&lines) else {
        return Err(error::unreadable(path, bytes, &lines, whole));
    };
    let is_read = others == OtherFiles::Read;
    let mut draft = match format {
        Format::Codex => {
            let inherited =
                if is_read { InheritedRecords::of(path, &lines) } else { InheritedRecords::default() };
            let mut draft = codex::read(&lines, &inherited);
            draft.warnings.extend(inherited.missing);
            draft
        }
        Format::CopilotCli => copilot::read(&lines),
        Format::Pi => pi::read(&lines),
        Format::GeminiCli => gemini::read(&lines),
        _ => {
            let inherited =
                if is_read { InheritedLines::of(path, &lines) } else { InheritedLines::default() };
            claude_code::read(path, &lines, &inherited)
        }
    };
    draft.title = lines.title();
    draft.warnings.extend(lines.warning(path));
    draft.notes.splice(0..0, lines.bad);
    Ok((format, draft))
}

#[cfg(test)]
mod tests;
