//! When checkpoints are due, and how they look written out.

use serde_json::{Value, json};
use throughline_conversation::{
    CheckpointReason, CheckpointRecord, DocumentName, DocumentRecord, ExchangeId, Millis, Record, RecordBody,
    Seq, Source,
};
use throughline_testkit::WordCounter;

use super::{CheckpointJson, CheckpointPolicy, checkpoint_json};

// S0-41
#[test]
fn when_one_is_due() {
    use CheckpointReason::{Compaction, Exit, Interval};
    let every = CheckpointPolicy::default();
    assert_eq!(every.interval, 5);
    let due: Vec<u64> = (1..=11)
        .scan(0, |last, iteration| {
            let due = every.due(iteration, *last, false, false);
            if due == Some(Interval) {
                *last = iteration;
            }
            Some((iteration, due))
        })
        .filter_map(|(iteration, due)| due.map(|_| iteration))
        .collect();
    assert_eq!(due, [5, 10]);
    assert_eq!(every.due(13, 5, false, false), Some(Interval), "also when it was missed");
    // S0-08
    assert_eq!(every.due(6, 5, true, false), Some(Compaction));
    assert_eq!(every.due(5, 5, true, true), Some(Compaction));
    assert_eq!(every.due(6, 5, false, true), Some(Exit));
    assert_eq!(every.due(5, 5, false, true), None, "nothing has happened since");
    assert_eq!(every.due(0, 0, false, true), None, "nor ever");
    assert_eq!(every.due(3, 5, false, false), None, "a count that fell back is no reason");
    let never = CheckpointPolicy { interval: 0 };
    assert_eq!(never.due(100, 0, false, false), None);
    assert_eq!(never.due(100, 0, false, true), Some(Exit));
}

fn record() -> CheckpointRecord {
    CheckpointRecord {
        reason: CheckpointReason::Failure,
        iteration: 7,
        input_tokens: 1_000,
        output_tokens: 200,
        hat: "builder".to_owned(),
        messages: Seq(3),
        scratchpad: Seq(4),
        state: Seq(0),
        last_error: Some("overloaded".to_owned()),
        failed_at: Some(Millis(951_782_400_000)),
        recovery_hint: Some("wait".to_owned()),
        handoff: Some(json!({"task_title": "t"})),
        task: Some(json!({"not": "in the form"})),
    }
}

// S0-30 S0-12
#[test]
fn the_whole_checkpoint() {
    let mut view = throughline_testkit::view(
        "user: hi\nassistant: sure\n  -> c1 read {\"path\":\"a\"}\nresults:\n  c1 = text",
    );
    let document =
        DocumentRecord { name: DocumentName::Scratchpad, text: "## Plan".to_owned(), by: Source::User };
    let (seq, body) = (view.last().next(), RecordBody::Document(document));
    view.apply(&Record { seq, at: Millis(0), exchange: ExchangeId(1), body }, &WordCounter).unwrap();

    let whole = checkpoint_json(&record(), &view, view.documents());
    let json = serde_json::to_value(&whole).unwrap();
    let expected = json!({
        "iteration": 7,
        "input_tokens": 1000,
        "output_tokens": 200,
        "hat": "builder",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "hi"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "sure"},
                {"type": "tool_call", "id": "c1", "name": "read", "input": {"path": "a"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "call_id": "c1", "content": "text", "is_error": false},
            ]},
        ],
        "last_error": "overloaded",
        "failed_at": "2000-02-29T00:00:00.000Z",
        "recovery_hint": "wait",
        "scratchpad": "## Plan",
        "handoff": {"task_title": "t"},
    });
    assert_eq!(json, expected);
    assert_eq!(serde_json::from_value::<CheckpointJson>(json).unwrap(), whole);
}

// S0-30
#[test]
fn all_keys_are_always_there() {
    let bare = CheckpointRecord {
        hat: String::new(),
        last_error: None,
        failed_at: None,
        recovery_hint: None,
        handoff: None,
        ..record()
    };
    let view = throughline_testkit::view("");
    let json = serde_json::to_value(checkpoint_json(&bare, &view, view.documents())).unwrap();
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "iteration",
        "input_tokens",
        "output_tokens",
        "hat",
        "messages",
        "last_error",
        "failed_at",
        "recovery_hint",
        "scratchpad",
        "handoff",
    ];
    assert_eq!(keys, expected);
    assert_eq!(json["last_error"], Value::Null);
    assert_eq!(json["scratchpad"], "");
}
