//! What the records of Gemini CLI say of compactions, and when its session needs a context.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use serde_json::Value;
use throughline_replay::{begins_gemini_session, gemini_summaries, open_recording};

use crate::compactions::{Sign, texts};
use crate::lines::each_line;
use throughline_conversation::has_context;

/// Reads records in order: those that repeat what is known say nothing.
#[derive(Debug, Default)]
pub(crate) struct GeminiSigns {
    seen: HashSet<String>,
}

impl GeminiSigns {
    /// What a record says.
    pub(crate) fn sign(&mut self, record: &Value) -> Sign {
        let mut boundary = Sign::Nothing;
        for summary in gemini_summaries(record) {
            if self.seen.insert(summary.id.to_owned()) {
                boundary = Sign::Boundary(summary.text);
            }
        }
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "user" => {
                let said = texts(record.get("content"));
                if has_context(&said) { Sign::LateContext(said) } else { Sign::Nothing }
            }
            "gemini" if self.seen.insert(text("id").to_owned()) => Sign::Answer,
            _ => boundary,
        }
    }
}

/// Why a session of Gemini CLI needs a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextNeed {
    /// It was compacted, and no context came after it.
    Compacted,
    /// It was resumed, and has not answered since.
    Resumed,
}

/// Returns true if a record says that a chat continues in this file: after a resume, and before what a compaction leaves. Gemini
/// CLI writes the beginning of a chat before it knows that one is resumed, into a file named by the minute and the session, so
/// only a resume within a minute begins the old file again.
fn continues_file(record: &Value) -> bool {
    record.pointer("/$set/sessionId").is_some()
}

/// If a session of Gemini CLI needs a context with the next message of its user. Its hooks do not tell of either.
///
/// # Errors
/// The file cannot be read.
pub fn gemini_need(path: &Path) -> io::Result<Option<ContextNeed>> {
    let (mut signs, mut need, mut begun) = (GeminiSigns::default(), None, false);
    each_line(open_recording(path)?, |record| {
        let begins = begins_gemini_session(record);
        // The first record begins the session.
        if (begins && begun || continues_file(record)) && need.is_none() {
            need = Some(ContextNeed::Resumed);
        }
        begun |= begins;
        match signs.sign(record) {
            Sign::Boundary(_) => need = Some(ContextNeed::Compacted),
            Sign::LateContext(_) => need = None,
            Sign::Answer if need == Some(ContextNeed::Resumed) => need = None,
            _ => {}
        }
    })?;
    Ok(need)
}

#[cfg(test)]
mod tests;
