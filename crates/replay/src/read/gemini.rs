//! Gemini CLI's session files: one record a line.
//!
//! A message is written again, with the same id, when it has more to say. A record `$set` with messages replaces what the
//! agent sends from now on: after a compaction these are the summary, a fixed answer to it and what stays; after a resume
//! they repeat what is known. `$rewindTo` removes the messages from an id on.

mod found_messages;
mod summaries;

use std::collections::HashMap;

use serde_json::Value;
use throughline_conversation::{ContentBlock, Image, Role, ToolResult, Usage};

use super::content::{call, count, data_url, get, list, owned, text, text_of, thinking, time};
use super::draft::RecordingDraft;
use super::lines::JsonLines;
use crate::session::SessionPart;

use found_messages::{Entry, FoundMessages};
use summaries::said;
pub use summaries::{GeminiSummary, gemini_summaries};

/// What the screen shows where the user has stopped an answer.
const CANCELLED: &str = "Request cancelled.";

/// What the agent itself says at the start of a session.
const SESSION_NOTE: &str = "<session_context>";

/// Reads the lines.
pub(super) fn read(lines: &JsonLines) -> RecordingDraft {
    read_records(lines.values.iter().map(|(_, value)| value))
}

/// Reads the older form, one document.
pub(super) fn read_document(document: &Value) -> RecordingDraft {
    read_records(std::iter::once(document))
}

fn read_records<'v>(records: impl Iterator<Item = &'v Value>) -> RecordingDraft {
    let mut found = FoundMessages::default();
    records.for_each(|record| found.take(record));
    let FoundMessages { session, is_subagent, order, messages, rewound, rewinds, .. } = found;
    let mut reader = GeminiReader::default();
    reader.draft.id = session;
    if is_subagent {
        reader.draft.part = SessionPart::Subagent;
    }
    for entry in order {
        match entry {
            Entry::Compaction => reader.draft.compaction(),
            Entry::Message(id) => {
                if let Some(message) = messages.get(id) {
                    reader.message(message);
                }
            }
        }
    }
    for messages in rewinds {
        let mut rewound = GeminiReader::default();
        messages.into_iter().for_each(|message| rewound.message(message));
        reader.draft.add_separate(SessionPart::Rewound, None, rewound.draft);
    }
    reader.draft.left_out(rewound, "messages that the user had rewound");
    reader.draft.left_out(reader.unknown, "parts of a kind that is not known");
    reader.draft
}

/// Returns true if a record has the names with which a session begins.
#[must_use]
pub fn begins_gemini_session(value: &Value) -> bool {
    text_of(value, "sessionId").is_some() && text_of(value, "projectHash").is_some()
}

#[derive(Default)]
struct GeminiReader {
    draft: RecordingDraft,
    /// Calls of the model, and if their result was read.
    calls: HashMap<String, bool>,
    unknown: usize,
}

impl GeminiReader {
    fn message(&mut self, message: &Value) {
        self.draft.now = time(message, "timestamp").or(self.draft.now);
        match text_of(message, "type") {
            Some("user") => self.user(message),
            Some("gemini") => self.answer(message),
            Some("info") if said(message).trim() == CANCELLED => self.draft.break_off(),
            // What only the screen shows: info, warning and error.
            _ => {}
        }
    }

    fn user(&mut self, message: &Value) {
        let mut content = Vec::new();
        if let Some(said) = text_of(message, "content") {
            content.push(text(said));
        }
        for part in list(message, "content") {
            if let Some(answer) = part.get("functionResponse") {
                self.result(answer, false);
            } else {
                content.extend(self.part(part));
            }
        }
        content
            .retain(|block| !matches!(block, ContentBlock::Text { text } if text.starts_with(SESSION_NOTE)));
        if !content.is_empty() {
            self.draft.user(content);
        }
    }

    fn answer(&mut self, message: &Value) {
        let mut content: Vec<ContentBlock> = Vec::new();
        for thought in list(message, "thoughts") {
            let parts = ["subject", "description"].into_iter().filter_map(|key| text_of(thought, key));
            content.extend(thinking(&parts.collect::<Vec<_>>().join("\n"), None, None));
        }
        if let Some(said) = text_of(message, "content") {
            content.push(text(said));
        }
        for part in list(message, "content") {
            if let Some(asked) = part.get("functionCall") {
                content.extend(self.call(asked));
            } else {
                content.extend(self.part(part));
            }
        }
        let calls = list(message, "toolCalls");
        content.extend(calls.iter().filter_map(|asked| self.call(asked)));
        self.draft.named(text_of(message, "model"));
        if content.is_empty() {
            return;
        }
        let place = self.draft.say(Role::Assistant, content, usage(message));
        if let Some((said, id)) = self.draft.messages.get_mut(place).zip(text_of(message, "id")) {
            // A copy of the session has both.
            said.request.answer = Some(format!("{id} {}", owned(message, "timestamp")));
        }
        for asked in calls {
            let failed = matches!(text_of(asked, "status"), Some("error" | "cancelled"));
            match asked.get("result") {
                Some(Value::Array(parts)) => {
                    parts
                        .iter()
                        .filter_map(|part| part.get("functionResponse"))
                        .for_each(|answer| self.result(answer, failed));
                }
                Some(Value::String(said)) => self.answered(owned(asked, "id"), said.clone(), vec![], failed),
                _ => {}
            }
        }
    }

    /// A call that was not read yet.
    fn call(&mut self, asked: &Value) -> Option<ContentBlock> {
        let id = owned(asked, "id");
        if self.calls.contains_key(&id) {
            return None;
        }
        self.calls.insert(id.clone(), false);
        Some(call(id, owned(asked, "name"), asked.get("args")))
    }

    fn result(&mut self, answer: &Value, failed: bool) {
        let response = answer.get("response");
        let field = |name: &str| response.and_then(|response| text_of(response, name)).map(str::to_owned);
        let error = field("error");
        let is_error = failed || error.is_some();
        let content = error.or_else(|| field("output")).or_else(|| response.map(Value::to_string));
        let images = list(answer, "parts").iter().filter_map(picture).collect();
        self.answered(owned(answer, "id"), content.unwrap_or_default(), images, is_error);
    }

    fn answered(&mut self, call_id: String, content: String, images: Vec<Image>, is_error: bool) {
        // The same result is written with the call and as a message of its own.
        if self.calls.insert(call_id.clone(), true) == Some(false) {
            self.draft.result(ToolResult { call_id, content, images, is_error });
        }
    }

    /// A text, a thought or a picture.
    fn part(&mut self, part: &Value) -> Option<ContentBlock> {
        let said = part.as_str().or_else(|| text_of(part, "text"));
        let read = match said {
            Some(said) if part.get("thought").and_then(Value::as_bool) == Some(true) => {
                return thinking(said, None, None);
            }
            Some(said) => Some(text(said)),
            None => picture(part).map(ContentBlock::Image),
        };
        self.unknown += usize::from(read.is_none());
        read
    }
}

fn picture(part: &Value) -> Option<Image> {
    let (media, data) =
        (get(part, &["inlineData", "mimeType"])?.as_str()?, get(part, &["inlineData", "data"])?.as_str()?);
    match data_url(&format!("data:{media};base64,{data}")) {
        Some(ContentBlock::Image(image)) => Some(image),
        _ => None,
    }
}

fn usage(message: &Value) -> Option<Usage> {
    let figure = |name: &str| count(message, &["tokens", name]);
    let cache_read = figure("cached");
    // The input includes what the cache had.
    let input = figure("input").saturating_sub(cache_read);
    let output = figure("output").saturating_add(figure("thoughts"));
    let usage = Usage { input, cache_read, cache_write: 0, output, searches: 0 };
    (usage.prompt() > 0).then_some(usage)
}
