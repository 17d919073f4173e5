//! Laws over random sessions: turns, compactions, crashes, failing ports, resumes.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;
use throughline_agent::{
    Agent, CompactionProposal, ComponentTokens, ContextReport, Event, NextModel, PinShown, reconstruct,
};
use throughline_completion::{ModelError, Reply};
use throughline_continuity::{MessageLog, Part, SnapshotStore};
use throughline_conversation::{
    ContentBlock, EntryKind, Message, RecordBody, ResultRef, Seq, ToolCall, validate,
};
use throughline_resultstore::ResultRepository;
use throughline_testkit::{WordCounter, render};
use throughline_tools::CancelFlag;

use crate::harness::{Events, World, session};

#[derive(Debug, Clone)]
enum Act {
    /// A user's message of this many words; the model makes these steps (sizes of parallel results) before it ends.
    Turn(usize, Vec<Vec<usize>>),
    Compact,
    Resume,
    CancelledTurn,
    StoppedTurn,
    ModelFails,
    Overflow,
    StoreFails,
    LogFails,
    Heal,
    LoseSnapshot,
    Switch(usize),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let step = prop::collection::vec(prop_oneof![0..100_usize, 150..500_usize, Just(900)], 1..4);
    let turn =
        (1..30_usize, prop::collection::vec(step, 0..7)).prop_map(|(words, steps)| Act::Turn(words, steps));
    let act = prop_oneof![
        8 => turn,
        2 => Just(Act::Compact),
        2 => Just(Act::Resume),
        1 => Just(Act::CancelledTurn),
        2 => Just(Act::StoppedTurn),
        1 => Just(Act::ModelFails),
        1 => Just(Act::Overflow),
        1 => Just(Act::StoreFails),
        1 => Just(Act::LogFails),
        2 => Just(Act::Heal),
        1 => Just(Act::LoseSnapshot),
        2 => (0..READERS.len()).prop_map(Act::Switch),
    ];
    prop::collection::vec(act, 1..14)
}

/// Models that a session is switched between: provider, name, and by what the window is divided.
const READERS: &[(&str, &str, u64)] =
    &[("scripted", "scripted", 1), ("anthropic", "a", 1), ("openai", "o", 1), ("ollama", "small", 2)];

/// What the session has been through.
#[derive(Debug, Default)]
struct Story {
    /// Who reads now.
    reader: usize,
    calls: usize,
    said: Vec<String>,
    log_fails: bool,
    store_failed: bool,
}

async fn live(world: &World, acts: &[Act]) -> Story {
    let mut story = Story::default();
    let mut agent = world.agent().await;
    for (index, act) in acts.iter().enumerate() {
        let events = Events::default();
        match act {
            Act::Turn(words, steps) => {
                let text = format!("request {index} {}", "please ".repeat(*words));
                script(world, &mut story, steps);
                let cancel = CancelFlag::new();
                agent.turn(Message::user(text.trim()), &events, &cancel).await.unwrap();
                story.said.push(text.trim().to_owned());
            }
            Act::CancelledTurn => {
                let cancel = CancelFlag::new();
                cancel.cancel();
                let text = format!("request {index} cancelled");
                agent.turn(Message::user(text.clone()), &events, &cancel).await.unwrap();
                story.said.push(text);
            }
            Act::StoppedTurn => {
                world.model.interject(Reply::text("half of it"));
                let (cancel, text) = (CancelFlag::new(), format!("request {index} stopped"));
                let sink = |event: Event| {
                    if matches!(event, Event::Text(_)) {
                        cancel.cancel();
                    }
                };
                agent.turn(Message::user(text.clone()), &sink, &cancel).await.unwrap();
                story.said.push(text);
            }
            Act::ModelFails => {
                world.model.interject(Reply::Fail(ModelError::Unauthorized { message: "no".to_owned() }));
                let text = format!("request {index} fails");
                agent.turn(Message::user(text.clone()), &events, &CancelFlag::new()).await.unwrap_err();
                story.said.push(text);
            }
            Act::Overflow => {
                world.model.extend([Reply::text("after all")]);
                world.model.interject(Reply::Fail(ModelError::Overflow {
                    message: "long".to_owned(),
                    limit: None,
                    tokens: None,
                }));
                let text = format!("request {index} overflows");
                // With little to cut, the error is the provider's own.
                if agent.turn(Message::user(text.clone()), &events, &CancelFlag::new()).await.is_err() {
                    agent.turn(Message::user("continue"), &events, &CancelFlag::new()).await.unwrap();
                    story.said.push(text);
                    story.said.push("continue".to_owned());
                } else {
                    story.said.push(text);
                }
            }
            Act::Compact => {
                let before = (render(agent.view().transcript().messages()), agent.view().epoch());
                if !compact_as_shown(&mut agent, &events).await {
                    // I-3
                    assert_eq!((render(agent.view().transcript().messages()), agent.view().epoch()), before);
                }
            }
            Act::Switch(to) => {
                story.reader = *to;
                agent.switch_model(next(world, *to), &events, &CancelFlag::new()).await.unwrap();
                assert_eq!(agent.model().name, READERS.get(*to).unwrap().1);
            }
            Act::Resume if !story.log_fails => {
                let before = agent.view().clone();
                agent.close(&events).await;
                let next = next(world, story.reader);
                let builder = world.builder_for(next.model, next.settings);
                agent = builder.open(session()).await.unwrap();
                // I-5
                assert_eq!(
                    render(agent.view().transcript().messages()),
                    render(before.transcript().messages())
                );
                assert_eq!(agent.view().tokens(), before.tokens());
                assert_eq!((agent.view().native(), agent.view().epoch()), (before.native(), before.epoch()));
            }
            Act::Resume => {}
            Act::StoreFails => {
                world.results.failures().fail_with("store is down");
                story.store_failed = true;
            }
            Act::LogFails => {
                world.log.failures().fail_with("log is down");
                story.log_fails = true;
            }
            Act::Heal => {
                world.results.failures().recover();
                world.log.failures().recover();
                if story.log_fails {
                    // What waits is written with the next turn.
                    script(world, &mut story, &[]);
                    agent.turn(Message::user("healed"), &events, &CancelFlag::new()).await.unwrap();
                    story.said.push("healed".to_owned());
                    story.log_fails = false;
                }
            }
            Act::LoseSnapshot => world.snapshots.remove(&session()).await.unwrap(),
        }
        parts_fit(&agent.context(1_000).await);
    }
    story
}

/// Compacts, and returns true if that changed something. The look at the context, the preview and the result have the same figures,
/// and the next look finds what they have said.
async fn compact_as_shown(agent: &mut Agent, events: &Events) -> bool {
    let before = agent.context(1_000).await;
    let proposal = agent.propose_compaction(None, events, &CancelFlag::new()).await.ok();
    let next = before.next.as_ref().map(|next| &next.result);
    assert_eq!(proposal.as_ref().map(CompactionProposal::result), next);
    let Ok(made) = agent.compact(events).await else { return false };
    assert_eq!(Some(&made), next);
    assert_eq!(made.before_tokens, before.window.used.conversation);
    assert!(made.rewritten_tokens <= made.after_tokens);
    let after = agent.context(1_000).await;
    assert_eq!(after.window.used.conversation, made.after_tokens);
    let mut receipts = events.all().into_iter().filter_map(|event| match event {
        Event::Compacted(receipt) => Some(receipt),
        _ => None,
    });
    let receipt = receipts.next_back().unwrap();
    assert_eq!(receipt.before_tokens, before.window.used.total());
    assert_eq!(receipt.after_tokens, after.window.used.total());
    true
}

/// The parts of a report are no more than the whole.
fn parts_fit(report: &ContextReport) {
    let used = report.window.used;
    let sum = |of: &dyn Fn(&ComponentTokens) -> bool| -> u64 {
        report.holders.iter().filter(|held| of(held)).map(|held| held.tokens).sum()
    };
    assert!(sum(&|held| held.seq.is_some()) <= used.conversation, "{report:#?}");
    assert!(sum(&|_| true) <= used.total(), "{report:#?}");
    let live = report.pins.pins.iter().filter(|pin| pin.shown != PinShown::Hidden);
    assert_eq!(report.pins.tokens, live.map(|pin| pin.tokens).sum::<u64>());
    assert!(report.pins.tokens <= report.pins.limit.max(1), "{:?}", report.pins);
}

fn next(world: &World, reader: usize) -> NextModel {
    let (provider, name, part) = *READERS.get(reader).unwrap();
    world.next(provider, name, world.settings.window.unwrap() / part)
}

fn script(world: &World, story: &mut Story, steps: &[Vec<usize>]) {
    for sizes in steps {
        let call = |words: &usize| {
            story.calls += 1;
            let input = json!({ "words": words });
            ContentBlock::ToolCall(ToolCall {
                id: format!("c{}", story.calls),
                name: "echo".to_owned(),
                input,
            })
        };
        world.model.extend([Reply::Say(sizes.iter().map(call).collect())]);
    }
    world.model.extend([Reply::text("done")]);
}

/// Every reference that a request shows resolves, unless the store was down when it was made.
async fn references_resolve(world: &World) {
    let mut names = BTreeSet::new();
    for request in world.model.requests() {
        let shown = render(request.transcript.messages());
        names.extend(
            shown.split("ref_id=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())),
        );
    }
    for name in names.iter().filter(|name| name.starts_with("r-")) {
        let found = world.results.get(&session(), &ResultRef::from_text(name)).await.unwrap();
        assert!(found.is_some(), "{name} was shown and cannot be read back");
    }
}

fn run(acts: &[Act], window: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let world = World::new(window, []);
        let story = live(&world, acts).await;
        let reserve = window / 10;
        for request in world.model.requests() {
            // I-1
            assert_eq!(validate(request.transcript.messages()), []);
            assert_eq!(request.shell_faults(), []);
            // I-10
            let used: u64 = request.transcript.entries().iter().map(|entry| entry.tokens).sum();
            let part = READERS.iter().find(|reader| reader.1 == request.model).unwrap().2;
            assert!(used <= window / part - reserve / part, "{used} of {window} / {part}");
            // I-7
            let user = request.transcript.entries().iter().rev().find(|entry| entry.kind == EntryKind::User);
            let text = user.unwrap().message.text();
            assert!(text.starts_with("request ") || text == "healed" || text == "continue", "{text}");
        }
        prefixes_hold(&world);
        if !story.store_failed {
            // I-2
            references_resolve(&world).await;
        }
        if !story.log_fails {
            nothing_is_lost(&world, &story).await;
            requests_can_be_made_again(&world).await;
        }
    });
}

/// I-6: a request extends the one before, until a recorded reason says otherwise.
fn prefixes_hold(world: &World) {
    let requests = world.model.requests();
    for pair in requests.windows(2) {
        let [before, after] = pair else { continue };
        if before.model != after.model {
            continue;
        }
        let common = before.transcript.common_prefix(&after.transcript);
        let rewritten = common < before.transcript.len();
        let edited = after.transcript.entries().len() < before.transcript.len()
            || after.transcript.entries().iter().any(|entry| {
                entry.kind == EntryKind::Summary
                    || entry.message.tool_results().any(|result| result.content.contains("cleared"))
                    || entry.message.tool_calls().any(|call| call.input.to_string().contains("r-"))
                    || entry.message.tool_results().any(|result| result.content.contains("ref_id"))
            });
        assert!(!rewritten || edited, "the prefix changed without a compaction");
        assert_eq!(before.system, after.system);
        assert_eq!(before.tools, after.tools);
    }
}

/// Idea 4: each request can be made again from the log, byte for byte.
async fn requests_can_be_made_again(world: &World) {
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    for record in &records {
        let RecordBody::Receipt(receipt) = &record.body else { continue };
        let again = reconstruct(&session(), &records, receipt.request, &WordCounter).unwrap();
        assert_eq!(again.model, receipt.model);
        assert!(world.model.requests().contains(&again), "request {} was never sent", receipt.request);
    }
}

/// Every word of the user and every call is in the log.
async fn nothing_is_lost(world: &World, story: &Story) {
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let mut said = Vec::new();
    for record in &records {
        if let RecordBody::Message(message) = &record.body
            && message.source == throughline_conversation::Source::User
        {
            said.push(message.message.text());
        }
    }
    assert_eq!(said, story.said);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_hold_in_a_small_window(acts in acts()) {
        run(&acts, 6_000);
    }

    #[test]
    fn laws_hold_in_a_large_window(acts in acts()) {
        run(&acts, 30_000);
    }
}
