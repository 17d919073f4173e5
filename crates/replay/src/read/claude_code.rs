//! Claude Code's session files.
//!
//! One event a line. An answer of the model is several lines with one `message.id`; `parentUuid` makes the lines
//! a tree. Parallel calls are branches of that tree, so the branch of the last line is completed by all lines of
//! its answers and by the results of their calls.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use throughline_conversation::{ContentBlock, Role, ToolResult, Usage};

use super::content::{answer, call, count, flag, get, list, owned, parts, text_of, thinking, time};
use super::draft::RecordingDraft;
use super::lines::JsonLines;
use super::tree::{Parent, TreeEntry, last_branch};

/// The model's name on messages that the program itself wrote, mostly about failures of the API.
const SYNTHETIC: &str = "<synthetic>";

/// Reads the lines.
pub(super) fn read(lines: &JsonLines) -> RecordingDraft {
    let nodes: Vec<TreeEntry<'_>> = lines.values.iter().map(|(line, value)| node(*line, value)).collect();
    let (branch, notes) = last_branch(&nodes);
    let kept = BranchLines::of(&lines.values, &branch);
    let mut reader = ClaudeCodeReader {
        draft: RecordingDraft { notes, ..RecordingDraft::default() },
        ..ClaudeCodeReader::default()
    };
    let (mut sidechain, mut other) = (0, 0);
    for (place, (_, value)) in lines.values.iter().enumerate() {
        if !speaks(value) {
            reader.note(value);
        } else if flag(value, "isSidechain") {
            sidechain += 1;
        } else if kept.has(place, value) {
            reader.take(value);
        } else {
            other += 1;
        }
    }
    reader.finish(sidechain, other)
}

fn node(line: usize, value: &Value) -> TreeEntry<'_> {
    let boundary = text_of(value, "subtype") == Some("compact_boundary") || flag(value, "isCompactSummary");
    let logical = text_of(value, "logicalParentUuid");
    let parent = match text_of(value, "parentUuid").or(logical) {
        Some(id) => Parent::Id(id),
        // A compaction begins a new tree; the messages that it replaced are before it in the file.
        None if boundary || value.get("uuid").is_none() => Parent::Before,
        None => Parent::Root,
    };
    let id = text_of(value, "uuid");
    TreeEntry { line, id, parent, sidechain: flag(value, "isSidechain"), leaf: speaks(value) }
}

fn speaks(value: &Value) -> bool {
    matches!(text_of(value, "type"), Some("user" | "assistant")) && get(value, &["message", "role"]).is_some()
}

fn answer_id(value: &Value) -> Option<&str> {
    if text_of(value, "type") != Some("assistant") {
        return None;
    }
    get(value, &["message", "id"])?.as_str()
}

/// The lines of the branch, and those that complete its answers.
struct BranchLines<'a> {
    branch: &'a HashSet<usize>,
    answers: HashSet<&'a str>,
    calls: HashSet<&'a str>,
}

impl<'a> BranchLines<'a> {
    fn of(values: &'a [(usize, Value)], branch: &'a HashSet<usize>) -> Self {
        let on_branch = values.iter().enumerate().filter(|(place, _)| branch.contains(place));
        let answers: HashSet<&str> = on_branch.filter_map(|(_, (_, value))| answer_id(value)).collect();
        let calls = values
            .iter()
            .filter(|(_, value)| answer_id(value).is_some_and(|id| answers.contains(id)))
            .flat_map(|(_, value)| list(value.get("message").unwrap_or(value), "content"))
            .filter_map(|block| text_of(block, "id"))
            .collect();
        Self { branch, answers, calls }
    }

    fn has(&self, place: usize, value: &Value) -> bool {
        let part = answer_id(value).is_some_and(|id| self.answers.contains(id));
        let answers_call = || {
            list(value.get("message").unwrap_or(value), "content")
                .iter()
                .filter_map(|block| text_of(block, "tool_use_id"))
                .any(|id| self.calls.contains(id))
        };
        self.branch.contains(&place) || part || answers_call()
    }
}

#[derive(Default)]
struct ClaudeCodeReader {
    draft: RecordingDraft,
    /// Where the answer of an id stands.
    answers: HashMap<String, usize>,
    boundaries: usize,
    summaries: usize,
    synthetic: usize,
    unknown: usize,
}

impl ClaudeCodeReader {
    fn note(&mut self, value: &Value) {
        if text_of(value, "subtype") == Some("compact_boundary") {
            self.boundaries += 1;
            self.draft.compacted = true;
        }
    }

    fn take(&mut self, value: &Value) {
        if self.draft.id.is_none() {
            self.draft.id = text_of(value, "sessionId").map(str::to_owned);
        }
        if flag(value, "isCompactSummary") {
            self.summaries += 1;
            self.draft.compacted = true;
            return;
        }
        let Some(message) = value.get("message") else { return };
        self.draft.now = time(value, "timestamp");
        match text_of(value, "type") {
            Some("assistant") => self.assistant(value, message),
            _ => self.user(message),
        }
    }

    fn user(&mut self, message: &Value) {
        let (mut content, mut other) = parts(message.get("content"));
        for block in list(message, "content") {
            if text_of(block, "type") == Some("tool_result") {
                other = other.saturating_sub(1);
                let (said, images, unknown) = answer(block.get("content"));
                other += unknown;
                let (call_id, is_error) = (owned(block, "tool_use_id"), flag(block, "is_error"));
                let result = ToolResult { call_id, content: said, images, is_error };
                content.push(ContentBlock::ToolResult(result));
            }
        }
        self.unknown += other;
        self.draft.user(content);
    }

    fn assistant(&mut self, line: &Value, message: &Value) {
        let model = text_of(message, "model");
        if model == Some(SYNTHETIC) || flag(line, "isApiErrorMessage") {
            self.synthetic += 1;
            return;
        }
        self.draft.named(model);
        let content = self.blocks(message);
        let usage = usage(message);
        let hour = count(message, &["usage", "cache_creation", "ephemeral_1h_input_tokens"]);
        let id = owned(message, "id");
        let known = self.answers.get(&id).copied().filter(|_| !id.is_empty());
        if let Some(said) = known.and_then(|place| self.draft.messages.get_mut(place)) {
            said.message.content.extend(content);
            if usage.is_some() {
                said.usage = usage;
                said.request.hour_write = hour;
            }
            said.at = self.draft.now.or(said.at);
        } else {
            let place = self.draft.say(Role::Assistant, content, usage);
            if let Some(said) = self.draft.messages.get_mut(place) {
                said.request.hour_write = hour;
            }
            self.answers.insert(id, place);
        }
    }

    fn blocks(&mut self, message: &Value) -> Vec<ContentBlock> {
        let (mut content, _) = parts(message.get("content").filter(|content| content.is_string()));
        for block in list(message, "content") {
            let read = match text_of(block, "type") {
                Some("text") => Some(super::content::text(owned(block, "text"))),
                Some("thinking") => {
                    let said = owned(block, "thinking");
                    content.extend(thinking(&said, text_of(block, "signature"), None));
                    continue;
                }
                Some("redacted_thinking") => thinking("", None, text_of(block, "data")),
                Some("tool_use") => Some(call(owned(block, "id"), owned(block, "name"), block.get("input"))),
                _ => None,
            };
            self.unknown += usize::from(read.is_none());
            content.extend(read);
        }
        content
    }

    fn finish(mut self, sidechain: usize, other: usize) -> RecordingDraft {
        self.draft.compactions = self.boundaries.max(self.summaries);
        self.draft.left_out(sidechain, "lines of side conversations");
        self.draft.left_out(other, "lines of other branches of the conversation");
        self.draft.left_out(self.synthetic, "messages that the program wrote in the model's name");
        self.draft.left_out(self.unknown, "blocks of a kind that is not known");
        self.draft
    }
}

fn usage(message: &Value) -> Option<Usage> {
    let usage = message.get("usage")?;
    let read = Usage {
        input: count(usage, &["input_tokens"]),
        cache_read: count(usage, &["cache_read_input_tokens"]),
        cache_write: count(usage, &["cache_creation_input_tokens"]),
        output: count(usage, &["output_tokens"]),
    };
    (read.prompt() > 0).then_some(read)
}
