//! A session of Claude Code as it lies in its file: three turns, a failed command, an edit, two compactions of which the second lost a
//! name that was needed later, and a subagent with a file of its own.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// What the user said first.
pub(crate) const FIRST: &str = "Find out why the ledger is wrong.";

/// The id of the session.
pub(crate) const ID: &str = "0b0e5a7e-0000-4000-8000-000000000001";

/// Writes the session into a folder, about this working folder. Gives its file.
pub(crate) fn write_transcript(folder: &Path, work: &Path, said: &str) -> PathBuf {
    fs::create_dir_all(folder.join(ID).join("subagents")).unwrap();
    let mut lines = Lines {
        cwd: work.display().to_string(),
        last: None,
        number: 0,
        second: 0,
        text: String::new(),
        agent: None,
    };
    lines.user(said);
    lines.answer(
        9_000,
        0,
        &[
            json!({ "type": "thinking", "thinking": "The rounding may be it.", "signature": "s" }),
            json!({ "type": "text", "text": "I read `ledger.py` first." }),
            call("c1", "Read", &json!({ "file_path": "ledger.py" })),
        ],
    );
    lines.result(
        "c1",
        &format!(
            "def round_cents(total):\n    return int(total)\n{}",
            "# a long line of the ledger\n".repeat(200)
        ),
        false,
    );
    lines.answer(12_000, 9_000, &[call("c2", "Bash", &json!({ "command": "python3 -m unittest" }))]);
    lines.result("c2", "FAILED (errors=1)", true);
    lines.answer(13_000, 12_000, &[json!({ "type": "text", "text": "It rounds down." })]);
    lines.compact("Summary one: the ledger rounds down.");
    lines.user("Use round instead.");
    lines.answer(5_000, 0, &[call("c3", "Edit", &json!({ "file_path": "ledger.py", "old_string": "    return int(total)", "new_string": "    return round(total)" }))]);
    // Longer than the prompt cache lives.
    lines.second += 3_600;
    lines.result("c3", "The file ledger.py has been updated.", false);
    lines.answer(7_000, 0, &[call("c4", "Grep", &json!({ "pattern": "round" }))]);
    lines.result("c4", "src/summary_of_statements.py: round_half_even_for_statements", false);
    lines.answer(8_000, 7_000, &[json!({ "type": "text", "text": "It is used in one more place." })]);
    lines.compact("Summary two: round is used, and another file has something.");
    lines.user("Change the other place, too.");
    lines.answer(
        4_000,
        0,
        &[call(
            "c5",
            "Bash",
            &json!({ "command": "grep -n round_half_even_for_statements src/summary_of_statements.py" }),
        )],
    );
    lines.result("c5", "12: round_half_even_for_statements", false);
    lines.answer(4_500, 4_000, &[json!({ "type": "text", "text": "Done." })]);
    let file = folder.join(format!("{ID}.jsonl"));
    fs::write(&file, &lines.text).unwrap();
    let mut sub = Lines {
        agent: Some("a1".to_owned()),
        last: None,
        number: 0,
        second: 0,
        text: String::new(),
        ..lines
    };
    sub.user("Look through the tests.");
    sub.answer(3_000, 0, &[json!({ "type": "text", "text": "There are two." })]);
    fs::write(folder.join(ID).join("subagents/agent-a1.jsonl"), &sub.text).unwrap();
    file
}

/// Adds a turn to the file of a session.
pub(crate) fn continue_transcript(file: &Path, said: &str) {
    let mut lines = Lines {
        cwd: "/work".to_owned(),
        last: None,
        number: 500,
        second: 9_000,
        text: String::new(),
        agent: None,
    };
    let text = fs::read_to_string(file).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    lines.last = last["uuid"].as_str().map(str::to_owned);
    lines.user(said);
    lines.answer(5_000, 4_500, &[json!({ "type": "text", "text": "And that is done as well." })]);
    fs::write(file, text + &lines.text).unwrap();
}

fn call(id: &str, name: &str, input: &Value) -> Value {
    json!({ "type": "tool_use", "id": id, "name": name, "input": input })
}

struct Lines {
    cwd: String,
    last: Option<String>,
    number: usize,
    second: usize,
    text: String,
    /// The subagent whose lines they are.
    agent: Option<String>,
}

impl Lines {
    fn line(&mut self, mut value: Value) {
        self.number += 1;
        self.second += 4;
        let (hour, minute, second) = (self.second / 3_600, self.second / 60 % 60, self.second % 60);
        let own = format!("{}l{}", self.agent.as_deref().unwrap_or_default(), self.number);
        let fields = json!({
            "isSidechain": self.agent.is_some(), "sessionId": ID, "cwd": self.cwd, "uuid": own,
            "timestamp": format!("2026-03-02T{hour:02}:{minute:02}:{second:02}.000Z"),
        });
        let object = value.as_object_mut().unwrap();
        object.extend(fields.as_object().unwrap().clone());
        object.entry("parentUuid").or_insert(json!(self.last));
        if let Some(agent) = &self.agent {
            object.insert("agentId".to_owned(), json!(agent));
        }
        self.text.push_str(&format!("{value}\n"));
        self.last = Some(own);
    }

    fn user(&mut self, text: &str) {
        self.line(json!({ "type": "user", "message": { "role": "user", "content": text } }));
    }

    fn answer(&mut self, prompt: u64, read: u64, content: &[Value]) {
        let usage = json!({ "input_tokens": 4, "cache_creation_input_tokens": prompt - read, "cache_read_input_tokens": read, "output_tokens": 80 });
        let id = format!("msg_{}", self.number);
        self.line(json!({ "type": "assistant", "message": {
            "model": "claude-sonnet-4-5", "id": id, "role": "assistant", "content": content, "usage": usage,
        } }));
    }

    fn result(&mut self, call: &str, text: &str, is_error: bool) {
        let content =
            json!([{ "type": "tool_result", "tool_use_id": call, "content": text, "is_error": is_error }]);
        self.line(json!({ "type": "user", "message": { "role": "user", "content": content } }));
    }

    fn compact(&mut self, summary: &str) {
        let before = self.last.clone();
        self.line(json!({ "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "parentUuid": null, "logicalParentUuid": before }));
        let text = format!("This session is being continued from a previous conversation.\n{summary}");
        self.line(json!({ "type": "user", "isCompactSummary": true, "message": { "role": "user", "content": text } }));
    }
}
