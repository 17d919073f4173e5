//! Compactions in a transcript: what the agent's own summary says, and the proof that a restored context reached the agent.

use std::io::{self, BufRead, Read as _};
use std::path::Path;

use serde_json::Value;

use crate::agent::ForeignAgent;
use crate::gemini_signs::GeminiSigns;
use crate::lines::each_line;
use throughline_conversation::{CONTEXT_HEAD, has_context, is_inserted_text};
use throughline_replay::{SYNTHETIC_MODEL, claude_conversation, open_recording};

/// If a context was there before the next answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The context is in the transcript before the next answer.
    Delivered,
    /// The agent has answered without it, and got it with a later message of its user.
    Late,
    /// The agent has answered without it.
    Missing,
    /// Neither is in the transcript yet.
    Pending,
    /// There was no answer before it, so that nothing could be lost and nothing was restored.
    Empty,
}

/// A compaction of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignCompaction {
    /// If the context arrived.
    pub delivery: Delivery,
    /// The agent's own summary; empty if the transcript has none.
    pub summary: String,
    /// The context that arrived; empty if none did.
    pub context: String,
}

/// What a line of a transcript says of compactions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sign {
    Boundary(String),
    Summary(String),
    Context(String),
    /// A context in a message of the user, which an agent may have answered before.
    LateContext(String),
    Answer,
    Nothing,
}

/// The compactions in a transcript, oldest first. OpenCode has no transcripts: see
/// [`opencode_compactions`](crate::opencode_compactions).
///
/// # Errors
/// The file cannot be read.
pub fn compactions(agent: ForeignAgent, path: &Path) -> io::Result<Vec<ForeignCompaction>> {
    compactions_after(agent, path, 0)
}

/// Those after this many bytes of the transcript, unpacked.
///
/// # Errors
/// The file cannot be read.
pub fn compactions_after(agent: ForeignAgent, path: &Path, bytes: u64) -> io::Result<Vec<ForeignCompaction>> {
    // What the first part says is needed to read the rest: records of Gemini CLI repeat earlier ones.
    let before = if bytes > 0 { found(agent, path, bytes)?.len() } else { 0 };
    let mut all = found(agent, path, u64::MAX)?;
    Ok(all.split_off(before.min(all.len())))
}

/// Those in this many bytes from the start.
fn found(agent: ForeignAgent, path: &Path, bytes: u64) -> io::Result<Vec<ForeignCompaction>> {
    compactions_in(agent, open_recording(path)?.take(bytes))
}

/// The compactions in the lines of a transcript, oldest first. Those that the user has rewound are not among them.
///
/// # Errors
/// The reader failed.
pub(crate) fn compactions_in(
    agent: ForeignAgent,
    mut lines: impl BufRead,
) -> io::Result<Vec<ForeignCompaction>> {
    let (mut found, mut gemini) = (FoundCompactions::default(), GeminiSigns::default());
    match agent {
        ForeignAgent::Claude => {
            let mut bytes = Vec::new();
            lines.read_to_end(&mut bytes)?;
            claude_conversation(&bytes).iter().for_each(|value| found.note(claude(value)));
        }
        ForeignAgent::Codex => each_line(lines, |value| found.note(codex(value)))?,
        ForeignAgent::Gemini => each_line(lines, |value| found.note(gemini.sign(value)))?,
        ForeignAgent::OpenCode => {}
    }
    Ok(found.all)
}

/// The compactions of a session so far.
#[derive(Debug, Default)]
pub(crate) struct FoundCompactions {
    pub(crate) all: Vec<ForeignCompaction>,
    has_answers: bool,
}

impl FoundCompactions {
    /// Takes what comes next in the session.
    pub(crate) fn note(&mut self, sign: Sign) {
        self.has_answers |= sign == Sign::Answer;
        if let Sign::Boundary(summary) = sign {
            let delivery = if self.has_answers { Delivery::Pending } else { Delivery::Empty };
            self.all.push(ForeignCompaction { delivery, summary, context: String::new() });
        } else if let Some(last) = self.all.last_mut() {
            last.note(sign);
        }
    }
}

impl ForeignCompaction {
    fn note(&mut self, sign: Sign) {
        match sign {
            Sign::Summary(text) if self.summary.is_empty() => self.summary = text,
            Sign::Context(text) | Sign::LateContext(text)
                if matches!(self.delivery, Delivery::Pending | Delivery::Empty) =>
            {
                self.delivery = Delivery::Delivered;
                self.context = text;
            }
            Sign::LateContext(text) if self.delivery == Delivery::Missing => {
                self.delivery = Delivery::Late;
                self.context = text;
            }
            Sign::Answer if self.delivery == Delivery::Pending => self.delivery = Delivery::Missing,
            _ => {}
        }
    }
}

fn claude(value: &Value) -> Sign {
    let is = |key: &str| value.get(key).and_then(Value::as_bool) == Some(true);
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    if is("isSidechain") {
        return Sign::Nothing;
    }
    if text("subtype") == "compact_boundary" {
        return Sign::Boundary(String::new());
    }
    if is("isCompactSummary") {
        return Sign::Summary(texts(value.pointer("/message/content")));
    }
    if let Some(attachment) = value.get("attachment")
        && attachment.get("type").and_then(Value::as_str) == Some("hook_additional_context")
    {
        return context(texts(attachment.get("content")));
    }
    match text("type") {
        // What our module wrote into a compaction in the model's name is no answer.
        "assistant" if value.pointer("/message/model").and_then(Value::as_str) == Some(SYNTHETIC_MODEL) => {
            Sign::Nothing
        }
        "assistant" => Sign::Answer,
        // The view that our module has answered with is a message of the user.
        "user" => match texts(value.pointer("/message/content")) {
            said if is_inserted_text(&said) && has_context(&said) => Sign::Context(said),
            _ => Sign::Nothing,
        },
        _ => Sign::Nothing,
    }
}

fn codex(value: &Value) -> Sign {
    let Some(payload) = value.get("payload") else { return Sign::Nothing };
    let text =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    match text(value, "type").as_str() {
        "compacted" => return Sign::Boundary(text(payload, "message")),
        "response_item" => {}
        _ => return Sign::Nothing,
    }
    match (text(payload, "type").as_str(), text(payload, "role").as_str()) {
        ("message", "developer") => context(texts(payload.get("content"))),
        ("message", "assistant") | ("function_call" | "custom_tool_call" | "local_shell_call", _) => {
            Sign::Answer
        }
        _ => Sign::Nothing,
    }
}

/// The context that a text is, if it is one of ours.
fn context(text: String) -> Sign {
    if text.contains(CONTEXT_HEAD) { Sign::Context(text) } else { Sign::Nothing }
}

/// The texts of a content: a text, or a list of texts and of blocks that have one.
pub(crate) fn texts(content: Option<&Value>) -> String {
    let text = |value: &Value| value.as_str().or_else(|| value.get("text")?.as_str()).map(str::to_owned);
    match content {
        Some(Value::Array(items)) => items.iter().filter_map(text).collect::<Vec<_>>().join("\n"),
        Some(value) => text(value).unwrap_or_default(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
