//! The lines of one conversation, as messages with what they cost.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;
use throughline_conversation::{ContentBlock, Role, ToolResult};

use super::super::content::{self, answer, call, flag, list, owned, parts, text_of, thinking, time};
use super::super::draft::RecordingDraft;
use super::SYNTHETIC_MODEL;
use super::notes::{noted, runs_command};
use super::queued::attached;
use super::repeats::RepeatedRows;
use super::session_name::named_session;
use super::usage::{hour_write, iterations, terms, usage};
use crate::session::SessionPart;

/// Reads lines one by one.
#[derive(Default)]
pub(super) struct ClaudeCodeReader {
    pub(super) draft: RecordingDraft,
    /// Where the answer of an id stands.
    answers: HashMap<String, usize>,
    boundaries: usize,
    summaries: usize,
    synthetic: usize,
    unknown: usize,
    /// What follows a compaction may repeat what was before it: texts of the user, and ids of calls with a result.
    pub(super) repeats: RepeatedRows,
    /// The file begins with the newest compaction: nothing has the original of what follows it.
    begins_inside: bool,
    /// The line before is a command of the user.
    is_command: bool,
    /// The ids of the calls so far.
    calls: HashSet<String>,
    /// Results of other calls.
    pub(super) orphans: usize,
}

impl ClaudeCodeReader {
    /// Reads a file whose name may be that of the session: its first lines may be from the session that it continues.
    pub(super) fn of_file(path: &Path) -> Self {
        let draft =
            RecordingDraft { id: named_session(path).map(str::to_owned), ..RecordingDraft::default() };
        Self { draft, ..Self::default() }
    }

    /// Reads what follows other lines, and may repeat them.
    pub(super) fn behind(repeats: RepeatedRows) -> Self {
        Self { repeats, ..Self::default() }
    }

    pub(super) fn note(&mut self, value: &Value) {
        if text_of(value, "subtype") == Some("compact_boundary") {
            self.boundaries += 1;
            self.begins_inside = self.draft.messages.is_empty();
            self.repeats.begin(value);
            (self.draft.compacted, self.draft.unasked) = (true, false);
        }
    }

    pub(super) fn take(&mut self, value: &Value) {
        if self.draft.id.is_none() {
            self.draft.id = text_of(value, "sessionId").map(str::to_owned);
        }
        if let Some(content) = attached(value) {
            self.draft.now = time(value, "timestamp");
            self.draft.user(content);
            return;
        }
        if flag(value, "isCompactSummary") {
            self.summaries += 1;
            self.repeats.summarize();
            (self.draft.compacted, self.draft.unasked) = (true, false);
            if let Some(summary) = value.get("message").filter(|_| self.begins_inside) {
                self.user(&noted(summary));
            }
            return;
        }
        let Some(message) = value.get("message") else { return };
        self.draft.now = time(value, "timestamp");
        let is_command = std::mem::replace(&mut self.is_command, runs_command(message));
        let note = (flag(value, "isMeta") && !is_command).then(|| noted(message));
        let message = note.as_ref().unwrap_or(message);
        match text_of(value, "type") {
            Some("assistant") => self.assistant(value, message),
            _ if self.repeats.has(value, message) => {}
            _ => {
                let is_view = self.repeats.is_view(message);
                self.draft.unasked |= is_view;
                // Where the session does not have what the view says, the view is a part of it.
                let view = (is_view && self.begins_inside).then(|| noted(message));
                self.user(view.as_ref().unwrap_or(message));
            }
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
                self.orphans += usize::from(!self.calls.contains(&call_id));
                let result = ToolResult { call_id, content: said, images, is_error };
                content.push(ContentBlock::ToolResult(result));
            }
        }
        self.unknown += other;
        self.draft.user(content);
    }

    fn assistant(&mut self, line: &Value, message: &Value) {
        let model = text_of(message, "model");
        let is_error = flag(line, "isApiErrorMessage");
        if model == Some(SYNTHETIC_MODEL) && !is_error && self.begins_inside && self.repeats.has_rows() {
            // A row of a plugin, whose original is in no file: another session has paid for it.
            let content = self.blocks(message);
            let is_inherited = std::mem::replace(&mut self.draft.inherited, true);
            self.draft.say(Role::Assistant, content, None);
            self.draft.inherited = is_inherited;
            return;
        }
        if model == Some(SYNTHETIC_MODEL) || is_error {
            self.synthetic += 1;
            return;
        }
        self.repeats.end();
        self.draft.named(model);
        let content = self.blocks(message);
        self.calls.extend(content.iter().filter_map(|block| match block {
            ContentBlock::ToolCall(call) => Some(call.id.clone()),
            _ => None,
        }));
        let usage = usage(message);
        let is_own = !self.draft.inherited;
        let apart = if is_own { iterations(message, model, self.draft.now) } else { Vec::new() };
        let name = text_of(message, "id").or_else(|| text_of(line, "requestId")).map(str::to_owned);
        let hour = message.get("usage").map_or(0, hour_write);
        let terms = message.get("usage").map(terms).unwrap_or_default();
        let id = owned(message, "id");
        let known = self.answers.get(&id).copied().filter(|_| !id.is_empty());
        if let Some(said) = known.and_then(|place| self.draft.messages.get_mut(place)) {
            said.message.content.extend(content);
            if usage.is_some() {
                said.usage = usage;
                (said.request.hour_write, said.request.terms) = (hour, terms);
            }
            said.at = self.draft.now.or(said.at);
            // Each line of an answer repeats them.
            said.request.unshown.retain(|one| apart.iter().all(|new| new.answer != one.answer));
            said.request.unshown.extend(apart);
        } else {
            let place = self.draft.say(Role::Assistant, content, usage);
            if let Some(said) = self.draft.messages.get_mut(place) {
                (said.request.hour_write, said.request.terms) = (hour, terms);
                said.request.answer = name;
                said.request.unshown.extend(apart);
            }
            self.answers.insert(id, place);
        }
    }

    fn blocks(&mut self, message: &Value) -> Vec<ContentBlock> {
        let (mut content, _) = parts(message.get("content").filter(|content| content.is_string()));
        for block in list(message, "content") {
            let read = match text_of(block, "type") {
                Some("text") => Some(content::text(owned(block, "text"))),
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

    /// Takes lines apart from the conversation.
    pub(super) fn add_separate(&mut self, part: SessionPart, lines: &[&Value]) {
        let mut reader = Self::default();
        lines.iter().for_each(|value| reader.take(value));
        let agent = lines.first().and_then(|value| text_of(value, "agentId"));
        self.draft.add_separate(part, agent.map(agent_session), reader.draft);
    }

    /// Everything is the work of a subagent: its lines name the session that has started it.
    pub(super) fn name_subagent(&mut self, first: Option<&Value>) {
        let agent = first.and_then(|value| text_of(value, "agentId"));
        self.draft.part = SessionPart::Subagent;
        self.draft.parent = std::mem::replace(&mut self.draft.id, agent.map(agent_session));
    }

    pub(super) fn finish(mut self, sidechain: usize, other: usize) -> RecordingDraft {
        self.draft.compactions = self.boundaries.max(self.summaries);
        self.draft.left_out(sidechain, "lines of side conversations");
        self.draft.left_out(other, "lines of other branches of the conversation");
        self.draft.left_out(self.synthetic, "messages that the program wrote in the model's name");
        self.draft.left_out(self.unknown, "blocks of a kind that is not known");
        self.draft
    }
}

/// The session of a subagent, as its file is named.
fn agent_session(agent: &str) -> String {
    format!("agent-{agent}")
}
