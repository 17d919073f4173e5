//! `throughline watch` and Gemini CLI: what its session file proves, and when the hook that its user has added brings a context.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::Place;
use crate::ran::{assert_says, run};

/// What Gemini CLI 0.61 has written of a session that it compacted by threshold: between a message and its answer.
const BY_THRESHOLD: &str = include_str!("../../../watch/recordings/gemini_threshold.jsonl");

/// The file of a session in the folder of the agent.
fn file(place: &Place) -> PathBuf {
    let folder = place.folder.path().join(".gemini/tmp/work/chats");
    fs::create_dir_all(&folder).unwrap();
    folder.join("session-2026-11-25T15-25-5cc5ec39.jsonl")
}

/// Writes the file of a session, and gives what the hook answers before a message is sent.
fn before_message(place: &Place, lines: &[String]) -> String {
    let file = file(place);
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let payload =
        json!({"session_id": "s", "transcript_path": file, "hook_event_name": "BeforeAgent", "prompt": "x"});
    let mut command = place.bare(&["watch", "--hook", "gemini"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

// S1-02 S1-12
#[test]
fn the_status_says_that_a_context_came_after_the_first_answer() {
    let place = Place::new();
    let begin: Value = serde_json::from_str(BY_THRESHOLD.lines().next().unwrap()).unwrap();
    let name = format!("gemini:{}", begin["sessionId"].as_str().unwrap());
    let status = |written: &str| {
        fs::write(file(&place), written).unwrap();
        run(&mut place.bare(&["watch", "--status", &name]))
    };
    let late = "compactions 1\n  1  context delivered with a later message of the user\n";
    assert_says(&status(BY_THRESHOLD).done(), &[late]);
    let context = BY_THRESHOLD.find("{\"text\":\"[Previous Session Context]").unwrap();
    let before = &BY_THRESHOLD[..=BY_THRESHOLD[..context].rfind('\n').unwrap()];
    let ran = status(before);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.out, &["compactions 1\n  1  context not delivered\n"]);
    let answer = before.rfind("\"content\":\"Counted again.\"").unwrap();
    let unanswered = &before[..=before[..answer].rfind('\n').unwrap()];
    assert_says(&status(unanswered).done(), &["compactions 1\n  1  no answer yet\n"]);
}

// S1-12 S1-13
#[test]
fn the_hook_brings_the_context_with_the_first_message_after_a_resume_where_a_turn_was_cut_off() {
    let begin = json!({"sessionId": "5cc5ec39-b6b7-4b12-acc6-39cb49ed6da7", "projectHash": "h"}).to_string();
    let message = |id: &str, kind: &str, text: &str| {
        json!({"id": id, "type": kind, "content": [{"text": text}]}).to_string()
    };
    let mut lines = vec![begin.clone(), message("1", "user", "Fix the parser.")];
    lines.push(message("2", "gemini", "It expects a comma."));
    // Within a minute the file of the session begins again; later only its id is written again.
    let continues = json!({"$set": {"sessionId": "5cc5ec39-b6b7-4b12-acc6-39cb49ed6da7"}}).to_string();
    for resumed in [vec![begin, continues.clone()], vec![continues]] {
        let place = Place::new();
        assert_eq!(before_message(&place, &lines), "", "nothing is lost");
        let whole = [lines.clone(), resumed.clone()].concat();
        assert_eq!(before_message(&place, &whole), "", "the agent sends all of it itself");
        let cut_off = vec![message("5", "user", "Test the parser.")];
        let mut resumed = [lines.clone(), cut_off, resumed].concat();
        let answer: Value = serde_json::from_str(&before_message(&place, &resumed)).unwrap();
        let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert_says(
            context,
            &["[Previous Session Context]\n", "word for word:\nTest the parser.\nIt is open"],
        );
        let given = format!("<hook_context>{context}</hook_context>");
        let sent = json!({"id": "3", "type": "user", "content": [{"text": "Continue."}, {"text": given}]});
        resumed.extend([sent.to_string(), message("4", "gemini", "Gone.")]);
        assert_eq!(before_message(&place, &resumed), "", "it has its context");
    }
}
