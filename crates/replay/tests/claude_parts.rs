//! Parts of a transcript of Claude Code that grows.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may fail the test")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_replay::{ClaudePlace, ClaudeReading, read_claude, read_claude_part};

/// A file that grows.
struct Growing {
    _folder: TempDir,
    path: PathBuf,
    lines: usize,
}

impl Growing {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("session.jsonl");
        let mut file = Self { _folder: folder, path, lines: 0 };
        file.user("Count.");
        file.answer("c1");
        file.result("c1", "one");
        file
    }

    fn write(&self, text: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// A line behind the newest one.
    fn line(&mut self, mut line: Value) {
        line["parentUuid"] = if self.lines == 0 { Value::Null } else { json!(format!("u{}", self.lines)) };
        self.lines += 1;
        line["uuid"] = json!(format!("u{}", self.lines));
        self.write(&format!("{line}\n"));
    }

    fn user(&mut self, text: &str) {
        self.line(json!({"type": "user", "message": {"role": "user", "content": text}}));
    }

    fn answer(&mut self, call: &str) {
        let content = json!([{"type": "tool_use", "id": call, "name": "Bash", "input": {}}]);
        let message = json!({"id": format!("m-{call}"), "role": "assistant", "content": content});
        self.line(json!({"type": "assistant", "message": message}));
    }

    fn result(&mut self, call: &str, text: &str) {
        let content = json!([{"type": "tool_result", "tool_use_id": call, "content": text}]);
        self.line(json!({"type": "user", "message": {"role": "user", "content": content}}));
    }

    fn place(&self) -> ClaudePlace {
        read_claude(&self.path).unwrap().place.unwrap()
    }

    fn part(&self, from: &ClaudePlace) -> Option<ClaudeReading> {
        read_claude_part(&self.path, from).unwrap()
    }
}

/// The texts of the user, and the results, of a reading.
fn said(read: &ClaudeReading) -> Vec<String> {
    let turns = read.session.turns.iter();
    let texts = turns.flat_map(|turn| {
        let results = turn.steps.iter().flat_map(|step| &step.results);
        std::iter::once(turn.user.text()).chain(results.map(|result| result.content.clone()))
    });
    texts.collect()
}

#[test]
fn a_part_continues_the_turn_that_was_read_and_the_next_part_continues_it() {
    let mut file = Growing::new();
    let place = file.place();
    file.answer("c2");
    file.result("c2", "two");
    let part = file.part(&place).unwrap();
    assert_eq!(said(&part), ["", "two"], "no text of the user came in");
    file.user("Now backwards.");
    file.answer("c3");
    file.result("c3", "three");
    let next = file.part(&part.place.unwrap()).unwrap();
    assert_eq!(said(&next), ["Now backwards.", "three"]);
    assert_eq!(said(&file.part(&place).unwrap()), ["", "two", "Now backwards.", "three"]);
    assert!(said(&file.part(&next.place.unwrap()).unwrap()).is_empty(), "nothing is new");
}

#[test]
fn a_line_that_is_still_written_gives_no_place() {
    let file = Growing::new();
    let place = file.place();
    file.write(r#"{"type":"user","parentUuid":"u3","#);
    assert!(read_claude(&file.path).unwrap().place.is_none());
    assert!(file.part(&place).is_none());
}

#[test]
fn a_request_that_waits_gives_no_place() {
    let file = Growing::new();
    file.write("{\"type\":\"queue-operation\",\"operation\":\"enqueue\",\"content\":\"And then sort.\"}\n");
    assert!(read_claude(&file.path).unwrap().place.is_none());
}

#[test]
fn a_result_of_an_earlier_call_is_no_part() {
    let mut file = Growing::new();
    file.answer("c2");
    let place = file.place();
    file.result("c2", "late");
    assert!(file.part(&place).is_none());
}

#[test]
fn a_line_behind_an_earlier_one_is_no_part() {
    let mut file = Growing::new();
    let place = file.place();
    file.lines = 0;
    file.user("From the start again.");
    assert!(file.part(&place).is_none());
}

#[test]
fn a_file_that_was_cut_or_changed_is_no_part() {
    let mut file = Growing::new();
    let place = file.place();
    file.answer("c2");
    file.result("c2", "two");
    let text = fs::read_to_string(&file.path).unwrap();
    fs::write(&file.path, text.replace("one", "two")).unwrap();
    assert!(file.part(&place).is_none(), "other bytes");
    fs::write(&file.path, &text).unwrap();
    assert!(file.part(&place).is_some());
    fs::write(&file.path, text.get(..20).unwrap()).unwrap();
    assert!(file.part(&place).is_none(), "truncated");
}

#[test]
fn rows_of_a_compaction_are_no_news_and_other_texts_in_it_need_the_whole_file() {
    let mut file = Growing::new();
    let mut place = file.place();
    place.note_rows(["Count."], ["c1"]);
    let boundary = json!({"type": "system", "subtype": "compact_boundary"});
    let context = "[Previous Session Context]\nCurrent task: Count.";
    file.line(boundary);
    file.user("Count.");
    file.user(context);
    file.result("c1", "one");
    file.answer("c2");
    file.result("c2", "two");
    let part = file.part(&place).unwrap();
    assert_eq!(said(&part), [context, "two"]);
    place.note_rows([], ["c1"]);
    assert!(file.part(&place).is_none(), "a text that nothing before it has");
}
