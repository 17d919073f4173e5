//! The bodies that would go to providers, over random lives of a session: turns, compactions, switches of the provider,
//! resumes, cancels, overflows, groups that are undone, hidden and restored.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

#[path = "bodies/stage.rs"]
mod stage;
#[path = "bodies/wires.rs"]
mod wires;

use proptest::prelude::*;
use throughline_agent::{DerivedPorts, NullSink};
use throughline_completion::{ModelError, Reply};
use throughline_continuity::InMemorySessionDirectory;
use throughline_conversation::{ExchangeId, ForeignTools, Message};
use throughline_groups::Change;
use throughline_memory::InMemoryMemory;
use throughline_tools::CancelFlag;

use stage::{PROVIDERS, Stage, is_want_of_room, step};
use wires::WIRES;

#[derive(Debug, Clone)]
enum Act {
    /// A user's message of this many words; the model makes these steps of parallel calls, thinking or not.
    Turn(usize, Vec<(Vec<usize>, bool)>),
    Compact,
    Switch(usize, bool),
    Resume,
    Cancelled,
    Overflow,
    BreaksOff,
    /// What is shown of the session changes, where that can be.
    Change(Change),
    /// A turn is deleted permanently, where that can be.
    Delete(ExchangeId),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let sizes = prop::collection::vec(prop_oneof![0..60_usize, 100..400_usize], 1..4);
    let steps = prop::collection::vec((sizes, any::<bool>()), 0..6);
    let act = prop_oneof![
        8 => (1..30_usize, steps).prop_map(|(words, steps)| Act::Turn(words, steps)),
        2 => Just(Act::Compact),
        4 => (0..PROVIDERS.len(), any::<bool>()).prop_map(|(to, strict)| Act::Switch(to, strict)),
        2 => Just(Act::Resume),
        1 => Just(Act::Cancelled),
        1 => Just(Act::Overflow),
        1 => Just(Act::BreaksOff),
        5 => change().prop_map(Act::Change),
        1 => group().prop_map(Act::Delete),
    ];
    prop::collection::vec(act, 1..14)
}

fn group() -> impl Strategy<Value = ExchangeId> {
    (1..8_u64).prop_map(ExchangeId)
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => Just(Change::Undo),
        3 => Just(Change::Redo),
        2 => group().prop_map(Change::Drop),
        2 => group().prop_map(Change::Restore),
        2 => Just(Change::UndoCompaction),
        2 => Just(Change::RedoCompaction),
        1 => prop::option::of(1..4_u32).prop_map(Change::Window),
    ]
}

async fn live(stage: &Stage, acts: &[Act]) {
    let (mut provider, mut foreign, mut calls) = (0, ForeignTools::Digest, 0);
    let mut agent = stage.open(provider, foreign).await;
    for (index, act) in acts.iter().enumerate() {
        let cancel = CancelFlag::new();
        match act {
            Act::Turn(words, steps) => {
                for (sizes, thinks) in steps {
                    stage.script().extend([step(calls, sizes, *thinks)]);
                    calls += sizes.len();
                }
                stage.script().extend([Reply::text("done")]);
                let text = format!("request {index} {}", "please ".repeat(*words));
                agent.turn(Message::user(text), &NullSink, &cancel).await.unwrap();
            }
            Act::Compact => drop(agent.compact(&NullSink).await),
            Act::Change(change) => drop(agent.change(*change, &NullSink).await),
            Act::Delete(group) => {
                let (notes, sessions) = (InMemoryMemory::default(), InMemorySessionDirectory::default());
                let derived = DerivedPorts { notes: &notes, sessions: &sessions };
                drop(agent.delete_turn(*group, &derived, &NullSink).await);
            }
            Act::Switch(to, strict) => {
                provider = *to;
                foreign = if *strict { ForeignTools::Isolate } else { ForeignTools::Digest };
                agent
                    .switch_model(stage.next(provider, foreign), &NullSink, &CancelFlag::new())
                    .await
                    .unwrap();
            }
            Act::Resume => {
                agent.close(&NullSink).await;
                agent = stage.open(provider, foreign).await;
            }
            Act::Cancelled => {
                cancel.cancel();
                agent.turn(Message::user("cancelled"), &NullSink, &cancel).await.unwrap();
            }
            Act::Overflow => {
                stage.script().extend([Reply::text("after all")]);
                let error = ModelError::Overflow { message: "long".to_owned(), limit: None, tokens: None };
                stage.script().interject(Reply::Fail(error));
                if let Err(error) = agent.turn(Message::user("overflows"), &NullSink, &cancel).await {
                    assert!(is_want_of_room(&error), "{error:?}");
                    agent.turn(Message::user("keep going"), &NullSink, &cancel).await.unwrap();
                }
            }
            Act::BreaksOff => {
                let half = vec![throughline_conversation::ContentBlock::Text { text: "Half".to_owned() }];
                stage.script().interject(Reply::BreakOff(half));
                agent.turn(Message::user("breaks off"), &NullSink, &cancel).await.unwrap_err();
            }
        }
    }
}

fn run(acts: &[Act], window: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stage = Stage::new(window);
    runtime.block_on(live(&stage, acts));
    let sent = stage.sent();
    for (provider, request) in &sent {
        for wire in &WIRES {
            let body = (wire.encode)(request);
            // I-1
            let faults = (wire.judge)(&body);
            assert!(faults.is_empty(), "{} to provider {provider}: {faults:?}\n{body:#}", wire.name);
            assert_eq!(body.to_string(), (wire.encode)(&request.clone()).to_string(), "{}", wire.name);
        }
    }
    for request in stage.summaries() {
        for wire in &WIRES {
            let faults = (wire.judge)(&(wire.encode)(&request));
            assert!(faults.is_empty(), "{}, a summary: {faults:?}", wire.name);
        }
    }
    // I-6
    for ((before, earlier), (after, later)) in sent.iter().zip(sent.iter().skip(1)) {
        let unchanged = before == after
            && later.transcript.common_prefix(&earlier.transcript) == earlier.transcript.len();
        if !unchanged {
            continue;
        }
        for wire in &WIRES {
            wire.extends(earlier, later).unwrap();
        }
    }
}

// I-6
#[test]
fn a_summary_is_asked_for_behind_the_request_before_it() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (provider, name) in PROVIDERS.iter().enumerate() {
        let stage = Stage::new(30_000);
        runtime.block_on(async {
            let mut agent = stage.open(provider, ForeignTools::Digest).await;
            stage.script().extend([step(0, &[20, 30], true)]);
            for _ in 0..8 {
                stage.script().extend([Reply::text("word ".repeat(1_500))]);
                agent.turn(Message::user("keep going"), &NullSink, &CancelFlag::new()).await.unwrap();
            }
            agent.compact(&NullSink).await.unwrap();
        });
        let (_, before) = stage.sent().pop().unwrap();
        let [summary] = stage.summaries().try_into().unwrap();
        for wire in &WIRES {
            wire.extends(&before, &summary).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        assert!(
            summary.transcript.len() > before.transcript.len(),
            "{name}: the model's last answer is there too"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    // S3-31 S4-03 S4-27
    #[test]
    fn every_body_is_valid_and_extends_the_one_before_in_a_small_window(acts in acts()) {
        run(&acts, 6_000);
    }

    #[test]
    fn every_body_is_valid_and_extends_the_one_before_in_a_large_window(acts in acts()) {
        run(&acts, 30_000);
    }
}
