//! Records survive being written and read.

use expect_test::expect;
use proptest::prelude::*;
use serde_json::{Value, json};
use throughline_conversation::{
    CacheBreakpoint, CacheTtl, Certificate, CertifiedText, CompactionReceipt, Components, Decision,
    Degradation, EditReason, ExchangeId, FigureSource, KeyOutcome, KeyRecord, Message, MessageRecord, Millis,
    ModelUse, OffloadReceipt, Origin, Place, PriceTerms, PriceVerdict, Receipt, Record, RecordBody,
    RegretReceipt, Seq, Source, StandingKind, StandingPlace, ToolDefinition, ToolOrigin, ToolsRecord, Usage,
    WindowFigures,
};

use crate::log::{any_messages, edit_record, events, log, reference};

#[expect(clippy::expect_used, reason = "a helper of tests")]
fn round_trip(record: &Record) {
    let json = serde_json::to_string(record).expect("text");
    assert_eq!(&serde_json::from_str::<Record>(&json).expect("a record"), record);
}

fn record(body: RecordBody) -> Record {
    Record { seq: Seq(3), at: Millis(-5), exchange: ExchangeId(2), body }
}

pub(crate) fn receipt() -> Receipt {
    let used = Components { system: 1, skills: 2, tools: 3, conversation: 4 };
    let stored = reference("x");
    Receipt {
        turn: 1,
        request: 2,
        upto: Seq(2),
        epoch: 1,
        model: "m".to_owned(),
        window: WindowFigures { total: 100, reserved_output: 10, used, source: FigureSource::Anchored },
        pressure: "compact".to_owned(),
        decisions: vec![Decision { step: "a".to_owned(), what: "b".to_owned(), why: "c".to_owned() }],
        compaction: Some(CompactionReceipt {
            reason: EditReason::Early,
            before_tokens: 90,
            after_tokens: 40,
            before_messages: 9,
            after_messages: 4,
            strategies: vec!["clear".to_owned()],
            rewritten_tokens: 30,
            pays_back_after: Some(3),
            trimmed: 0,
            pins: 0,
            lost: vec!["src/a.rs".to_owned()],
            lost_count: 3,
            blocked_ms: 0,
            authors: Vec::new(),
            asked: vec![ModelUse {
                origin: Origin::new("p", "m"),
                requests: 2,
                usage: Usage { input: 7, ..Usage::default() },
                unreported: 1,
            }],
        }),
        certificate: Some(Certificate {
            required: 2,
            texts: vec![
                CertifiedText {
                    kind: StandingKind::Rule,
                    text: "never".to_owned(),
                    place: Some(StandingPlace::Message(Seq(2))),
                },
                CertifiedText { kind: StandingKind::Task, text: "fix".to_owned(), place: None },
            ],
            missing: vec!["fix".to_owned()],
        }),
        price: Some(PriceTerms {
            verdict: PriceVerdict::Compacts,
            follows: "a commit".to_owned(),
            idle_ms: Some(720_000),
            cold: true,
            request: 56_000,
            left: 16_000,
            cost: -50_000.5,
            regret: 2_400.0,
            unchanged_files: 0,
            summary: 0.0,
            by_model: false,
            saving: 4_000.0,
            paid: 52_000.0,
            residue: 5_000.0,
        }),
        regret: vec![RegretReceipt { edit: Seq(1), lines: vec!["a line".to_owned()], ..Default::default() }],
        offloaded: vec![OffloadReceipt { stored, tool: "read".to_owned(), bytes: 9_000, shown: 300 }],
        tools_active: 5,
        tools_deferred: 6,
        breakpoints: vec![CacheBreakpoint { place: Place::Section(0), ttl: CacheTtl::OneHour }],
        tail: vec!["a note".to_owned()],
        system_tail: false,
        predicted: Usage { input: 1, ..Usage::default() },
        cache: None,
        reported: Some(Usage { output: 1, ..Usage::default() }),
        diagnosis: None,
        window_prompt: None,
        short_report: false,
        searches: Vec::new(),
        cited: Vec::new(),
        stop: "end_turn".to_owned(),
        degraded: vec![Degradation {
            subsystem: "s".to_owned(),
            fallback: "f".to_owned(),
            cause: "c".to_owned(),
        }],
    }
}

#[test]
fn receipts_and_tools_survive() {
    round_trip(&record(RecordBody::Receipt(Box::new(receipt()))));
    let bare = Receipt {
        compaction: None,
        certificate: None,
        price: None,
        regret: vec![],
        offloaded: vec![],
        tail: vec![],
        reported: None,
        window_prompt: None,
        short_report: false,
        searches: Vec::new(),
        cited: Vec::new(),
        degraded: vec![],
        ..receipt()
    };
    round_trip(&record(RecordBody::Receipt(Box::new(bare))));
    let summaries = CompactionReceipt { asked: vec![], ..receipt().compaction.expect("one") };
    let value = serde_json::to_value(&summaries).expect("a value");
    assert!(value.get("asked").is_none(), "older logs lack it");
    round_trip(&record(RecordBody::Receipt(Box::new(Receipt { compaction: Some(summaries), ..receipt() }))));
    let tool = ToolDefinition {
        name: "read".to_owned(),
        description: "Reads.".to_owned(),
        input_schema: json!({"type": "object", "properties": {"z": {}, "a": {}}}),
        origin: ToolOrigin::Mcp,
    };
    round_trip(&record(RecordBody::Tools(ToolsRecord { tools: vec![tool], why: "found".to_owned() })));
}

#[test]
fn a_record_has_the_form_that_logs_on_disk_have() {
    let said = MessageRecord { message: Message::user("hello"), source: Source::User, usage: None };
    expect![[r#"{"seq":3,"at":-5,"exchange":2,"body":{"kind":"message","message":{"role":"user","content":[{"type":"text","text":"hello"}]},"source":"user"}}"#]].assert_eq(&serde_json::to_string(&record(RecordBody::Message(said))).expect("text"));
    let stub = throughline_conversation::Action::ReplaceResult {
        call_id: "c1".to_owned(),
        text: "[stored]".to_owned(),
        stored: throughline_conversation::ResultRef::from_text("r-0"),
    };
    expect![[r#"{"seq":4,"at":0,"exchange":1,"body":{"kind":"edit","reason":"manual","actions":[{"do":"replace_result","call_id":"c1","text":"[stored]","stored":"r-0"}],"strategies":["test"]}}"#]].assert_eq(&serde_json::to_string(&edit_record(4, vec![stub])).expect("text"));
}

#[test]
fn the_kind_of_a_record_is_the_tag_that_it_is_stored_under() {
    let mut used = ModelUse::of(Origin::new("p", "m"));
    used.add(Usage { input: u64::MAX, ..Usage::default() });
    used.add(Usage { input: 1, output: 2, ..Usage::default() });
    assert_eq!((used.requests, used.usage.input, used.usage.output), (2, u64::MAX, 2));
    assert!(ModelUse::of(Origin::new("p", "m")).is_nothing() && !used.is_nothing());
    round_trip(&record(RecordBody::Spent(used.clone())));
    // Records of earlier versions do not have the field.
    let written = serde_json::to_string(&used).expect("text");
    assert!(!written.contains("unreported"), "{written}");
    used.add_unreported();
    assert_eq!((used.requests, used.unreported), (2, 1));
    round_trip(&record(RecordBody::Spent(used.clone())));
    let bodies = [
        RecordBody::Receipt(Box::new(receipt())),
        RecordBody::Spent(used),
        edit_record(1, vec![]).body,
        RecordBody::Message(MessageRecord {
            message: Message::user("x"),
            source: Source::Engine,
            usage: None,
        }),
    ];
    for body in bodies {
        let json = serde_json::to_value(&body).expect("a value");
        assert_eq!(json.get("kind").and_then(Value::as_str), Some(body.kind()));
    }
}

proptest! {
    #[test]
    fn a_log_survives(events in events()) {
        for record in log(&events) {
            round_trip(&record);
        }
    }

    #[test]
    fn any_message_survives(messages in any_messages()) {
        for message in messages {
            let source = Source::Model("m".to_owned());
            round_trip(&record(RecordBody::Message(MessageRecord { message, source, usage: None })));
        }
    }

    // The order of keys is part of the bytes that a provider caches.
    #[test]
    fn arguments_keep_the_order_of_their_keys(keys in prop::collection::vec("[a-z]{1,6}", 0..8)) {
        let input: Value = keys.iter().map(|key| (key.clone(), json!(1))).collect::<serde_json::Map<_, _>>().into();
        let text = input.to_string();
        prop_assert_eq!(serde_json::from_str::<Value>(&text).expect("a value").to_string(), text);
    }
}

#[test]
fn keys_survive_and_their_outcomes_are_named() {
    let outcomes = [
        KeyOutcome::Accepted,
        KeyOutcome::Calls { calls: vec!["c1".to_owned()] },
        KeyOutcome::Request,
        KeyOutcome::Finished { stop: "end_turn".to_owned() },
    ];
    let mut written = Vec::new();
    for outcome in outcomes {
        let keyed = KeyRecord {
            key: "step 7".to_owned(),
            operation: "answer".to_owned(),
            input: Some(u64::MAX),
            message: Some(Seq(2)),
            outcome,
            since: Seq(1),
        };
        let record = record(RecordBody::Keyed(keyed));
        round_trip(&record);
        assert!(!record.body.shapes_view());
        assert_eq!(record.body.kind(), RecordBody::KEYED);
        written.push(serde_json::to_value(&record.body).unwrap()["outcome"].clone());
    }
    expect![[r#"[{"then":"accepted"},{"then":"calls","calls":["c1"]},{"then":"request"},{"then":"finished","stop":"end_turn"}]"#]]
        .assert_eq(&Value::Array(written).to_string());
}
