//! A transcript that grows as one of Claude Code does.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Value, json};

/// The session.
pub(crate) const ID: &str = "5f1e1f54-aaaa-4a60-a551-14b836a1ad82";

const REQUEST: &str =
    "Rename the settings of all modules, and run the tests after each. Rule: never touch vendor/.";

/// Lines of a result.
const LINES: usize = 90;

/// Lines so far.
pub(crate) struct Transcript {
    path: PathBuf,
    file: File,
    last: Value,
    lines: usize,
    steps: usize,
}

impl Transcript {
    pub(crate) fn begin(path: &Path) -> anyhow::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let mut transcript = Self { path: path.to_owned(), file, last: Value::Null, lines: 0, steps: 0 };
        transcript.say("user", &json!({"role": "user", "content": REQUEST}))?;
        Ok(transcript)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn bytes(&self) -> anyhow::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// The model calls a tool and has its result. Returns the id of the call.
    pub(crate) fn step(&mut self) -> anyhow::Result<String> {
        self.steps += 1;
        let (step, id) = (self.steps, format!("toolu_{}", self.steps));
        let file = format!("crates/module_{}/src/settings_{step}.rs", step % 40);
        let (name, input) = match step % 3 {
            0 => (
                "Edit",
                json!({"file_path": file, "old_string": format!("old_{step}"), "new_string": format!("new_{step}")}),
            ),
            1 => ("Read", json!({"file_path": file})),
            _ => ("Bash", json!({"command": format!("cargo test -p module_{}", step % 40)})),
        };
        let text = (0..LINES).map(|line| {
            format!(
                "{line:>4}  let value_{step}_{line} = setting_{}.read(context, {line})?;\n",
                step * 7 % 500
            )
        });
        let text: String = text.collect();
        let said = json!([
            {"type": "text", "text": format!("Step {step}: the next one is {file}.")},
            {"type": "tool_use", "id": id, "name": name, "input": input},
        ]);
        let message = json!({"id": format!("msg_{step}"), "role": "assistant", "model": "claude-sonnet-4-5", "content": said});
        self.say("assistant", &message)?;
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": text}]);
        self.say("user", &json!({"role": "user", "content": result}))?;
        Ok(id)
    }

    /// The rows of an answer, as Claude Code writes them.
    pub(crate) fn compacted(&mut self, answer: &Value) -> anyhow::Result<()> {
        let before = self.last.take();
        self.line(json!({"type": "system", "subtype": "compact_boundary", "logicalParentUuid": before}))?;
        for text in [Some(REQUEST), answer.get("summary").and_then(Value::as_str)] {
            self.say("user", &json!({"role": "user", "content": text.context("no summary")?}))?;
        }
        for row in answer.get("rows").and_then(Value::as_array).context("no rows")? {
            let list = |key: &str| row.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
            let field = |value: &Value, key: &str| value.get(key).cloned().unwrap_or_default();
            let mut content = Vec::new();
            if let Some(text) = row.get("text").and_then(Value::as_str).filter(|text| !text.is_empty()) {
                content.push(json!({"type": "text", "text": text}));
            }
            for call in list("toolUses") {
                let (id, name, input) =
                    (field(&call, "tool_use_id"), field(&call, "tool"), field(&call, "input"));
                content.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
            }
            for result in list("toolResults") {
                let (id, text) = (field(&result, "tool_use_id"), field(&result, "text"));
                content.push(json!({"type": "tool_result", "tool_use_id": id, "content": text}));
            }
            let role = row.get("role").and_then(Value::as_str).context("a row has no role")?;
            self.say(role, &json!({"role": role, "model": "<synthetic>", "content": content}))?;
        }
        Ok(())
    }

    fn say(&mut self, kind: &str, message: &Value) -> anyhow::Result<()> {
        self.line(json!({"type": kind, "message": message}))
    }

    fn line(&mut self, mut line: Value) -> anyhow::Result<()> {
        self.lines += 1;
        let uuid = json!(format!("line-{}", self.lines));
        let parent = std::mem::replace(&mut self.last, uuid.clone());
        let fields = line.as_object_mut().context("a line is an object")?;
        for (key, value) in [("sessionId", json!(ID)), ("parentUuid", parent), ("uuid", uuid)] {
            fields.insert(key.to_owned(), value);
        }
        Ok(self.file.write_all(format!("{line}\n").as_bytes())?)
    }
}
