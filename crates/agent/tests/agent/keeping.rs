//! What is kept when messages go: documents, the history as a table, memory, checkpoints.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_agent::{
    Agent, AgentBuilder, Checkpoints, MemoryPorts, NullSink, Phase, Rebuilt, reconstruct,
};
use throughline_completion::{CompletionRequest, ModelError, Reply};
use throughline_continuity::{CheckpointPolicy, MessageLog, Part};
use throughline_conversation::{
    CheckpointReason, CheckpointRecord, ContentBlock, DocumentName, ExchangeId, Message, Record, RecordBody,
    Seq, SessionId, ToolCall, ToolDefinition, ToolOrigin,
};
use throughline_documents::{ChecklistItem, DocumentCaps, Handoff};
use throughline_groups::Change;
use throughline_history::{Cell, HistoryDatabase, QueryAnswer, QueryError, SessionHistory};
use throughline_memory::{
    FilesError, InMemoryMemory, MemoFilter, MemoryFile, MemoryFiles, NoteRepository, Scope,
};
use throughline_testkit::{WordCounter, render};
use throughline_tools::{CancelFlag, Tool, ToolContext, ToolOutput, ToolRegistry};

use crate::harness::{World, echo, session, text, tool, turn};

fn call(id: &str, name: &str, input: Value) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), input })
}

fn keeping(world: &World) -> AgentBuilder {
    world.builder().documents(DocumentCaps::default()).checkpoints(Checkpoints {
        policy: CheckpointPolicy { interval: 2 },
        title: "Fix the parser".to_owned(),
        git: None,
        handoff: true,
    })
}

async fn open(world: &World) -> Agent {
    keeping(world).open(session()).await.unwrap()
}

async fn log(world: &World) -> Vec<Record> {
    world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records
}

async fn checkpoints(world: &World) -> Vec<CheckpointRecord> {
    let all = log(world).await;
    all.into_iter()
        .filter_map(|record| match record.body {
            RecordBody::Checkpoint(one) => Some(*one),
            _ => None,
        })
        .collect()
}

fn tail(request: &CompletionRequest) -> String {
    request.tail.join("\n---\n")
}

const PLAN: &str =
    "SCRATCHPAD:## Current Plan\n1. [x] Read\n2. [ ] Write\n\n## Key Decisions\n- Keep it small";
const STATE: &str =
    "### STATE\nGoal: fix the parser\nContext: parser.rs\nResolved: nothing\nTechnical Anchors: port 8080";

// S0-13 S0-14 S4-08 S4-09
#[tokio::test]
async fn signals_are_read_in_every_answer_and_ride_at_the_end_of_each_request() {
    let replies = [
        Reply::Say(vec![text(PLAN), echo("a", 3)]),
        Reply::text(format!("Done.\n\n{STATE}")),
        Reply::text("Nothing new."),
    ];
    let world = World::new(60_000, replies);
    let mut agent = open(&world).await;
    turn(&mut agent, "Go.").await.0.unwrap();
    turn(&mut agent, "Again.").await.0.unwrap();
    let sent = world.model.requests();
    assert_eq!(tail(&sent[0]), "");
    // Also in the middle of a turn, while tools run.
    assert!(
        tail(&sent[1]).contains("2. [ ] Write") && !tail(&sent[1]).contains("port 8080"),
        "{}",
        tail(&sent[1])
    );
    let last = tail(&sent[2]);
    assert!(
        last.find("port 8080").unwrap() < last.find("2. [ ] Write").unwrap(),
        "STATE comes first: {last}"
    );
    // Nothing of it is in the prefix: each request extends the one before.
    assert_eq!(sent[1].transcript.common_prefix(&sent[2].transcript), sent[1].transcript.len());
    assert_eq!(sent[1].system, sent[2].system);
    for (number, request) in sent.iter().enumerate() {
        let again = reconstruct(&session(), &log(&world).await, number as u64 + 1, &WordCounter).unwrap();
        assert_eq!(again.tail, request.tail, "request {number} made again");
    }
}

// S4-12 S0-17 S0-11
#[tokio::test]
async fn the_scratchpad_is_managed_by_its_tool_and_is_there_after_a_resume() {
    let replies = [
        Reply::Say(vec![call(
            "a",
            "manage_scratchpad",
            json!({"action": "update", "content": "# Plan\nfirst"}),
        )]),
        Reply::Say(vec![
            call("b", "manage_scratchpad", json!({"action": "append", "content": "second"})),
            call("c", "manage_scratchpad", json!({"action": "burn"})),
        ]),
        Reply::text("Kept."),
        Reply::text("Still there."),
    ];
    let world = World::new(60_000, replies);
    let mut agent = open(&world).await;
    turn(&mut agent, "Keep a plan.").await.0.unwrap();
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("c !") && shown.contains("section"), "the error lists the actions: {shown}");
    agent.close(&NullSink).await;
    let mut agent = open(&world).await;
    assert_eq!(agent.view().documents().text(DocumentName::Scratchpad), "# Plan\nfirst\nsecond");
    turn(&mut agent, "And now?").await.0.unwrap();
    assert!(tail(&world.model.requests()[3]).contains("first\nsecond"));
}

// S4-15
#[tokio::test]
async fn undo_reverts_what_the_group_did_to_the_documents_and_redo_restores_it() {
    let replies = [
        Reply::text(format!("One.\n\n{STATE}")),
        Reply::text(format!("Two.\n\n{}", STATE.replace("8080", "9090"))),
        Reply::text("Three."),
        Reply::text("Three again."),
    ];
    let world = World::new(60_000, replies);
    let mut agent = open(&world).await;
    turn(&mut agent, "First.").await.0.unwrap();
    turn(&mut agent, "Second.").await.0.unwrap();
    let anchors = |agent: &Agent| {
        let state = agent.view().documents().text(DocumentName::State).to_owned();
        (state.contains("8080"), state.contains("9090"))
    };
    assert_eq!(anchors(&agent), (false, true));
    agent.change(Change::Undo, &NullSink).await.unwrap();
    assert_eq!(anchors(&agent), (true, false));
    agent.change(Change::Redo, &NullSink).await.unwrap();
    assert_eq!(anchors(&agent), (false, true));

    // The request after the round trip is the one that would have been sent without.
    turn(&mut agent, "Third.").await.0.unwrap();
    agent.change(Change::Undo, &NullSink).await.unwrap();
    agent.change(Change::Redo, &NullSink).await.unwrap();
    agent.change(Change::Undo, &NullSink).await.unwrap();
    turn(&mut agent, "Third.").await.0.unwrap();
    let sent = world.model.requests();
    let body = |request: &CompletionRequest| {
        let messages: Vec<Message> = request.transcript.messages().cloned().collect();
        (messages, request.system.clone(), request.tools.clone(), request.tail.clone())
    };
    assert!(body(&sent[2]) == body(&sent[3]));
}

// S4-18
#[tokio::test]
async fn state_is_rebuilt_by_the_model_or_by_rule() {
    let replies = [
        Reply::text("Working."),
        Reply::text("### STATE\nGoal: a new goal\nContext: new.rs"),
        Reply::text("I will not."),
    ];
    let world = World::new(60_000, replies);
    let mut agent = open(&world).await;
    turn(&mut agent, "Fix the lexer.").await.0.unwrap();
    let rebuilt = agent.rebuild_state(true, &NullSink, &CancelFlag::new()).await;
    assert!(matches!(&rebuilt, Rebuilt::ByModel(text) if text.contains("a new goal")), "{rebuilt:?}");
    let stop = CancelFlag::new();
    stop.cancel();
    let before = agent.view().documents().text(DocumentName::State).to_owned();
    assert_eq!(agent.rebuild_state(true, &NullSink, &stop).await, Rebuilt::Stopped);
    assert_eq!(agent.view().documents().text(DocumentName::State), before);
    let asked = &world.model.requests()[1];
    assert_eq!(asked.transcript.messages().next().unwrap().text(), "Fix the lexer.");
    // A model that does not answer with a block leaves it to the rule, and so does no model at all.
    let rebuilt = agent.rebuild_state(true, &NullSink, &CancelFlag::new()).await;
    assert!(matches!(&rebuilt, Rebuilt::ByRule(text) if text.contains("Fix the lexer.")), "{rebuilt:?}");
    let before = world.model.requests().len();
    assert!(matches!(agent.rebuild_state(false, &NullSink, &CancelFlag::new()).await, Rebuilt::ByRule(_)));
    assert_eq!(world.model.requests().len(), before, "no model was asked");
}

// S0-08 S0-36 S0-37 S0-38 S0-41
#[tokio::test]
async fn checkpoints_are_small_and_tell_a_resumed_session_where_it_stands() {
    let replies = [
        Reply::Say(vec![text(PLAN), echo("a", 3)]),
        Reply::Say(vec![echo("b", 4)]),
        Reply::text(format!("{PLAN}\n\n## Blockers\n- None currently")),
        Reply::text("Continuing."),
        Reply::text("And on."),
    ];
    let world = World::new(60_000, replies);
    let mut agent = open(&world).await;
    agent.set_phase(Phase { hat: "builder".to_owned(), ..Phase::default() });
    turn(&mut agent, "Go.").await.0.unwrap();
    assert_eq!(checkpoints(&world).await.len(), 1, "one at the second request, in the middle of the turn");
    agent.close(&NullSink).await;
    let all = checkpoints(&world).await;
    let reasons: Vec<CheckpointReason> = all.iter().map(|one| one.reason).collect();
    assert_eq!(reasons, [CheckpointReason::Interval, CheckpointReason::Exit]);
    assert_eq!((all[1].iteration, all[1].hat.as_str()), (3, "builder"));
    let handoff: Handoff = serde_json::from_value(all[1].handoff.clone().unwrap()).unwrap();
    assert_eq!(handoff.completed_items, ["Read"]);
    assert_eq!(handoff.key_decisions, ["Keep it small"]);
    assert_eq!(
        handoff.continuation_prompt,
        "Continue working on: Fix the parser\nCurrent phase: builder\nNext step: Write"
    );

    let mut agent = open(&world).await;
    turn(&mut agent, "Continue.").await.0.unwrap();
    turn(&mut agent, "And on.").await.0.unwrap();
    let sent = world.model.requests();
    let first = tail(&sent[3]);
    assert!(first.contains("## Resuming Session\n\n**Task**: Fix the parser\n"), "{first}");
    assert!(first.contains("**Progress**: 1/2 items completed"), "{first}");
    assert_eq!(first.matches("## Resuming Session").count(), 1);
    assert!(!tail(&sent[4]).contains("## Resuming Session"), "it is sent once");
}

// S0-37
#[tokio::test]
async fn a_failed_turn_leaves_a_checkpoint_that_says_how() {
    let world = World::new(60_000, [Reply::Fail(ModelError::InvalidRequest { message: "no".to_owned() })]);
    let mut agent = open(&world).await;
    agent.set_phase(Phase {
        hat: String::new(),
        checklist: vec![ChecklistItem::new("one", "completed")],
        task: Some(json!({"kept": true})),
    });
    turn(&mut agent, "Go.").await.0.unwrap_err();
    let last = checkpoints(&world).await.pop().unwrap();
    assert_eq!(last.reason, CheckpointReason::Failure);
    assert!(last.last_error.unwrap().contains("no"));
    assert!(last.failed_at.is_some());
    assert_eq!(last.task, Some(json!({"kept": true})));
}

// S0-38
#[tokio::test]
async fn a_resumed_task_stands_where_its_checklist_stands() {
    // The plan of the scratchpad is done, the task is not.
    let plan = "SCRATCHPAD:## Current Plan\n1. [x] Look around\n2. [x] Take notes";
    let world = World::new(60_000, [Reply::text(plan), Reply::text("Continuing.")]);
    let mut agent = open(&world).await;
    let steps = [("look at it", "completed"), ("fix it", "pending"), ("test it", "pending")];
    agent.set_phase(Phase {
        hat: "builder".to_owned(),
        checklist: steps.map(|(step, status)| ChecklistItem::new(step, status)).into(),
        task: Some(json!({"iteration": 1})),
    });
    turn(&mut agent, "Go.").await.0.unwrap();
    agent.close(&NullSink).await;
    let mut agent = open(&world).await;
    turn(&mut agent, "Continue.").await.0.unwrap();
    let note = tail(&world.model.requests()[1]);
    assert!(note.contains("**Progress**: 1/3 items completed"), "{note}");
    assert!(note.contains("Next step: fix it"), "{note}");
}

// S0-13 S4-09
#[tokio::test]
async fn a_complaint_about_the_last_answer_is_made_after_a_resume() {
    let fenced = "```\n### STATE\nGoal: g\n```";
    let world = World::new(60_000, [Reply::text(fenced), Reply::text("Again."), Reply::text("And on.")]);
    let mut agent = open(&world).await;
    turn(&mut agent, "Go.").await.0.unwrap();
    agent.close(&NullSink).await;
    let mut agent = open(&world).await;
    turn(&mut agent, "Continue.").await.0.unwrap();
    turn(&mut agent, "And on.").await.0.unwrap();
    let sent = world.model.requests();
    assert!(tail(&sent[1]).contains("### STATE was not taken"), "{}", tail(&sent[1]));
    assert!(!tail(&sent[2]).contains("was not taken"), "it is made once: {}", tail(&sent[2]));
}

/// A database that only says what it was asked.
#[derive(Debug)]
struct Asked;

#[async_trait]
impl HistoryDatabase for Asked {
    async fn query<'a>(&self, history: &SessionHistory<'a>, sql: &str) -> Result<QueryAnswer, QueryError> {
        let rows = history.rows_after(Seq(0)).await?.rows.len();
        let cell = Cell::Text { text: format!("{sql} over {rows} rows"), chars: 20 };
        Ok(QueryAnswer {
            columns: vec!["said".to_owned()],
            rows: vec![vec![cell]],
            more: false,
            unread: None,
        })
    }

    async fn forget(&self, _session: &SessionId) {}
}

// S4-14
#[tokio::test]
async fn the_history_is_queried_without_what_was_undone() {
    let ask = |id: &str| Reply::Say(vec![call(id, "query_db", json!({"sql": "SELECT 1"}))]);
    let replies = [Reply::text("One."), ask("a"), Reply::text("Two."), ask("b"), Reply::text("Three.")];
    let world = World::new(60_000, replies);
    let mut agent = world.builder().history(Arc::new(Asked)).open(session()).await.unwrap();
    turn(&mut agent, "First.").await.0.unwrap();
    turn(&mut agent, "Second.").await.0.unwrap();
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("SELECT 1 over 4 rows"), "{shown}");
    agent.change(Change::Drop(ExchangeId(1)), &NullSink).await.unwrap();
    agent.change(Change::Undo, &NullSink).await.unwrap();
    turn(&mut agent, "Third.").await.0.unwrap();
    // The dropped group is still there, the undone one is not.
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("SELECT 1 over 4 rows") && !shown.contains("Second."), "{shown}");
}

// S4-19 S4-20
#[tokio::test]
async fn memos_are_saved_searched_and_recalled_by_the_words_of_the_user() {
    let replies = [
        Reply::Say(vec![call(
            "a",
            "save_memo",
            json!({"content": "The retry limit of the gateway is 7, agreed with operations.", "tags": ["gateway"]}),
        )]),
        Reply::Say(vec![call("b", "retrieve_memos", json!({"tags": ["gateway"]}))]),
        Reply::text("Saved."),
        Reply::text("Seven."),
        Reply::text("Fine."),
    ];
    let world = World::new(60_000, replies);
    let kept = Arc::new(InMemoryMemory::default());
    let scope = Scope::folder("/work");
    let files: Arc<dyn MemoryFiles> = Arc::new(NoFiles);
    let memory = MemoryPorts {
        notes: kept.clone(),
        search: kept.clone(),
        files,
        index: kept.clone(),
        scope: scope.clone(),
    };
    let mut agent = world.builder().memory(memory).open(session()).await.unwrap();
    turn(&mut agent, "Note the limit.").await.0.unwrap();
    turn(&mut agent, "What does the gateway do about retries?").await.0.unwrap();
    turn(&mut agent, "Thanks, please continue.").await.0.unwrap();
    let sent = world.model.requests();
    assert!(tail(&sent[3]).contains("retry limit of the gateway is 7"), "{}", tail(&sent[3]));
    assert_eq!(tail(&sent[4]), "", "words that say nothing recall nothing");
    let memos = kept.list(&MemoFilter::of(scope)).await.unwrap();
    assert_eq!(memos[0].session, Some(session()));
}

#[derive(Debug)]
pub(crate) struct NoFiles;

#[async_trait]
impl MemoryFiles for NoFiles {
    fn workspace(&self) -> String {
        "/work".to_owned()
    }

    async fn list(&self) -> Result<Vec<MemoryFile>, FilesError> {
        Ok(Vec::new())
    }

    async fn read(&self, _file: &MemoryFile) -> Result<Option<String>, FilesError> {
        Ok(None)
    }
}

/// Answers the same each time.
#[derive(Debug)]
struct Clock;

#[async_trait]
impl Tool for Clock {
    fn definition(&self) -> ToolDefinition {
        tool("clock", ToolOrigin::Builtin)
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text("It has stopped.")
    }
}

// S0-44
#[tokio::test]
async fn the_sixth_identical_call_in_a_row_is_refused_with_feedback() {
    let same = |id: &str| Reply::Say(vec![call(id, "clock", json!({}))]);
    let mut replies: Vec<Reply> = ["a", "b", "c", "d", "e", "f"].map(same).into_iter().collect();
    replies.push(Reply::text("I see."));
    let world = World::new(60_000, replies);
    let mut agent = Agent::builder(world.model.clone(), Arc::new(WordCounter), world.settings.clone())
        .log(world.log.clone())
        .tools({
            let mut tools = ToolRegistry::new();
            tools.register(Arc::new(Clock)).unwrap();
            tools
        })
        .open(session())
        .await
        .unwrap();
    turn(&mut agent, "Go.").await.0.unwrap();
    let shown = render(agent.view().transcript().messages());
    assert!(
        shown.contains("e = It has stopped.") && shown.contains("f !") && !shown.contains("f = "),
        "{shown}"
    );
}
