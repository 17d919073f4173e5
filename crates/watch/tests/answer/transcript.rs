//! A transcript, as Claude Code writes it.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::host::{Host, ID};

/// A session that is written.
pub(crate) struct Transcript {
    path: PathBuf,
    last: Value,
    lines: usize,
    steps: usize,
}

impl Transcript {
    /// One that begins with a request.
    pub(crate) fn new(host: &Host, request: &str) -> Self {
        let mut transcript = Self { path: host.transcript(), last: Value::Null, lines: 0, steps: 0 };
        transcript.user(request);
        transcript
    }

    /// The user types a request.
    pub(crate) fn user(&mut self, request: &str) {
        self.say("user", &json!({"role": "user", "content": request}), &json!({"promptSource": "typed"}));
    }

    /// The model calls a tool this many times, and its results are there. Returns the ids of the calls.
    pub(crate) fn step(&mut self, calls: usize) -> Vec<String> {
        self.begin_step();
        let ids: Vec<String> = (0..calls).map(|call| self.call(call)).collect();
        let text = format!("{}: {}", self.steps, "a line of a large result\n".repeat(300));
        ids.iter().for_each(|id| self.result(id, &json!(text)));
        ids
    }

    /// The model begins the next answer.
    pub(crate) fn begin_step(&mut self) {
        self.steps += 1;
    }

    /// A call of the newest answer. Returns its id.
    pub(crate) fn call(&mut self, call: usize) -> String {
        let step = self.steps;
        let id = format!("t{step}_{call}");
        let input = json!({"command": format!("grep -n name_{step} src/parser_{step}.rs")});
        self.answer(&json!([{"type": "tool_use", "id": id, "name": "Bash", "input": input}]));
        id
    }

    /// The result of a call is there.
    pub(crate) fn result(&mut self, id: &str, content: &Value) {
        self.results(&json!([{"type": "tool_result", "tool_use_id": id, "content": content}]));
    }

    /// The model ends the turn.
    pub(crate) fn end(&mut self, text: &str) {
        self.steps += 1;
        self.answer(&json!([{"type": "text", "text": text}]));
    }

    fn answer(&mut self, content: &Value) {
        let id = format!("m{}", self.steps);
        let message =
            json!({"id": id, "role": "assistant", "model": "claude-sonnet-4-5", "content": content});
        self.say("assistant", &message, &json!({}));
    }

    fn results(&mut self, content: &Value) {
        self.say("user", &json!({"role": "user", "content": content}), &json!({}));
    }

    /// Claude Code has compacted with the answer of our module.
    pub(crate) fn compacted(&mut self, first: &str, answer: &Value) {
        let before = self.last.take();
        // The rows have been made before.
        let at = time(self.lines + 3 + answer["rows"].as_array().unwrap().len());
        self.line(json!({"type": "system", "subtype": "compact_boundary", "logicalParentUuid": before, "timestamp": at}));
        let copied = json!({"promptSource": "typed", "timestamp": time(1)});
        self.say("user", &json!({"role": "user", "content": first}), &copied);
        self.results(&json!(answer["summary"]));
        for row in answer["rows"].as_array().unwrap() {
            let mut content = Vec::new();
            if row["text"] != "" {
                content.push(json!({"type": "text", "text": row["text"]}));
            }
            for call in row["toolUses"].as_array().unwrap() {
                let (id, name, input) = (&call["tool_use_id"], &call["tool"], &call["input"]);
                content.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
            }
            for result in row["toolResults"].as_array().into_iter().flatten() {
                let (id, text) = (&result["tool_use_id"], &result["text"]);
                content.push(json!({"type": "tool_result", "tool_use_id": id, "content": text}));
            }
            let role = row["role"].as_str().unwrap().to_owned();
            let message = json!({"role": role, "model": "<synthetic>", "content": content});
            self.say(&role, &message, &json!({}));
        }
    }

    /// Claude Code has compacted by itself.
    pub(crate) fn compacted_by_agent(&mut self, summary: &str) {
        let before = self.last.take();
        self.line(json!({"type": "system", "subtype": "compact_boundary", "logicalParentUuid": before}));
        let message = json!({"role": "user", "content": summary});
        self.say("user", &message, &json!({"isCompactSummary": true}));
    }

    fn say(&mut self, kind: &str, message: &Value, more: &Value) {
        let mut line = json!({"type": kind, "message": message});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.line(line);
    }

    fn line(&mut self, mut line: Value) {
        self.lines += 1;
        let uuid = json!(format!("u{}", self.lines));
        line["sessionId"] = json!(ID);
        if line["timestamp"].is_null() {
            line["timestamp"] = json!(time(self.lines));
        }
        line["parentUuid"] = std::mem::replace(&mut self.last, uuid.clone());
        line["uuid"] = uuid;
        self.write(&format!("{line}\n"));
    }

    /// The user goes back to before the newest lines.
    pub(crate) fn rewind(&mut self, lines: usize) {
        self.last = json!(format!("u{}", self.lines - lines));
    }

    fn write(&self, text: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }
}

/// The time of a line.
fn time(line: usize) -> String {
    format!("2026-11-27T{:02}:{:02}:{:02}.000Z", line / 3600, line / 60 % 60, line % 60)
}
