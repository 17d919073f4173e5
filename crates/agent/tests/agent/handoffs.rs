//! Handoffs and checkpoints of sessions without a task file.

use std::sync::Arc;

use serde_json::json;
use throughline_agent::{Agent, Checkpoints, NullSink, Phase};
use throughline_completion::{ModelError, Reply};
use throughline_continuity::{CheckpointPolicy, MessageLog, Part};
use throughline_conversation::{CheckpointReason, CheckpointRecord, DocumentName, RecordBody, Seq};
use throughline_documents::{DocumentCaps, GitStatus, MockGitProbe};
use throughline_policies::Dex;
use throughline_tools::CancelFlag;

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
    assert_eq!(
        made.continuation_prompt,
        "The last request was answered: Now fix calc.\nNext step: check the answer, then ask the user what comes next"
    );
    assert_eq!(made.last_answer.as_deref(), Some("Fixed."));
    agent.set_document(DocumentName::State, "Goal: a calculator\nContext: calc.rs", &NullSink).await;
    assert_eq!(agent.handoff().await.task_title, "a calculator");
}

// S0-32
#[tokio::test]
async fn a_checkpoint_looks_at_the_files_only_when_tools_have_run() {
    let status = |modified: &[&str]| GitStatus {
        branch: "main".to_owned(),
        head_commit: "0123".to_owned(),
        modified: modified.iter().map(|name| (*name).to_owned()).collect(),
        untracked: Vec::new(),
    };
    let mut git = MockGitProbe::new();
    git.expect_head().times(1).returning(move || Ok(status(&[])));
    git.expect_status().times(1..).returning(move || Ok(status(&["a.rs"])));
    let world =
        World::new(60_000, [Reply::text("Hi."), Reply::Say(vec![echo("a", 3)]), Reply::text("Done.")]);
    let checkpoints = Checkpoints {
        policy: CheckpointPolicy { interval: 1 },
        title: String::new(),
        git: Some(Arc::new(git)),
        handoff: true,
    };
    let mut agent = world.builder().checkpoints(checkpoints).open(session()).await.unwrap();
    turn(&mut agent, "Hello.").await.0.unwrap();
    turn(&mut agent, "Work.").await.0.unwrap();
    let made = self::checkpoints(&world).await;
    let field = |number: usize, name: &str| made[number].handoff.as_ref().unwrap()[name].clone();
    assert_eq!((field(0, "branch"), field(0, "head_commit")), (json!("main"), json!("0123")));
    assert_eq!((field(0, "modified_files"), field(1, "modified_files")), (json!([]), json!(["a.rs"])));
}

// S0-37 S0-41
#[tokio::test]
async fn each_run_with_a_request_leaves_a_checkpoint_that_names_it() {
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
    assert_eq!(tokens, [1, 2, 3, 4]);
    open(&world, 50).await.close(&NullSink).await;
    assert_eq!(checkpoints(&world).await.len(), 4, "a run that changes nothing leaves none");
    let last = checkpoints(&world).await.pop().unwrap();
    assert_eq!((last.reason, last.iteration), (CheckpointReason::Exit, 4));
    assert_eq!(last.output_tokens, 5, "all answers count, also those between");
    assert_eq!(last.handoff.as_ref().unwrap()["requests"][0], "Note it.");
    // A failure is recorded at once.
    let mut agent = open(&world, 50).await;
    turn(&mut agent, "Go.").await.0.unwrap_err();
    assert_eq!(checkpoints(&world).await.len(), 5);
}

// S0-38
#[tokio::test]
async fn a_turn_that_continues_is_shown_what_it_continues_with() {
    let replies = [
        Reply::text("SCRATCHPAD:a plan"),
        Reply::Fail(ModelError::InvalidRequest { message: "no".to_owned() }),
    ];
    let world = World::new(60_000, replies.into_iter().chain([Reply::text("Done.")]));
    let mut agent = open(&world, 1).await;
    turn(&mut agent, "Plan it.").await.0.unwrap();
    turn(&mut agent, "Fix the sum.").await.0.unwrap_err();
    agent.close(&NullSink).await;
    let mut agent = open(&world, 1).await;
    agent.continue_turn(&NullSink, &CancelFlag::new()).await.unwrap().unwrap();
    let note = world.model.requests()[2].tail.join("\n");
    assert!(note.contains("**Continue with**: Continue working on: Fix the sum.\n"), "{note}");
}

// S0-08
#[tokio::test]
async fn a_compaction_inside_a_turn_is_followed_by_a_checkpoint() {
    let mut replies: Vec<Reply> =
        (0..12).map(|index| Reply::Say(vec![echo(&format!("c{index}"), 300)])).collect();
    replies.push(Reply::text("Done."));
    let world = World::new(3_500, replies);
    let mut agent = open(&world, 0).await;
    turn(&mut agent, "Go.").await.0.unwrap();
    let made = checkpoints(&world).await;
    assert!(
        !made.is_empty() && made.iter().all(|one| one.reason == CheckpointReason::Compaction),
        "{made:?}"
    );
    assert!(made[0].iteration < 13, "in the middle of the turn: {made:?}");
}

// S0-37
#[tokio::test]
async fn a_resumed_session_has_the_phase_the_counts_and_the_failure_of_its_checkpoint() {
    let replies = [
        Reply::text("SCRATCHPAD:a plan"),
        Reply::Fail(ModelError::InvalidRequest { message: "no such parameter".to_owned() }),
        Reply::text("SCRATCHPAD:another plan"),
    ];
    let world = World::new(60_000, replies);
    let mut agent = open(&world, 1).await;
    agent.set_phase(Phase { hat: "reviewer".to_owned(), ..Phase::default() });
    turn(&mut agent, "Go.").await.0.unwrap();
    turn(&mut agent, "More.").await.0.unwrap_err();
    agent.close(&NullSink).await;
    let left = checkpoints(&world).await.pop().unwrap();
    assert_eq!((left.hat.as_str(), left.iteration), ("reviewer", 2));

    let mut agent = open(&world, 1).await;
    assert_eq!(agent.requests(), 2);
    turn(&mut agent, "Try again.").await.0.unwrap();
    let note = world.model.requests()[2].tail.join("\n");
    let failure = "## Failure Recovery\n\nThe last turn failed at 1970-01-01T00:00:00.000Z: ";
    assert!(note.contains(failure) && note.contains("no such parameter"), "{note}");
    assert!(note.find("## Resuming Session") < note.find(failure), "{note}");
    assert!(!note.contains("**Continue with**"), "the new request is what counts: {note}");
    let after = checkpoints(&world).await.pop().unwrap();
    assert_eq!((after.hat.as_str(), after.iteration), ("reviewer", 3));
    assert!(after.input_tokens > left.input_tokens && after.output_tokens == left.output_tokens + 2);
}
