//! Documents of the Agent Trajectory Interchange Format, version 1: steps of the user, the system and the agent.
//!
//! A step of the agent has the answer, the results of its calls, and what the provider reported. `prompt_tokens` include
//! what was read from the cache (`cached_tokens`) and what was written to it (`extra.cache_creation_input_tokens`).

use std::collections::VecDeque;

use serde_json::Value;
use throughline_conversation::{ContentBlock, Image, Role, ToolResult, Usage};

use super::content::{
    call, count, data_url, flag, get, list, owned, picture_left_out, text, text_of, thinking, time,
    usage_of_prompt,
};
use super::draft::RecordingDraft;

/// What the versions that can be read begin with.
pub(super) const SCHEMA: &str = "ATIF-v1.";

/// Reads the document.
pub(super) fn read(document: &Value) -> RecordingDraft {
    let id = text_of(document, "session_id").or_else(|| text_of(document, "trajectory_id"));
    let draft = RecordingDraft { id: id.map(str::to_owned), ..RecordingDraft::default() };
    let mut reader = AtifReader { draft, ..AtifReader::default() };
    reader.draft.named(get(document, &["agent", "model_name"]).and_then(Value::as_str));
    for (place, step) in list(document, "steps").iter().enumerate() {
        reader.step(place + 1, step);
    }
    let subagents = list(document, "subagent_trajectories").len();
    let continued = text_of(document, "continued_trajectory_ref");
    reader.finish(subagents, continued)
}

#[derive(Default)]
struct AtifReader {
    draft: RecordingDraft,
    spoken: bool,
    copied: usize,
    dispatched: usize,
    unknown: usize,
    /// Where the steps begin that the user has undone and that no other step has followed.
    undone: Option<usize>,
    rewound: usize,
}

impl AtifReader {
    fn step(&mut self, number: usize, step: &Value) {
        match get(step, &["extra", "hidden"]).is_some_and(Value::is_string) {
            true => self.undone = self.undone.or(Some(self.draft.messages.len())),
            false => self.leave_undone(),
        }
        self.draft.now = time(step, "timestamp");
        let numbered = step.get("step_id").and_then(Value::as_u64);
        if numbered.is_some_and(|id| id != number as u64) {
            self.draft.notes.push(format!("step {number}: its step_id does not follow the one before"));
        }
        match text_of(step, "source") {
            Some("agent") if flag(step, "is_copied_context") => self.copied += 1,
            Some("agent") if step.get("llm_call_count").and_then(Value::as_u64) == Some(0) => {
                self.dispatched(step);
            }
            Some("agent") => self.answer(step),
            Some("system") => self.system(step),
            Some("user") => self.user(step),
            source => {
                let why = source.map_or_else(
                    || "it has no source".to_owned(),
                    |source| format!("its source {source:?} is not known"),
                );
                self.draft.notes.push(format!("step {number}: left out, {why}"));
            }
        }
    }

    /// Takes the undone steps out of the conversation.
    fn leave_undone(&mut self) {
        if let Some(place) = self.undone.take() {
            self.rewound += self.draft.rewind(place);
        }
    }

    fn user(&mut self, step: &Value) {
        let (content, other) = parts(step.get("message"));
        self.unknown += other;
        self.spoken = true;
        self.draft.user(content);
    }

    /// The first system steps are the prompt; later ones are events that the model sees.
    fn system(&mut self, step: &Value) {
        if get(step, &["extra", "event"]).and_then(Value::as_str) == Some("compaction") {
            self.draft.compaction();
            return;
        }
        if !self.spoken {
            self.draft.system.push(joined(parts(step.get("message")).0));
            return;
        }
        self.user(step);
        self.loose_results(step);
    }

    fn answer(&mut self, step: &Value) {
        self.spoken = true;
        let mut content: Vec<ContentBlock> = Vec::new();
        content.extend(thinking(&owned(step, "reasoning_content"), None, None));
        let (said, other) = parts(step.get("message"));
        self.unknown += other;
        content.extend(said);
        let calls = list(step, "tool_calls");
        for asked in calls {
            content.push(call(
                owned(asked, "tool_call_id"),
                owned(asked, "function_name"),
                asked.get("arguments"),
            ));
        }
        if let Some(model) = text_of(step, "model_name") {
            self.draft.named(Some(model));
        }
        self.draft.say(Role::Assistant, content, usage(step));
        self.results(step, calls);
    }

    /// The results of the calls. Those without the id of a call answer the calls in order, as far as there are any; the
    /// rest is what the environment said next.
    fn results(&mut self, step: &Value, calls: &[Value]) {
        let results = observed(step);
        let named = |id: &str| results.iter().any(|result| text_of(result, "source_call_id") == Some(id));
        let mut open: VecDeque<String> =
            calls.iter().map(|asked| owned(asked, "tool_call_id")).filter(|id| !named(id)).collect();
        for result in results {
            let id = text_of(result, "source_call_id").map(str::to_owned).or_else(|| open.pop_front());
            match id {
                Some(call_id) => {
                    let (content, images) = self.observation(result);
                    self.draft.now =
                        get(result, &["extra"]).and_then(|extra| time(extra, "timestamp")).or(self.draft.now);
                    let is_error = get(result, &["extra"]).is_some_and(|extra| flag(extra, "is_error"));
                    self.draft.result(ToolResult { call_id, content, images, is_error });
                }
                None => self.loose_result(result),
            }
        }
    }

    fn loose_results(&mut self, step: &Value) {
        observed(step).iter().for_each(|result| self.loose_result(result));
    }

    fn loose_result(&mut self, result: &Value) {
        let (content, images) = self.observation(result);
        let images = images.into_iter().map(ContentBlock::Image);
        self.draft.user(std::iter::once(text(content)).chain(images).collect());
    }

    /// What an observation says. One that only refers to the trajectory of a subagent names it.
    fn observation(&mut self, result: &Value) -> (String, Vec<Image>) {
        let (blocks, other) = parts(result.get("content"));
        self.unknown += other;
        let images = blocks
            .iter()
            .filter_map(|block| match block {
                ContentBlock::Image(image) => Some(image.clone()),
                _ => None,
            })
            .collect();
        let said = joined(blocks);
        if !said.is_empty() {
            return (said, images);
        }
        let name = |of: &Value| {
            let known = ["trajectory_id", "trajectory_path", "session_id"];
            known.iter().find_map(|key| text_of(of, key)).map(str::to_owned)
        };
        let agents: Vec<String> = list(result, "subagent_trajectory_ref").iter().filter_map(name).collect();
        let said = if agents.is_empty() { said } else { format!("[subagent {}]", agents.join(", ")) };
        (said, images)
    }

    /// A call that the agent's program made without asking a model: the model sees it as text.
    fn dispatched(&mut self, step: &Value) {
        self.dispatched += 1;
        let (mut content, other) = parts(step.get("message"));
        self.unknown += other;
        for asked in list(step, "tool_calls") {
            let arguments = asked.get("arguments").map(ToString::to_string).unwrap_or_default();
            content.push(text(format!("[{} {arguments}]", owned(asked, "function_name"))));
        }
        self.draft.user(content);
        self.loose_results(step);
    }

    fn finish(mut self, subagents: usize, continued: Option<&str>) -> RecordingDraft {
        self.leave_undone();
        if let Some(next) = continued {
            self.draft.notes.push(format!("the trajectory continues in {next}"));
        }
        self.draft.left_out(self.copied, "answers that were copied from an earlier trajectory");
        self.draft.left_out(subagents, "trajectories of subagents");
        if self.dispatched > 0 {
            let count = self.dispatched;
            self.draft.notes.push(format!("took {count} steps without a request to a model as text"));
        }
        self.draft.left_out(self.rewound, "messages that the user had rewound");
        self.draft.left_out(self.unknown, "parts of a kind that is not known");
        self.draft
    }
}

fn observed(step: &Value) -> &[Value] {
    step.get("observation").map_or(&[], |observation| list(observation, "results"))
}

/// Texts and pictures of a message or a result. A picture is a path or an address; only one that has its bytes in it is
/// read.
fn parts(content: Option<&Value>) -> (Vec<ContentBlock>, usize) {
    let items = match content {
        Some(Value::String(said)) => return (vec![text(said)], 0),
        Some(Value::Array(items)) => items,
        _ => return (Vec::new(), 0),
    };
    let mut other = 0;
    let block = |item: &Value| match text_of(item, "type") {
        Some("text") => Some(text(owned(item, "text"))),
        Some("image") => {
            let path = get(item, &["source", "path"]).and_then(Value::as_str).unwrap_or_default();
            Some(data_url(path).unwrap_or_else(picture_left_out))
        }
        _ => {
            other += 1;
            None
        }
    };
    (items.iter().filter_map(block).collect(), other)
}

fn joined(blocks: Vec<ContentBlock>) -> String {
    let texts = blocks.into_iter().filter_map(|block| match block {
        ContentBlock::Text { text } => Some(text),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn usage(step: &Value) -> Option<Usage> {
    let of = |path: &[&str]| count(step, &[&["metrics"], path].concat());
    let written = of(&["extra", "cache_creation_input_tokens"]);
    usage_of_prompt(of(&["prompt_tokens"]), of(&["cached_tokens"]), written, of(&["completion_tokens"]))
}

#[cfg(test)]
mod tests;
