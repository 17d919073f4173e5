//! Compactions of Gemini CLI.

use std::fs;

use super::{ContextNeed, gemini_need};
use crate::agent::ForeignAgent;
use crate::compactions::Delivery::{self, Delivered, Late, Missing, Pending};
use crate::compactions::{compactions, compactions_after};

const BEGIN: &str = r#"{"sessionId":"s","projectHash":"h"}"#;
const ASKED: &str = r#"{"id":"u1","type":"user","content":[{"text":"Fix it."}]}"#;
const ANSWER: &str = r#"{"id":"g1","type":"gemini","content":"Done."}"#;
const AGAIN: &str = r#"{"id":"g1","type":"gemini","content":"Done.","tokens":{"input":1}}"#;
const NEXT: &str = r#"{"id":"g2","type":"gemini","content":"Next."}"#;
const COMPACTED: &str = r#"{"$set":{"messages":[{"id":"s1","type":"user","content":[{"text":"They count lines."}]},{"id":"a1","type":"gemini","content":[{"text":"Got it. Thanks for the additional context!"}]}]}}"#;
const BY_HOOK: &str = r#"{"id":"u2","type":"user","content":[{"text":"Continue."},{"text":"<hook_context>\n[Previous Session Context]\nCurrent task: x</hook_context>"}]}"#;
const QUOTED: &str =
    r#"{"id":"u2","type":"user","content":[{"text":"What is [Previous Session Context]?"}]}"#;

struct Read {
    deliveries: Vec<Delivery>,
    summaries: Vec<String>,
    need: Option<ContextNeed>,
}

fn read(lines: &[&str]) -> Read {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    fs::write(&file, lines.join("\n")).unwrap();
    let found = compactions(ForeignAgent::Gemini, &file).unwrap();
    Read {
        deliveries: found.iter().map(|one| one.delivery).collect(),
        summaries: found.into_iter().map(|one| one.summary).collect(),
        need: gemini_need(&file).unwrap(),
    }
}

#[test]
fn a_context_in_the_next_message_of_the_user_is_delivered() {
    let compacted = [BEGIN, ASKED, ANSWER, AGAIN, COMPACTED, AGAIN];
    let found = read(&compacted);
    assert_eq!((found.deliveries, found.summaries), (vec![Pending], vec!["They count lines.".to_owned()]));
    assert_eq!(found.need, Some(ContextNeed::Compacted));
    let check = |more: &[&str], delivery: Delivery, need: Option<ContextNeed>| {
        let found = read(&[&compacted[..], more].concat());
        assert_eq!((found.deliveries, found.need), (vec![delivery], need), "{more:?}");
    };
    check(&[BY_HOOK, NEXT], Delivered, None);
    // In the middle of a turn the agent answers first.
    check(&[NEXT], Missing, Some(ContextNeed::Compacted));
    check(&[NEXT, BY_HOOK], Late, None);
    check(&[QUOTED, NEXT], Missing, Some(ContextNeed::Compacted));
}

#[test]
fn a_resume_repeats_the_summary_and_is_no_compaction() {
    let resumed = [BEGIN, ASKED, ANSWER, COMPACTED, BY_HOOK, NEXT, BEGIN, COMPACTED];
    let found = read(&resumed);
    assert_eq!((found.deliveries, found.need), (vec![Delivered], Some(ContextNeed::Resumed)));
    let third = NEXT.replace("g2", "g3");
    assert_eq!(read(&[&resumed[..], &[third.as_str()]].concat()).need, None);
    assert_eq!(read(&[BEGIN, ASKED]).need, None);
}

// S1-12
#[test]
fn a_resume_in_another_minute_begins_no_file_and_needs_a_context_all_the_same() {
    const CONTINUES: &str = r#"{"$set":{"sessionId":"s"}}"#;
    let resumed = [BEGIN, ASKED, ANSWER, CONTINUES];
    assert_eq!(read(&resumed).need, Some(ContextNeed::Resumed));
    assert_eq!(read(&[&resumed[..], &[NEXT]].concat()).need, None, "it has answered since");
    // A compaction says the same before it.
    let compacted = [&resumed[..], &[COMPACTED]].concat();
    assert_eq!(read(&compacted).need, Some(ContextNeed::Compacted));
    assert_eq!(read(&[&compacted[..], &[BY_HOOK, NEXT]].concat()).need, None);
    // A resume after it repeats the summary.
    let again = [&compacted[..], &[BY_HOOK, NEXT, CONTINUES, COMPACTED]].concat();
    assert_eq!(read(&again).need, Some(ContextNeed::Resumed));
}

#[test]
fn what_was_compacted_before_a_run_is_not_of_this_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jsonl");
    let before = [BEGIN, ASKED, ANSWER, COMPACTED, ""].join("\n");
    let second = COMPACTED.replace("\"a1\"", "\"a2\"");
    fs::write(&file, format!("{before}{BEGIN}\n{COMPACTED}\n{second}\n")).unwrap();
    let after = compactions_after(ForeignAgent::Gemini, &file, before.len() as u64).unwrap();
    assert_eq!(after.len(), 1);
    assert_eq!(compactions(ForeignAgent::Gemini, &file).unwrap().len(), 2);
}
