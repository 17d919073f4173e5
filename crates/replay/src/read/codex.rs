//! Codex CLI's rollout files.
//!
//! One item a line. What the model says is spread over items; an answer ends where the provider's token count
//! follows, or where the model speaks again after results.

mod answer_names;
mod fork;

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Role, ToolResult, Usage, is_agent_note};

use super::content::{answer, call, count, get, list, owned, parts, text_of, thinking, time};
use super::draft::{RecordingDraft, Said};
use super::lines::JsonLines;
use crate::session::SessionPart;

use answer_names::name_answers;
pub(super) use fork::InheritedRecords;
use fork::head;

/// Reads the lines, and before them what is in the files of other sessions.
pub(super) fn read(lines: &JsonLines, inherited: &InheritedRecords) -> RecordingDraft {
    let mut reader = CodexReader::default();
    let own: Vec<&Value> = lines.values.iter().map(|(_, value)| value).collect();
    // The session's own head is first, wherever the records are from.
    let (heads, own) = own.split_at(own.iter().take_while(|value| head(value).is_some()).count());
    heads.iter().for_each(|value| reader.line(value));
    reader.draft.inherited = true;
    inherited.values.iter().for_each(|value| reader.line(value));
    reader.draft.inherited = false;
    reader.open = None;
    own.iter().for_each(|value| reader.line(value));
    reader.finish()
}

#[derive(Default)]
struct CodexReader {
    draft: RecordingDraft,
    /// Where the running answer stands; `None`: the next word of the model begins another.
    open: Option<usize>,
    /// Where the last answer stands.
    last: Option<usize>,
    /// The session's total at the last count: an equal one repeats it.
    total: Option<Value>,
    /// The last count, of an answer that is no item, and the total with it.
    spare: Option<(Usage, String)>,
    /// The session from which this one and its copies descend.
    origin: Option<String>,
    spoken: bool,
    searches: usize,
    tool_searches: usize,
    hidden: usize,
    unknown: usize,
    rewound: usize,
}

impl CodexReader {
    fn line(&mut self, value: &Value) {
        let Some(payload) = value.get("payload") else {
            self.unknown += 1;
            return;
        };
        self.draft.now = time(value, "timestamp");
        match text_of(value, "type") {
            Some("session_meta") => self.meta(payload),
            Some("turn_context") => self.draft.named(text_of(payload, "model")),
            Some("response_item") => self.item(payload),
            Some("event_msg") => match text_of(payload, "type") {
                Some("token_count") => self.tokens(payload),
                Some("turn_aborted") => self.draft.break_off(),
                Some("thread_rolled_back") => self.rewind(count(payload, &["num_turns"])),
                // Other events repeat what the items say, for the program's own screen.
                _ => {}
            },
            Some("compacted") => self.compacted(payload),
            _ => {}
        }
    }

    fn meta(&mut self, payload: &Value) {
        let parent = text_of(payload, "forked_from_id")
            .or_else(|| get(payload, &["source", "subagent", "thread_spawn", "parent_thread_id"])?.as_str());
        let origin = parent.or_else(|| text_of(payload, "id"));
        // A copy of the records of another session has that session's head in it.
        self.origin = origin.map(str::to_owned).or_else(|| self.origin.take());
        // A resumed session writes its head again.
        if self.draft.id.is_none() {
            self.draft.id = text_of(payload, "id").map(str::to_owned);
            self.draft.parent = parent.map(str::to_owned);
            if get(payload, &["source", "subagent"]).is_some() {
                self.draft.part = SessionPart::Subagent;
            }
            let base = payload.get("base_instructions").or_else(|| payload.get("instructions"));
            let base = base.and_then(|base| base.as_str().or_else(|| text_of(base, "text")));
            self.draft.system.extend(base.map(str::to_owned));
        }
    }

    fn item(&mut self, item: &Value) {
        let name = || owned(item, "name");
        let id = || owned(item, "call_id");
        match text_of(item, "type") {
            Some("message") => self.message(item),
            Some("reasoning") => self.reasoning(item),
            Some("function_call") => self.says(call(id(), name(), item.get("arguments"))),
            Some("custom_tool_call") => {
                // The input of such a tool is free text, never JSON arguments.
                let input = json!({ "input": owned(item, "input") });
                self.says(call(id(), name(), Some(&input)));
            }
            Some("local_shell_call") => self.says(call(id(), "local_shell".to_owned(), item.get("action"))),
            Some("function_call_output" | "custom_tool_call_output") => self.result(item, id()),
            // One without the id of a call was done by the provider within its answer.
            Some("tool_search_call" | "tool_search_output") if text_of(item, "call_id").is_none() => {
                self.tool_searches += usize::from(text_of(item, "type") == Some("tool_search_call"));
            }
            Some("tool_search_call") => {
                self.says(call(id(), "tool_search".to_owned(), item.get("arguments")));
            }
            Some("tool_search_output") => self.found_tools(item, id()),
            Some("agent_message") => self.user(item),
            Some("web_search_call") => self.searches += 1,
            _ => self.unknown += 1,
        }
    }

    fn message(&mut self, item: &Value) {
        match text_of(item, "role") {
            Some("assistant") => {
                let (blocks, other) = parts(item.get("content"));
                self.unknown += other;
                blocks.into_iter().for_each(|block| self.says(block));
            }
            Some("system" | "developer") if !self.spoken => {
                let (said, _, _) = answer(item.get("content"));
                self.draft.system.push(said);
            }
            _ => self.user(item),
        }
    }

    fn user(&mut self, item: &Value) {
        let (blocks, other) = parts(item.get("content"));
        self.unknown += other;
        self.open = None;
        self.spoken = true;
        self.draft.user(blocks);
    }

    fn reasoning(&mut self, item: &Value) {
        let summary: Vec<&str> =
            list(item, "summary").iter().filter_map(|part| text_of(part, "text")).collect();
        match thinking(&summary.join("\n\n"), None, None) {
            Some(block) => self.says(block),
            None => self.hidden += 1,
        }
    }

    fn says(&mut self, block: ContentBlock) {
        if let Some(said) = self.open.and_then(|place| self.draft.messages.get_mut(place)) {
            said.message.content.push(block);
            said.at = self.draft.now.or(said.at);
            return;
        }
        self.count_spare();
        let place = self.draft.say(Role::Assistant, vec![block], None);
        self.open = Some(place);
        self.last = Some(place);
        self.spoken = true;
    }

    fn result(&mut self, item: &Value, call_id: String) {
        let output = item.get("output");
        // Some versions wrap the text together with the exit status of the call.
        let content = output.and_then(|output| output.get("content")).or(output);
        let failed = output.and_then(|output| get(output, &["success"])) == Some(&Value::Bool(false));
        let (said, images, other) = answer(content);
        self.unknown += other;
        self.open = None;
        self.draft.result(ToolResult { call_id, content: said, images, is_error: failed });
    }

    /// The descriptions of the tools that were found, as the model got them.
    fn found_tools(&mut self, item: &Value, call_id: String) {
        let said = item.get("tools").or_else(|| item.get("output"));
        let content = match said {
            Some(Value::String(said)) => said.clone(),
            Some(tools) => tools.to_string(),
            None => String::new(),
        };
        let is_error = text_of(item, "status") == Some("failed");
        self.open = None;
        self.draft.result(ToolResult { call_id, content, images: Vec::new(), is_error });
    }

    /// Counts a compaction. Codex writes the summary as an answer of the model first, or only its count: it is no part of the
    /// conversation, and was paid.
    fn compacted(&mut self, payload: &Value) {
        let mut paid = self.spare.take();
        let summary = owned(payload, "message");
        let is_summary = |last: &&mut Said| {
            last.message.role == Role::Assistant
                && matches!(last.message.content.last(),
                    Some(ContentBlock::Text { text }) if !text.is_empty() && summary.ends_with(text.as_str()))
        };
        if let Some(last) = self.draft.messages.last_mut().filter(is_summary) {
            last.message.content.pop();
            if last.message.content.is_empty()
                && let Some(Said { usage, request, .. }) = self.draft.messages.pop()
            {
                paid = usage.zip(request.answer).or(paid);
            }
            self.open = None;
            self.last = None;
        }
        if let Some((usage, total)) = paid {
            self.draft.unshown(Some(total), Some(usage), true);
        }
        self.draft.compaction();
    }

    fn tokens(&mut self, payload: &Value) {
        let Some(info) = payload.get("info").filter(|info| info.is_object()) else { return };
        let total = info.get("total_token_usage");
        if total.is_some() && total == self.total.as_ref() {
            return;
        }
        self.total = total.cloned();
        self.open = None;
        let read = count(info, &["last_token_usage", "cached_input_tokens"]);
        let usage = Usage {
            input: count(info, &["last_token_usage", "input_tokens"]).saturating_sub(read),
            cache_read: read,
            cache_write: 0,
            output: count(info, &["last_token_usage", "output_tokens"]),
            searches: 0,
        };
        if usage.prompt() == 0 {
            return;
        }
        match self
            .last
            .and_then(|place| self.draft.messages.get_mut(place))
            .filter(|said| said.usage.is_none())
        {
            Some(said) => {
                said.usage = Some(usage);
                said.request.answer = total.map(Value::to_string);
            }
            None => {
                self.count_spare();
                self.spare = total.map(|total| (usage, total.to_string()));
            }
        }
    }

    /// Removes the last turns, which the user has rewound: all of them where there are fewer.
    fn rewind(&mut self, turns: u64) {
        let asks = |said: &Said| {
            let own = |text: &str| !text.trim().is_empty() && !is_agent_note(text);
            said.message.role == Role::User && said.message.texts().any(own)
        };
        let asked =
            self.draft.messages.iter().enumerate().filter(|(_, said)| asks(said)).map(|(place, _)| place);
        let Some(back) = usize::try_from(turns).ok().and_then(|turns| turns.checked_sub(1)) else { return };
        if let Some(place) = asked.rev().take(back.saturating_add(1)).last() {
            self.rewound += self.draft.rewind(place);
            (self.open, self.last) = (None, None);
        }
    }

    /// A count that no item of the model and no compaction goes with was paid, too.
    fn count_spare(&mut self) {
        if let Some((usage, total)) = self.spare.take() {
            self.draft.unshown(Some(total), Some(usage), false);
        }
    }

    fn finish(mut self) -> RecordingDraft {
        self.count_spare();
        name_answers(&mut self.draft, self.origin.as_deref().unwrap_or_default());
        self.draft.left_out(self.rewound, "messages that the user had rewound");
        self.draft.left_out(self.searches, "web searches that the provider did by itself");
        self.draft.left_out(self.tool_searches, "tool searches that the provider did by itself");
        self.draft.left_out(self.hidden, "thoughts that were not recorded");
        self.draft.left_out(self.unknown, "items of a kind that is not known");
        self.draft
    }
}
