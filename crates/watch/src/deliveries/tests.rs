//! Compactions in a transcript, and what followed them.

use std::fs;

use super::Delivery::{Delivered, Missing, Pending};
use super::{Delivery, deliveries};

const BOUNDARY: &str = r#"{"type":"system","subtype":"compact_boundary"}"#;
const CONTEXT: &str = r#"{"attachment":{"type":"hook_additional_context","content":["\n[Previous Session Context]\nCurrent task: x"]}}"#;
const OTHER: &str = r#"{"attachment":{"type":"hook_additional_context","content":["of another hook"]}}"#;
const ANSWER: &str = r#"{"type":"assistant","message":{}}"#;

fn found(lines: &[&str]) -> Vec<Delivery> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    fs::write(&file, lines.join("\n")).unwrap();
    deliveries(&file).unwrap()
}

#[test]
fn a_context_counts_when_it_is_there_before_the_next_answer() {
    assert_eq!(found(&[CONTEXT, BOUNDARY, CONTEXT, ANSWER, BOUNDARY, ANSWER, CONTEXT]), [Delivered, Missing]);
    assert_eq!(found(&[ANSWER, BOUNDARY, OTHER]), [Pending]);
    assert_eq!(found(&[BOUNDARY, OTHER, ANSWER]), [Missing]);
    assert_eq!(found(&[]), []);
}

#[test]
fn answers_of_subagents_and_broken_lines_do_not_count() {
    let subagent = r#"{"type":"assistant","isSidechain":true}"#;
    assert_eq!(found(&[BOUNDARY, subagent, "{\"cut", "\0", CONTEXT, "{\"type\":\"assis"]), [Delivered]);
}

#[test]
fn a_user_who_writes_the_words_is_no_proof() {
    let user = r#"{"type":"user","message":{"content":"[Previous Session Context]"}}"#;
    assert_eq!(found(&[BOUNDARY, user, ANSWER]), [Missing]);
}
