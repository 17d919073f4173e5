//! Compactions in a transcript, and what followed them.

use std::fs;

use super::Delivery::{Delivered, Empty, Missing, Pending};
use super::{Delivery, ForeignCompaction, compactions};
use crate::agent::ForeignAgent;

const BOUNDARY: &str = r#"{"type":"system","subtype":"compact_boundary"}"#;
const CONTEXT: &str = r#"{"attachment":{"type":"hook_additional_context","content":["\n[Previous Session Context]\nCurrent task: x"]}}"#;
const OTHER: &str = r#"{"attachment":{"type":"hook_additional_context","content":["of another hook"]}}"#;
const ANSWER: &str = r#"{"type":"assistant","message":{}}"#;

fn all(agent: ForeignAgent, lines: &[&str]) -> Vec<ForeignCompaction> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    fs::write(&file, lines.join("\n")).unwrap();
    compactions(agent, &file).unwrap()
}

fn found(lines: &[&str]) -> Vec<Delivery> {
    all(ForeignAgent::Claude, lines).into_iter().map(|one| one.delivery).collect()
}

#[test]
fn the_summary_and_the_context_are_read() {
    let summary = r#"{"type":"user","isCompactSummary":true,"message":{"content":[{"type":"text","text":"It was fixed."}]}}"#;
    let one = all(ForeignAgent::Claude, &[BOUNDARY, summary, CONTEXT, ANSWER]).remove(0);
    assert_eq!((one.summary.as_str(), one.context.contains("Current task: x")), ("It was fixed.", true));
}

#[test]
fn a_rollout_of_codex_has_the_context_as_a_message_of_a_developer() {
    let compacted = r#"{"type":"compacted","payload":{"message":"It was fixed."}}"#;
    let item = |role: &str, text: &str| {
        format!(
            r#"{{"type":"response_item","payload":{{"type":"message","role":"{role}","content":[{{"type":"input_text","text":"{text}"}}]}}}}"#
        )
    };
    let (context, other) =
        (item("developer", "[Previous Session Context]\\nx"), item("developer", "<skills>"));
    let (user, answer) = (item("user", "[Previous Session Context]"), item("assistant", "Done."));
    let call = r#"{"type":"response_item","payload":{"type":"function_call","name":"x"}}"#;
    let lines =
        [&answer, compacted, &other, &context, &answer, compacted, &user, call, &context, compacted, &user];
    let found = all(ForeignAgent::Codex, &lines);
    let deliveries: Vec<Delivery> = found.iter().map(|one| one.delivery).collect();
    assert_eq!(deliveries, [Delivered, Missing, Pending]);
    assert_eq!(
        (found[0].summary.as_str(), found[0].context.as_str()),
        ("It was fixed.", "[Previous Session Context]\nx")
    );
    assert_eq!(found[1].context, "");
}

#[test]
fn a_context_counts_when_it_is_there_before_the_next_answer() {
    assert_eq!(found(&[CONTEXT, BOUNDARY, CONTEXT, ANSWER, BOUNDARY, ANSWER, CONTEXT]), [Delivered, Missing]);
    assert_eq!(found(&[ANSWER, BOUNDARY, OTHER]), [Pending]);
    assert_eq!(found(&[ANSWER, BOUNDARY, OTHER, ANSWER]), [Missing]);
    assert_eq!(found(&[]), []);
}

#[test]
fn a_session_without_an_answer_has_nothing_to_restore() {
    assert_eq!(found(&[BOUNDARY, ANSWER, BOUNDARY, ANSWER]), [Empty, Missing]);
    assert_eq!(found(&[BOUNDARY, CONTEXT]), [Delivered]);
}

#[test]
fn answers_of_subagents_and_broken_lines_do_not_count() {
    let subagent = r#"{"type":"assistant","isSidechain":true}"#;
    assert_eq!(found(&[BOUNDARY, subagent, "{\"cut", "\0", CONTEXT, "{\"type\":\"assis"]), [Delivered]);
}

#[test]
fn a_user_who_writes_the_words_is_no_proof() {
    let user = r#"{"type":"user","message":{"content":"[Previous Session Context]"}}"#;
    assert_eq!(found(&[ANSWER, BOUNDARY, user, ANSWER]), [Missing]);
}

// S1-12
#[test]
fn what_agents_have_written_proves_that_both_contexts_of_a_session_arrived() {
    for (agent, transcript) in [
        (ForeignAgent::Claude, include_str!("../../recordings/claude_compactions.jsonl")),
        (ForeignAgent::Codex, include_str!("../../recordings/codex_compactions.jsonl")),
    ] {
        let lines: Vec<&str> = transcript.lines().collect();
        let found = all(agent, &lines);
        // One between turns and one within a turn.
        assert_eq!(found.len(), 2, "{agent}");
        for one in found {
            assert_eq!(one.delivery, Delivered, "{agent}");
            assert!(one.summary.contains("They count lines."), "{agent}: {}", one.summary);
            assert!(one.context.contains("word for word:\nCount "), "{agent}: {}", one.context);
        }
        let without: Vec<&str> =
            lines.into_iter().filter(|line| !line.contains("[Previous Session")).collect();
        assert!(all(agent, &without).iter().all(|one| one.delivery == Missing), "{agent}");
    }
}
