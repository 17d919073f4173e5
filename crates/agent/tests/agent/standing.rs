//! Each request after a compaction has the rules of the user, whatever changes the view.

use throughline_agent::{Agent, DerivedPorts, NullSink};
use throughline_completion::{CompletionRequest, Reply};
use throughline_continuity::{InMemorySessionDirectory, Snapshot, SnapshotStore};
use throughline_conversation::ExchangeId;
use throughline_groups::Change;
use throughline_memory::InMemoryMemory;
use throughline_testkit::render;
use throughline_tools::CancelFlag;

use crate::harness::{World, session, turn};

const RULES: u64 = 24;

/// More words of rules than a summary quotes.
fn rule(number: u64) -> String {
    format!("RULE-{number}. You must never use port {number}. {}", "It is in use. ".repeat(18).trim_end())
}

/// An agent whose user has said all rules, and then asked for a compaction.
async fn compacted() -> (World, Agent) {
    let mut world = World::new(
        16_000,
        (0..40).map(|number| Reply::text(format!("Yes{}", format!(" w{number}").repeat(200)))),
    );
    world.settings.compaction.user_words_tokens = 1_200;
    let mut agent = world.agent().await;
    for number in 1..=RULES {
        turn(&mut agent, &rule(number)).await.0.unwrap();
    }
    turn(&mut agent, "Go.").await.0.unwrap();
    agent.compact(&NullSink).await.unwrap();
    (world, agent)
}

/// The rules that the next request has.
async fn rules_after(world: &World, agent: &mut Agent) -> Vec<u64> {
    turn(agent, "Continue.").await.0.unwrap();
    let request = world.model.requests().pop().unwrap();
    let text = text_of(&request);
    (1..=RULES).filter(|number| text.contains(&rule(*number))).collect()
}

/// All that a request says.
fn text_of(request: &CompletionRequest) -> String {
    format!("{}\n{}", render(request.transcript.messages()), request.tail.join("\n"))
}

fn all() -> Vec<u64> {
    (1..=RULES).collect()
}

/// Checks that the next request has all rules but this one, also after a resume. Gives the agent that has resumed.
async fn lacks_only(number: u64, world: &World, mut agent: Agent) -> Agent {
    let without: Vec<u64> = all().into_iter().filter(|other| *other != number).collect();
    assert_eq!(rules_after(world, &mut agent).await, without);
    drop(agent);
    let mut agent = world.agent().await;
    assert_eq!(rules_after(world, &mut agent).await, without, "resumed");
    agent
}

#[tokio::test]
async fn a_resume_an_undo_and_another_model_leave_them() {
    let (world, mut agent) = compacted().await;
    assert_eq!(rules_after(&world, &mut agent).await, all());
    let request = world.model.requests().pop().unwrap();
    assert!(request.tail.iter().any(|note| note.contains("RULE-")), "a summary alone has all: no test");
    drop(agent);

    let mut agent = world.agent().await;
    assert_eq!(rules_after(&world, &mut agent).await, all(), "resumed");
    agent.change(Change::Undo, &NullSink).await.unwrap();
    assert_eq!(rules_after(&world, &mut agent).await, all(), "undone");
    agent.change(Change::Undo, &NullSink).await.unwrap();
    agent.change(Change::Redo, &NullSink).await.unwrap();
    assert_eq!(rules_after(&world, &mut agent).await, all(), "redone");
    let next = world.next("anthropic", "a", 12_000);
    agent.switch_model(next, &NullSink, &CancelFlag::new()).await.unwrap();
    assert_eq!(rules_after(&world, &mut agent).await, all(), "switched");
    agent.compact(&NullSink).await.unwrap();
    drop(agent);
    let mut agent = world.agent().await;
    assert_eq!(rules_after(&world, &mut agent).await, all(), "compacted again and resumed");
}

#[tokio::test]
async fn the_window_of_shown_turns_leaves_them() {
    let (world, mut agent) = compacted().await;
    agent.change(Change::Window(Some(6)), &NullSink).await.unwrap();
    assert_eq!(rules_after(&world, &mut agent).await, all());
    let hidden = turn(&mut agent, "You must only read.").await.0.unwrap().text;
    for _ in 0..8 {
        turn(&mut agent, "Continue.").await.0.unwrap();
    }
    let shown = text_of(&world.model.requests().pop().unwrap());
    assert_eq!(shown.matches("> You must only read.").count(), 1, "the turn is hidden");
    assert!(!shown.contains(&hidden));
    agent.compact(&NullSink).await.unwrap();
    drop(agent);
    let mut agent = world.agent().await;
    assert_eq!(rules_after(&world, &mut agent).await, all());
    agent.change(Change::Window(None), &NullSink).await.unwrap();
    assert_eq!(rules_after(&world, &mut agent).await, all());
    let shown = text_of(&world.model.requests().pop().unwrap());
    assert!(shown.contains(&hidden), "the summary that was made under the window lacks it");
}

#[tokio::test]
async fn a_dropped_turn_takes_its_rule_along_until_it_is_restored() {
    let (world, mut agent) = compacted().await;
    agent.change(Change::Drop(ExchangeId(3)), &NullSink).await.unwrap();
    agent.compact(&NullSink).await.unwrap();
    let mut agent = lacks_only(3, &world, agent).await;
    agent.change(Change::Restore(ExchangeId(3)), &NullSink).await.unwrap();
    assert_eq!(rules_after(&world, &mut agent).await, all());
}

#[tokio::test]
async fn a_deleted_turn_takes_its_rule_along_permanently() {
    let (world, mut agent) = compacted().await;
    let (notes, sessions) = (InMemoryMemory::default(), InMemorySessionDirectory::default());
    let derived = DerivedPorts { notes: &notes, sessions: &sessions };
    agent.delete_turn(ExchangeId(20), &derived, &NullSink).await.unwrap();
    // Where the deletion has left a summary of the rest, this one gains nothing.
    agent.compact(&NullSink).await.ok();
    drop(lacks_only(20, &world, agent).await);
    assert!(!text_of(&world.model.requests().pop().unwrap()).contains("RULE-20"));
    let snapshot = world.snapshots.load(&session()).await.unwrap().unwrap();
    assert!(!serde_json::to_string(&snapshot).unwrap().contains("RULE-20"));
}

#[tokio::test]
async fn a_snapshot_of_an_earlier_version_is_read_with_the_log() {
    let (world, mut agent) = compacted().await;
    assert_eq!(rules_after(&world, &mut agent).await, all());
    drop(agent);
    let stored = world.snapshots.load(&session()).await.unwrap().unwrap();
    world.snapshots.save(&Snapshot { said: None, ..stored }).await.unwrap();
    let mut agent = world.agent().await;
    assert_eq!(agent.rebuilt(), None);
    assert_eq!(rules_after(&world, &mut agent).await, all());
}
