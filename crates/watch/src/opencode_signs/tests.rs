//! Compactions of OpenCode.

use serde_json::{Value, json};

use super::opencode_compactions;
use crate::compactions::Delivery::{self, Delivered, Empty, Late, Missing, Pending};

/// What OpenCode 1.18.33 has exported of a session with a compaction, and what the plugin has reported.
const RECORDED: &str = include_str!("../../recordings/opencode_session.json");

fn message(id: &str, kind: &str) -> Value {
    let mut info = json!({"id": id, "role": "assistant", "time": {"created": 1, "completed": 2}});
    match kind {
        "user" => info["role"] = json!("user"),
        "summary" => info["summary"] = json!(true),
        "running" => info["time"] = json!({"created": 1}),
        "aborted" => info["error"] = json!({"name": "MessageAbortedError"}),
        _ => {}
    }
    json!({"info": info, "parts": [{"type": "text", "text": kind}]})
}

/// The deliveries of a session of such messages, whose ids are their numbers.
#[track_caller]
fn check(kinds: &str, sent: &[&str], wanted: &[Delivery]) {
    let messages: Vec<Value> =
        kinds.split(' ').zip(1..).map(|(kind, number)| message(&number.to_string(), kind)).collect();
    let sent: Vec<String> = sent.iter().map(|id| (*id).to_owned()).collect();
    let found = opencode_compactions(&json!({"messages": messages}), &sent);
    let deliveries: Vec<Delivery> = found.iter().map(|one| one.delivery).collect();
    assert_eq!(deliveries, wanted, "{kinds}");
}

#[test]
fn a_context_is_delivered_when_the_first_answer_after_a_compaction_had_it_in_its_request() {
    check("user answer summary user answer", &["5"], &[Delivered]);
    check("user answer summary user answer", &[], &[Missing]);
    check("user answer summary user answer user answer", &["7"], &[Late]);
    check("user answer summary user answer summary user answer", &["5"], &[Delivered, Missing]);
    check("user answer summary user answer summary user answer", &["8"], &[Missing, Delivered]);
    check("user summary", &[], &[Empty]);
    check("user answer", &["2"], &[]);
}

#[test]
fn a_request_that_was_not_answered_proves_nothing() {
    check("user answer summary user running", &["5"], &[Pending]);
    check("user answer summary user aborted", &["5"], &[Pending]);
    check("user answer summary user aborted answer", &["5", "6"], &[Delivered]);
    check("user answer summary user aborted answer", &["5"], &[Missing]);
}

#[test]
fn an_export_of_another_form_has_no_compactions() {
    for other in [json!(null), json!({"messages": 1}), json!({"messages": [{}, 1, {"info": 1}]})] {
        assert_eq!(opencode_compactions(&other, &[]), []);
    }
}

// S1-12
#[test]
fn the_context_of_a_recorded_session_is_delivered_as_its_plugin_reported() {
    let recorded: Value = serde_json::from_str(RECORDED).unwrap();
    let sent: Vec<String> = serde_json::from_value(recorded["sent"].clone()).unwrap();
    let found = opencode_compactions(&recorded["exported"], &sent);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].delivery, found[0].summary.as_str()), (Delivered, "They count lines."));
    assert_eq!(opencode_compactions(&recorded["exported"], &[])[0].delivery, Missing);
}
