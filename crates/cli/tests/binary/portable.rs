//! A session in the format of another program: written, stored again, and written again.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Message, Record, RecordBody};

use crate::lived::{Lived, MODEL};
use crate::ran::assert_says;

/// Results that a tool failed with, pictures and thoughts, behind what the session has.
fn lived() -> Lived {
    let lived = Lived::new();
    let picture = json!({"type": "image", "media_type": "image/png", "data": "iVBORw0KGgo="});
    let thought = json!({"type": "thinking", "text": "Two calls.", "signature": "c2ln"});
    let call = |id: &str| json!({"type": "tool_call", "id": id, "name": "read_file", "input": {"path": id}});
    let result = |id: &str, failed: bool, images: Value| json!({"type": "tool_result", "call_id": id, "content": format!("of {id}"), "is_error": failed, "images": images});
    let said = |source: Value, role: &str, content: Value| {
        let mut record =
            json!({"kind": "message", "message": {"role": role, "content": content}, "source": source});
        if role == "assistant" {
            record["usage"] = json!({"input": 120, "output": 34, "cache_read": 5_600, "cache_write": 780});
        }
        serde_json::from_value(record).unwrap()
    };
    let (model, other) = (json!({"model": MODEL.1}), json!({"model": "other-model"}));
    let first = json!([{"type": "text", "text": "Look:"}, picture]);
    let calls = json!([thought, {"type": "text", "text": "I look."}, call("one"), call("two")]);
    let results = json!([result("one", true, json!([])), result("two", false, json!([picture]))]);
    for (source, role, content) in [
        (json!("user"), "user", first),
        (model.clone(), "assistant", calls),
        (json!("tools"), "user", results),
        (other, "assistant", json!([{"type": "text", "text": "A \u{1f9f5} of text.\r\nAnd a line."}])),
    ] {
        lived.append(4, said(source, role, content));
    }
    lived
}

/// A session in another data folder, from the file of an export.
struct Imported {
    file: PathBuf,
    data: PathBuf,
    session: String,
}

impl Imported {
    #[track_caller]
    fn new(lived: &Lived, form: &str) -> Self {
        let folder = lived.place.folder.path();
        let (file, data) = (folder.join(format!("session{form}")), folder.join(format!("data{form}")));
        let written = lived.run(&["export", &lived.id, form, "-o", file.to_str().unwrap()]);
        assert_eq!(written.code, Some(0), "{written:?}");
        let found = lived.run_in(&data, &["import", file.to_str().unwrap(), "--json"]).json();
        assert_eq!(found["title"], "What does MARK end with?", "{found}");
        Self { file, data, session: found["session"].as_str().unwrap().to_owned() }
    }

    /// The messages, and when they were said.
    fn messages(&self, lived: &Lived) -> Vec<(String, i64)> {
        said(&lived.run_in(&self.data, &["export", &self.session]).done())
    }
}

fn said(log: &str) -> Vec<(String, i64)> {
    let records = log.lines().map(|line| serde_json::from_str::<Record>(line).unwrap());
    let message = |record: Record| match record.body {
        RecordBody::Message(said) => Some((serde_json::to_string(&said.message).unwrap(), record.at.0)),
        _ => None,
    };
    records.filter_map(message).collect()
}

fn without_signatures(messages: Vec<(String, i64)>) -> Vec<(String, i64)> {
    let without = |(text, at): (String, i64)| {
        let mut message: Message = serde_json::from_str(&text).unwrap();
        for block in &mut message.content {
            if let ContentBlock::Thinking(thinking) = block {
                thinking.signature = None;
            }
        }
        (serde_json::to_string(&message).unwrap(), at)
    };
    messages.into_iter().map(without).collect()
}

/// A file without the id that the import gives its session.
fn without_id(path: &Path) -> String {
    fn remove(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("conversation_id");
                fields.values_mut().for_each(remove);
            }
            Value::Array(items) => items.iter_mut().for_each(remove),
            _ => {}
        }
    }
    let text = fs::read_to_string(path).unwrap();
    let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let values = values.map(|value| {
        let mut value = value.unwrap();
        remove(&mut value);
        value.to_string()
    });
    values.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_session_comes_back_from_each_format_with_the_same_bytes() {
    let lived = lived();
    let own = said(&lived.run(&["export", &lived.id]).done());
    for form in ["--claude", "--pydantic-ai"] {
        let imported = Imported::new(&lived, form);
        assert_eq!(imported.messages(&lived), own, "{form}");
        // Once more, and nothing is new.
        let file = imported.file.to_str().unwrap();
        let again = lived.run_in(&imported.data, &["import", file]).done();
        let option = format!("--data-dir {}", imported.data.display());
        assert_says(&again, &["It was here already", "To continue: throughline --resume", &option]);
        let second = imported.file.with_extension("second");
        let arguments = ["export", &imported.session, form, "-o", second.to_str().unwrap()];
        assert_eq!(lived.run_in(&imported.data, &arguments).code, Some(0));
        assert_eq!(without_id(&second), without_id(&imported.file), "{form}");
    }
    // What the other model has said is its own.
    let imported = Imported::new(&lived, "--claude");
    let log = lived.run_in(&imported.data, &["export", &imported.session]).done();
    let records = log.lines().map(|line| serde_json::from_str::<Record>(line).unwrap());
    let models: Vec<String> = records
        .filter_map(|record| match record.body {
            RecordBody::Model(model) => Some(model.origin.model.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(models, [MODEL.1, "other-model"]);
    // That format has no signatures.
    let imported = Imported::new(&lived, "--atif");
    assert_eq!(imported.messages(&lived), without_signatures(own));
}

#[test]
fn an_imported_session_is_continued_from_where_it_was() {
    let lived = lived();
    let bodies: Vec<Value> = ["--claude", "--pydantic-ai", "--atif"]
        .map(|form| {
            let imported = Imported::new(&lived, form);
            let server = crate::place::serve(
                throughline_testserver::Script::new().then(throughline_testserver::Answer::text("On.")),
            );
            let data = imported.data.to_str().unwrap();
            let arguments = ["--data-dir", data, "--resume", &imported.session, "-o", "json", "And now?"];
            let ran = crate::ran::run(&mut lived.place.asks(&server, MODEL, &arguments));
            assert_eq!(ran.code, Some(0), "{form}: {ran:?}");
            server.received().last().unwrap().body["messages"].clone()
        })
        .into();
    for body in bodies {
        assert_says(&body.to_string(), &["What does MARK end with?", "of one", "of two", "And now?"]);
    }
}

#[test]
fn a_turn_that_was_undone_is_not_written() {
    let lived = Lived::new();
    lived.run(&["undo", &lived.id]).done();
    for form in ["--claude", "--pydantic-ai"] {
        let out = lived.run(&["export", &lived.id, form]).done();
        assert!(out.contains("Say two.") && !out.contains("Say three."), "{form}: {out}");
    }
}

#[test]
fn where_the_lines_belong_is_said_and_only_one_form_is_taken() {
    let lived = Lived::new();
    let file = lived.place.folder.path().join("lines.jsonl");
    let ran = lived.run(&["export", &lived.id, "--claude", "-o", file.to_str().unwrap()]);
    let text = fs::read_to_string(&file).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let id = first["sessionId"].as_str().unwrap();
    let project: String = first["cwd"]
        .as_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    assert_says(
        &ran.err,
        &[&format!("~/.claude/projects/{project}/{id}.jsonl"), &format!("claude --resume {id}")],
    );
    let both = lived.run(&["export", &lived.id, "--claude", "--bundle"]).misused();
    assert_says(&both, &["--claude", "--bundle"]);
}

#[test]
fn a_file_that_no_program_here_wrote_is_refused_by_name() {
    let lived = Lived::new();
    let file = lived.place.folder.path().join("notes.json");
    for text in ["", "{\"seq\":1}\n", "[{\"kind\":\"request\"}]", "not json"] {
        fs::write(&file, text).unwrap();
        let ran = lived.run(&["import", file.to_str().unwrap()]);
        assert!(ran.code != Some(0) && ran.err.contains("notes.json"), "{text:?}: {ran:?}");
    }
}
