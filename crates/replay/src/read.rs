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
mod lenient_json;
mod lines;
mod opencode;
mod pi;
mod role_messages;
mod source;
mod tree;

use std::path::Path;

pub use error::RecordingError;
pub use gemini::{GeminiSummary, begins_gemini_session, gemini_summaries};
pub use lenient_json::lenient_json;

use self::draft::RecordingDraft;
use self::lines::JsonLines;
use crate::session::{Format, RecordedSession};

/// Reads a recorded session, plain or compressed by gzip.
///
/// A line that cannot be read is skipped, counted in [`RecordedSession::warnings`] and listed in [`RecordedSession::repairs`].
///
/// # Errors
/// [`RecordingError`], one line with the file and a remedy.
pub fn read_session(path: &Path) -> Result<RecordedSession, RecordingError> {
    let bytes = source::load(path)?;
    parse_session(path, &bytes)
}

/// Reads a recorded session from its content, which is not compressed. `path` is for names and messages only.
///
/// # Errors
/// [`RecordingError`], as for a file.
pub fn parse_session(path: &Path, bytes: &[u8]) -> Result<RecordedSession, RecordingError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(RecordingError::Empty { file: path.to_owned() });
    }
    let (format, draft) = draft(path, bytes)?;
    let session = assemble::assemble(path, format, draft);
    if session.turns.is_empty() {
        return Err(RecordingError::NoConversation { file: path.to_owned(), format });
    }
    Ok(session)
}

fn draft(path: &Path, bytes: &[u8]) -> Result<(Format, RecordingDraft), RecordingError> {
    let whole = lenient_json(bytes);
    if let Ok(document) = &whole
        && let Some(format) = detect::document(document)
    {
        let draft = match format {
            Format::OpenCode => opencode::read(document),
            Format::Atif => atif::read(document),
            Format::GeminiCli => gemini::read_document(document),
            Format::SweAgent => role_messages::read(document, "history"),
            _ => role_messages::read(document, "messages"),
        };
        return Ok((format, draft));
    }
    let lines = JsonLines::of(bytes);
    let Some(format) = detect::lines(&lines) else {
        return Err(error::unreadable(path, bytes, &lines, whole));
    };
    let mut draft = match format {
        Format::Codex => codex::read(&lines),
        Format::CopilotCli => copilot::read(&lines),
        Format::Pi => pi::read(&lines),
        Format::GeminiCli => gemini::read(&lines),
        _ => claude_code::read(&lines),
    };
    draft.warnings.extend(lines.warning(path));
    draft.notes.splice(0..0, lines.bad);
    Ok((format, draft))
}

#[cfg(test)]
mod tests;
