//! Handoffs and checkpoints of sessions without a task file.

use std::sync::Arc;

use throughline_agent::{Agent, Checkpoints, NullSink};
use throughline_completion::{ModelError, Reply};
use throughline_continuity::{CheckpointPolicy, MessageLog, Part};
use throughline_conversation::{CheckpointReason, CheckpointRecord, DocumentName, RecordBody, Seq};
use throughline_documents::DocumentCaps;
use throughline_policies::Dex;

use crate::harness::{World, echo, session, turn};

async fn open(world: &World, interval: u64) -> Agent {
    let checkpoints =
        Checkpoints { policy: CheckpointPolicy { interval }, title: String::new(), git: None, handoff: true };
    let builder = world.builder().documents(DocumentCaps::default()).checkpoints(checkpoints);
    builder.open(session()).await.unwrap()
}

async fn checkpoints(world: &World) -> Vec<CheckpointRecord> {
    let records = world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records;
    let checkpoints = records.into_iter().filter_map(|record| match record.body {
        RecordBody::Checkpoint(checkpoint) => Some(*checkpoint),
        _ => None,
    });
    checkpoints.collect()
}

// S0-31 S0-35
#[tokio::test]
async fn the_task_of_a_handoff_is_the_last_request_or_the_goal_of_state() {
    let long = "word ".repeat(300);
    let replies = [Reply::text(long), Reply::Say(vec![echo("a", 3)]), Reply::text("Fixed.")];
    let mut world = World::new(60_000, replies);
    world.settings.compaction.chain = Arc::new(Dex { keep_messages: 2, ..Dex::default() });
    let mut agent = open(&world, 0).await;
    turn(&mut agent, "Start with the lexer.").await.0.unwrap();
    assert_eq!(agent.handoff().await.task_title, "Start with the lexer.");
    turn(&mut agent, "Now fix calc.").await.0.unwrap();
    assert_eq!(agent.handoff().await.task_title, "Now fix calc.");
    agent.compact(&NullSink).await.unwrap();
    let made = agent.handoff().await;
    assert_eq!(made.task_title, "Now fix calc.", "also after a compaction");
    assert_eq!(made.continuation_prompt, "Continue working on: Now fix calc.");
    agent.set_document(DocumentName::State, "Goal: a calculator\nContext: calc.rs", &NullSink).await;
    assert_eq!(agent.handoff().await.task_title, "a calculator");
}

// S0-37 S0-41
#[tokio::test]
async fn a_run_that_changes_nothing_but_the_messages_leaves_no_checkpoint() {
    let mut replies: Vec<Reply> = ["One.", "Two.", "Three.", "SCRATCHPAD:a plan"].map(Reply::text).into();
    replies.push(Reply::Fail(ModelError::InvalidRequest { message: "no".to_owned() }));
    let world = World::new(60_000, replies);
    let mut tokens = Vec::new();
    for request in ["First?", "Second?", "Third?", "Note it."] {
        let mut agent = open(&world, 50).await;
        turn(&mut agent, request).await.0.unwrap();
        agent.close(&NullSink).await;
        tokens.push(checkpoints(&world).await.len());
    }
    assert_eq!(tokens, [1, 1, 1, 2], "the first, and the one with a new scratchpad");
    let last = checkpoints(&world).await.pop().unwrap();
    assert_eq!((last.reason, last.iteration), (CheckpointReason::Exit, 4));
    assert_eq!(last.output_tokens, 5, "all answers count, also those between");
    // A failure is recorded at once.
    let mut agent = open(&world, 50).await;
    turn(&mut agent, "Go.").await.0.unwrap_err();
    assert_eq!(checkpoints(&world).await.len(), 3);
}
