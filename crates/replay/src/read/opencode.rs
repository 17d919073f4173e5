//! What `opencode export` writes: messages with parts, where a tool's part holds the call and its result.

use std::collections::HashSet;

use serde_json::Value;
use throughline_conversation::{ContentBlock, Image, Millis, Role, ToolResult, Usage};

use super::content::{call, count, data_url, flag, get, list, note, owned, text, text_of, thinking, time};
use super::draft::RecordingDraft;
use crate::session::SessionPart;

/// What titles of OpenCode begin with that are no titles yet.
const DEFAULT_TITLES: [&str; 2] = ["New session - ", "Child session - "];

/// Reads the document.
pub(super) fn read(document: &Value) -> RecordingDraft {
    let mut reader = OpencodeReader::default();
    reader.draft.id = get(document, &["info", "id"]).and_then(Value::as_str).map(str::to_owned);
    // It makes one of the time until a title is written.
    let title = get(document, &["info", "title"]).and_then(Value::as_str);
    let is_made = |title: &str| DEFAULT_TITLES.iter().any(|start| title.starts_with(start));
    reader.draft.title = title.filter(|title| !title.is_empty() && !is_made(title)).map(str::to_owned);
    if let Some(parent) = get(document, &["info", "parentID"]).and_then(Value::as_str) {
        (reader.draft.parent, reader.draft.part) = (Some(parent.to_owned()), SessionPart::Subagent);
    }
    let mut undone = None;
    for message in list(document, "messages") {
        let Some(info) = message.get("info") else { continue };
        let (parts, begin) = (list(message, "parts"), reader.draft.messages.len());
        let left = undone.is_none().then(|| left_parts(document, info, parts)).flatten();
        match left {
            Some(left) if !left.is_empty() => {
                reader.message(info, left);
                undone = Some(reader.draft.messages.len());
            }
            left => {
                reader.message(info, parts);
                undone = undone.or(left.map(|_| begin));
            }
        }
    }
    if let Some(place) = undone {
        let count = reader.draft.rewind(place);
        reader.draft.left_out(count, "messages that the user had undone");
    }
    let unknown = reader.unknown;
    reader.draft.left_out(unknown, "parts of a kind that is not known");
    reader.draft
}

/// The parts that are left of the message at which the user has undone the conversation: what is behind them is removed with the
/// next request. `None`: it is another message.
fn left_parts<'p>(document: &Value, info: &Value, parts: &'p [Value]) -> Option<&'p [Value]> {
    let revert = get(document, &["info", "revert"])?;
    text_of(revert, "messageID").filter(|id| text_of(info, "id") == Some(id))?;
    let is_first = |part: &Value| text_of(revert, "partID").is_some_and(|id| text_of(part, "id") == Some(id));
    parts.get(..parts.iter().position(is_first).unwrap_or(0))
}

#[derive(Default)]
struct OpencodeReader {
    draft: RecordingDraft,
    calls: HashSet<String>,
    unknown: usize,
}

impl OpencodeReader {
    fn message(&mut self, info: &Value, parts: &[Value]) {
        self.draft.now = info.get("time").and_then(|times| time(times, "created"));
        match text_of(info, "role") {
            Some("assistant") if flag(info, "summary") => self.summary(info),
            Some("assistant") => self.assistant(info, parts),
            _ => self.user(parts),
        }
    }

    fn user(&mut self, parts: &[Value]) {
        let mut content = Vec::new();
        for part in parts.iter().filter(|part| !flag(part, "ignored")) {
            match text_of(part, "type") {
                // What it adds by itself, such as a file that the user names.
                Some("text") if flag(part, "synthetic") => content.push(text(note(&owned(part, "text")))),
                Some("text") => content.push(text(owned(part, "text"))),
                Some("subtask") => content.push(text(owned(part, "prompt"))),
                Some("file") => content.push(file(part)),
                // A compaction's own request; the summary that answers it is counted.
                Some("compaction" | "agent" | "patch" | "snapshot") => {}
                _ => self.unknown += 1,
            }
        }
        if !content.is_empty() {
            self.draft.user(content);
        }
    }

    /// The summary of a compaction, which was paid.
    fn summary(&mut self, info: &Value) {
        self.draft.named(text_of(info, "modelID"));
        let usage = usage(info.get("tokens"));
        self.draft.unshown(answer_name(info, 0, usage), usage, true);
        self.draft.compaction();
    }

    fn assistant(&mut self, info: &Value, parts: &[Value]) {
        self.draft.named(text_of(info, "modelID"));
        let mut step = OpencodeStep::default();
        for part in parts {
            match text_of(part, "type") {
                Some("step-start") => {
                    let next = OpencodeStep { number: step.number + 1, ..OpencodeStep::default() };
                    self.end(info, std::mem::replace(&mut step, next));
                }
                Some("step-finish") => step.usage = usage(part.get("tokens")),
                Some("text") => step.content.push(text(owned(part, "text"))),
                Some("reasoning") => step.content.extend(thinking(&owned(part, "text"), None, None)),
                Some("tool") => self.tool(&mut step, part),
                Some("patch" | "snapshot" | "retry" | "file" | "agent") => {}
                _ => self.unknown += 1,
            }
        }
        step.usage = step.usage.or_else(|| usage(info.get("tokens")));
        step.ended = step.ended.or_else(|| info.get("time").and_then(|times| time(times, "completed")));
        self.end(info, step);
        if info.get("error").is_some_and(Value::is_object) {
            self.draft.break_off();
        }
    }

    fn tool(&mut self, step: &mut OpencodeStep, part: &Value) {
        let mut id = owned(part, "callID");
        // Exports that are made to be shown to others may have one and the same text for every id.
        if id.is_empty() || !self.calls.insert(id.clone()) {
            id = format!("call_{}", self.calls.len());
            self.calls.insert(id.clone());
        }
        let state = part.get("state").unwrap_or(&Value::Null);
        step.content.push(call(id.clone(), owned(part, "tool"), state.get("input")));
        let (said, is_error) = match text_of(state, "status") {
            Some("completed") => (output(state), false),
            Some("error") => (owned(state, "error"), true),
            // It never ended: the call has no result.
            _ => return,
        };
        step.ran = step.ran.max(state.get("time").and_then(|times| time(times, "end")));
        let images =
            list(state, "attachments").iter().filter_map(|file| picture(text_of(file, "url")?)).collect();
        step.results.push(ToolResult { call_id: id, content: said, images, is_error });
    }

    fn end(&mut self, info: &Value, step: OpencodeStep) {
        if !step.content.is_empty() {
            self.draft.now = step.ended.or(self.draft.now);
            let place = self.draft.say(Role::Assistant, step.content, step.usage);
            if let Some(said) = self.draft.messages.get_mut(place) {
                said.request.answer = answer_name(info, step.number, step.usage);
            }
            self.draft.now = step.ran.or(self.draft.now);
            step.results.into_iter().for_each(|result| self.draft.result(result));
        }
    }
}

/// One request within a message.
#[derive(Default)]
struct OpencodeStep {
    /// Which one of the message it is.
    number: usize,
    content: Vec<ContentBlock>,
    results: Vec<ToolResult>,
    usage: Option<Usage>,
    /// When the answer was complete.
    ended: Option<Millis>,
    /// When the last of its tools had run.
    ran: Option<Millis>,
}

/// What an answer is known by in a fork, where its ids are others: when its message began, to the millisecond, and what was paid.
fn answer_name(info: &Value, number: usize, usage: Option<Usage>) -> Option<String> {
    let created = get(info, &["time", "created"])?;
    let model = text_of(info, "modelID").unwrap_or_default();
    usage.map(|usage| format!("{created} {model} {number} {usage:?}"))
}

/// What a tool has said. OpenCode notes the exit code of a command next to it.
fn output(state: &Value) -> String {
    let said = owned(state, "output");
    match get(state, &["metadata", "exit"]).and_then(Value::as_i64).filter(|code| *code != 0) {
        Some(code) if said.trim().is_empty() => format!("[exit code {code}]"),
        Some(code) => format!("{}\n[exit code {code}]", said.trim_end()),
        None => said,
    }
}

fn file(part: &Value) -> ContentBlock {
    let url = text_of(part, "url").unwrap_or_default();
    data_url(url).unwrap_or_else(|| {
        let name = text_of(part, "filename").unwrap_or(url);
        text(format!("[file: {name}]"))
    })
}

fn picture(url: &str) -> Option<Image> {
    match data_url(url)? {
        ContentBlock::Image(image) => Some(image),
        _ => None,
    }
}

fn usage(tokens: Option<&Value>) -> Option<Usage> {
    let tokens = tokens?;
    let (input, output) = (count(tokens, &["input"]), count(tokens, &["output"]));
    let (cache_read, cache_write) = (count(tokens, &["cache", "read"]), count(tokens, &["cache", "write"]));
    let usage = Usage { input, cache_read, cache_write, output, searches: 0 };
    (usage.prompt() > 0).then_some(usage)
}
