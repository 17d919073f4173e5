//! Copilot CLI's session files: one event a line, each with a type, its data and a time.
//!
//! The stored events have the output of each answer. The usage of its prompt is an event of the running program; it is
//! read where it was recorded too.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;
use throughline_conversation::{ContentBlock, Image, Role, ToolResult, Usage};

use super::content::{
    call, count, data_url, get, list, note, owned, picture_left_out, text, text_of, thinking, time,
    usage_of_prompt,
};
use super::draft::RecordingDraft;
use super::lines::JsonLines;
use crate::session::SessionPart;

/// Reads the lines.
pub(super) fn read(lines: &JsonLines) -> RecordingDraft {
    let mut reader = CopilotReader::default();
    for (line, value) in &lines.values {
        let (Some(kind), Some(data)) = (text_of(value, "type"), value.get("data")) else {
            reader.draft.notes.push(format!("line {line}: left out, it is no event with a type and data"));
            continue;
        };
        if let Some(agent) = text_of(value, "agentId").or_else(|| text_of(data, "parentToolCallId")) {
            reader.side += 1;
            let subagent = reader.subagents.entry(agent.to_owned()).or_default();
            subagent.draft.now = time(value, "timestamp").or(subagent.draft.now);
            subagent.event(kind, data);
            continue;
        }
        if let Some(id) = text_of(value, "id") {
            reader.places.entry(id.to_owned()).or_insert(reader.draft.messages.len());
        }
        reader.draft.now = time(value, "timestamp").or(reader.draft.now);
        reader.event(kind, data);
    }
    reader.finish()
}

#[derive(Default)]
struct CopilotReader {
    draft: RecordingDraft,
    /// Where the running answer is, and the request that it is of.
    open: Option<(usize, Option<String>)>,
    /// How many messages there were before each event.
    places: HashMap<String, usize>,
    /// Calls of the model.
    calls: HashSet<String>,
    /// Calls of the user, as text.
    own: HashMap<String, String>,
    /// Thoughts that belong to the next answer.
    thoughts: String,
    seen_thoughts: HashSet<String>,
    /// Usage that came before its answer.
    usage: Option<(Option<String>, Usage)>,
    side: usize,
    subagents: BTreeMap<String, CopilotReader>,
    rewound: usize,
}

impl CopilotReader {
    fn event(&mut self, kind: &str, data: &Value) {
        match kind {
            "session.start" | "session.resume" => {
                let id = text_of(data, "sessionId").map(str::to_owned);
                self.draft.id = self.draft.id.take().or(id);
                self.draft.named(text_of(data, "selectedModel"));
            }
            "session.model_change" => self.draft.named(text_of(data, "newModel")),
            "system.message" => {
                let said = owned(data, "content");
                if self.draft.messages.is_empty() && !self.draft.system.contains(&said) {
                    self.draft.system.push(said);
                }
            }
            "user.message" => self.user(data),
            "assistant.reasoning" => {
                let said = owned(data, "content");
                if !self.seen_thoughts.contains(&said) {
                    self.thoughts = said;
                }
            }
            "assistant.message" => self.answer(data),
            "assistant.usage" => self.used(data),
            "tool.user_requested" => {
                let (name, arguments) = (owned(data, "toolName"), data.get("arguments"));
                let arguments = arguments.map(ToString::to_string).unwrap_or_default();
                self.own.insert(owned(data, "toolCallId"), format!("The user ran {name} {arguments}"));
            }
            "tool.execution_start" => self.started(data),
            "tool.execution_complete" => self.result(data),
            "session.compaction_complete" if data.get("success") != Some(&Value::Bool(false)) => {
                let used = |old: &str, new: &str| {
                    let of = |name: &str| count(data, &["compactionTokensUsed", name]);
                    of(old).max(of(new))
                };
                let (read, written) = (used("cachedInput", "cacheReadTokens"), used("", "cacheWriteTokens"));
                let (prompt, output) = (used("input", "inputTokens"), used("output", "outputTokens"));
                self.draft.unshown(None, usage_of_prompt(prompt, read, written, output), true);
                self.draft.compaction();
            }
            "abort" => self.draft.break_off(),
            "session.truncation" => self.draft.compaction(),
            "session.snapshot_rewind" => self.rewind(data),
            // Other events are for the program's own screen, or repeat these.
            _ => {}
        }
    }

    /// A message of the user, and around it what the program has added for the model.
    fn user(&mut self, data: &Value) {
        let own = text_of(data, "content").filter(|own| !own.trim().is_empty());
        let sent = text_of(data, "transformedContent").or(own).unwrap_or_default();
        // Without the user's own form the message is what was sent.
        let own = own.unwrap_or(sent);
        let (before, after) = sent.split_once(own).unwrap_or(("", sent));
        let added = |said: &str| Some(text(note(said.trim()))).filter(|_| !said.trim().is_empty());
        let mut content: Vec<ContentBlock> = added(before).into_iter().collect();
        content.push(text(own));
        content.extend(added(after));
        content.extend(list(data, "attachments").iter().filter_map(picture));
        self.open = None;
        self.draft.user(content);
    }

    /// An answer, or the next part of one: the parts of one request name the same call of the API.
    fn answer(&mut self, data: &Value) {
        let request = text_of(data, "apiCallId").map(str::to_owned);
        let said = text_of(data, "reasoningText").map(str::to_owned);
        let waiting = std::mem::take(&mut self.thoughts);
        let thought = said.unwrap_or(waiting);
        let mut content: Vec<ContentBlock> = thinking(&thought, None, None).into_iter().collect();
        self.seen_thoughts.insert(thought);
        content.push(text(owned(data, "content")));
        for asked in list(data, "toolRequests") {
            let id = owned(asked, "toolCallId");
            self.calls.insert(id.clone());
            content.push(call(id, owned(asked, "name"), asked.get("arguments")));
        }
        self.draft.named(text_of(data, "model"));
        let place = match &self.open {
            Some((place, open)) if request.is_some() && *open == request => *place,
            _ => self.draft.say(Role::Assistant, Vec::new(), None),
        };
        self.open = Some((place, request.clone()));
        let waiting = self.usage.take().filter(|(of, _)| of.is_none() || *of == request);
        let output = data.get("outputTokens").and_then(Value::as_u64);
        if let Some(answer) = self.draft.messages.get_mut(place) {
            answer.message.content.extend(content);
            answer.at = self.draft.now.or(answer.at);
            answer.request.output = answer.request.output.max(output);
            answer.usage = answer.usage.or(waiting.map(|(_, usage)| usage));
        }
    }

    fn used(&mut self, data: &Value) {
        let cache_read = count(data, &["cacheReadTokens"]);
        let cache_write = count(data, &["cacheWriteTokens"]);
        // The input includes both.
        let input = count(data, &["inputTokens"]).saturating_sub(cache_read.saturating_add(cache_write));
        let usage =
            Usage { input, cache_read, cache_write, output: count(data, &["outputTokens"]), searches: 0 };
        if usage.prompt() == 0 {
            return;
        }
        let of = text_of(data, "apiCallId").map(str::to_owned);
        let open = self.open.as_ref().filter(|(_, open)| open.is_none() || of.is_none() || *open == of);
        let answer = open.and_then(|(place, _)| self.draft.messages.get_mut(*place));
        match answer.filter(|answer| answer.usage.is_none()) {
            Some(answer) => answer.usage = Some(usage),
            None => self.usage = Some((of, usage)),
        }
    }

    /// A call that no answer has named.
    fn started(&mut self, data: &Value) {
        let id = owned(data, "toolCallId");
        if self.own.contains_key(&id) || !self.calls.insert(id.clone()) {
            return;
        }
        let block = call(id, owned(data, "toolName"), data.get("arguments"));
        let place = match self.open {
            Some((place, _)) => place,
            None => self.draft.say(Role::Assistant, Vec::new(), None),
        };
        self.open.get_or_insert((place, None));
        if let Some(answer) = self.draft.messages.get_mut(place) {
            answer.message.content.push(block);
        }
    }

    fn result(&mut self, data: &Value) {
        let call_id = owned(data, "toolCallId");
        let failed = data.get("success") == Some(&Value::Bool(false));
        let result = data.get("result");
        let said = result.and_then(|result| result.as_str().or_else(|| text_of(result, "content")));
        let error = get(data, &["error", "message"]).and_then(Value::as_str);
        let content = said.or(error).unwrap_or_default().to_owned();
        if let Some(asked) = self.own.remove(&call_id) {
            self.open = None;
            self.draft.user(vec![text(note(&format!("{asked}:\n```\n{content}\n```")))]);
            return;
        }
        let binary = result.map_or(&[][..], |result| list(result, "binaryResultsForLlm"));
        let images: Vec<Image> = binary
            .iter()
            .filter_map(|item| match picture(item)? {
                ContentBlock::Image(image) => Some(image),
                _ => None,
            })
            .collect();
        self.draft.result(ToolResult { call_id, content, images, is_error: failed });
    }

    /// Forgets the messages from an event on.
    fn rewind(&mut self, data: &Value) {
        let place = text_of(data, "upToEventId").and_then(|id| self.places.get(id)).copied();
        if let Some(place) = place {
            self.rewound += self.draft.rewind(place);
            self.places.retain(|_, before| *before <= place);
            self.open = None;
        }
    }

    fn finish(mut self) -> RecordingDraft {
        for (agent, subagent) in std::mem::take(&mut self.subagents) {
            self.draft.add_separate(SessionPart::Subagent, Some(agent), subagent.draft);
        }
        self.draft.left_out(self.side, "events of subagents");
        self.draft.left_out(self.rewound, "messages that the user had rewound");
        self.draft
    }
}

/// A picture with its bytes; its place where they were not recorded. `None`: it is no picture.
fn picture(item: &Value) -> Option<ContentBlock> {
    let media = text_of(item, "mimeType").filter(|media| media.starts_with("image/"))?;
    let recorded = text_of(item, "data").and_then(|data| data_url(&format!("data:{media};base64,{data}")));
    Some(recorded.unwrap_or_else(picture_left_out))
}
