//! Each port fails in turn, injected by its mock: the turn completes, and the receipt names the subsystem and its fallback.

use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use serde_json::json;
use throughline_agent::{Checkpoints, MemoryPorts, NullSink, Rebuilt, Recount};
use throughline_budget::Threshold;
use throughline_compaction::{MockSummarizer, SummaryError};
use throughline_completion::{LanguageModel, MockLanguageModel, ModelError, Reply};
use throughline_continuity::{
    CheckpointPolicy, LogError, LogPage, MessageLog, MockMessageLog, MockSnapshotStore, Part, SnapshotError,
};
use throughline_conversation::{CheckpointRecord, ContentBlock, Record, RecordBody, Seq, ToolCall};
use throughline_documents::{DocumentCaps, GitError, MockGitProbe};
use throughline_history::{MockHistoryDatabase, QueryError};
use throughline_memory::{InMemoryMemory, MockMemorySearch, MockNoteRepository, NoteError, Scope};
use throughline_prompt::{MockSectionSource, SectionError};
use throughline_resultstore::{MockResultRepository, StoreError};
use throughline_testkit::render;
use throughline_tools::CancelFlag;

use crate::harness::{World, echo, session, settings, turn};
use crate::keeping::NoFiles;

/// Degradations that receipts name, as `subsystem: fallback`.
fn named(records: &[Record]) -> Vec<String> {
    let receipts = records.iter().filter_map(|record| match &record.body {
        RecordBody::Receipt(receipt) => Some(&receipt.degraded),
        _ => None,
    });
    receipts.flatten().map(|note| format!("{}: {}", note.subsystem, note.fallback)).collect()
}

async fn log(world: &World) -> Vec<Record> {
    world.log.read_page(&session(), Seq(0), Part::All).await.unwrap().records
}

/// Calls with long results, so that a window of 3,500 words is compacted, and a last answer.
fn long_turn() -> Vec<Reply> {
    let calls = (0..12).map(|call| Reply::Say(vec![echo(&format!("c{call}"), 300)]));
    calls.chain([Reply::text("Done.")]).collect()
}

fn call(name: &str, input: serde_json::Value) -> Reply {
    Reply::Say(vec![ContentBlock::ToolCall(ToolCall { id: "c1".to_owned(), name: name.to_owned(), input })])
}

/// A mock that answers by the world's script, but for what a test sets before.
fn scripted(world: &World, mut model: MockLanguageModel) -> MockLanguageModel {
    let (script, info) = (world.model.clone(), world.model.info());
    model.expect_info().return_const(info);
    model.expect_stream().returning(move |request| script.stream(request).now_or_never().unwrap());
    model
}

// S3-28
#[tokio::test]
async fn without_a_snapshot_store_a_resume_will_read_the_log() {
    let world = World::new(3_500, long_turn());
    let mut snapshots = MockSnapshotStore::new();
    snapshots.expect_load().returning(|_| Ok(None));
    snapshots.expect_save().times(1..).returning(|_| Err(SnapshotError::Other("read only".into())));
    let mut agent = world.builder().snapshots(Arc::new(snapshots)).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    let named = named(&log(&world).await);
    assert!(!named.is_empty(), "a compaction saves a snapshot");
    assert!(named.iter().all(|note| note == "snapshot store: a resume will read the whole log"), "{named:?}");
}

// S3-28
#[tokio::test]
async fn without_a_log_records_stay_in_memory() {
    let world = World::new(4_000, [Reply::Say(vec![echo("c1", 2)]), Reply::text("Done.")]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let attempts = Arc::clone(&seen);
    let mut failing = MockMessageLog::new();
    failing.expect_read_page().returning(|_, _, _| Ok(LogPage::default()));
    failing.expect_newest().returning(|_, _| Ok(None));
    failing.expect_last().returning(|_| Ok(Seq(0)));
    failing.expect_append().times(2..).returning(move |_, records| {
        *attempts.lock().unwrap() = records.to_vec();
        Err(LogError::Other("no space left".into()))
    });
    let mut agent = world.builder().log(Arc::new(failing)).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    let pending = seen.lock().unwrap().clone();
    assert_eq!(pending[0].seq, Seq(1), "each write tries all records again");
    let named = named(&pending);
    assert!(named[0].starts_with("log: ") && named[0].ends_with("in memory again"), "{named:?}");
}

// S3-28
#[tokio::test]
async fn without_a_result_store_a_large_result_is_bounded() {
    let world = World::new(20_000, [Reply::Say(vec![echo("c1", 2_000)]), Reply::text("Done.")]);
    let mut results = MockResultRepository::new();
    results.expect_put().times(1).returning(|_| Err(StoreError::Other("disk full".into())));
    let mut agent = world.builder().results(Arc::new(results)).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    assert_eq!(named(&log(&world).await), ["result store: bounded inline result"]);
}

// S3-28
#[tokio::test]
async fn a_section_source_that_never_worked_is_left_out() {
    let world = World::new(4_000, [Reply::text("Done.")]);
    let mut source = MockSectionSource::new();
    source.expect_name().return_const("rules of the project".to_owned());
    source.expect_sections().times(1).returning(|| Err(SectionError::Other("locked".into())));
    let mut agent = world.builder().section(Arc::new(source)).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    assert_eq!(named(&log(&world).await), ["prompt: section source \"rules of the project\" is left out"]);
}

// S3-28
#[tokio::test]
async fn without_a_summarizer_the_summary_is_extracted() {
    let long = |word: &str| Reply::text([word; 900].join(" "));
    let world = World::new(20_000, ["a", "b", "c", "d", "e", "f", "g", "h"].map(long));
    let mut summarizer = MockSummarizer::new();
    summarizer.expect_summarize().times(1..).returning(|_| Err(SummaryError::CutOff));
    let mut agent = world.builder().summarizer(Arc::new(summarizer)).open(session()).await.unwrap();
    for index in 0..8 {
        turn(&mut agent, &format!("Say {index}.")).await.0.unwrap();
    }
    agent.compact(&NullSink).await.unwrap();
    world.model.extend([Reply::text("Still here.")]);
    assert_eq!(turn(&mut agent, "And now?").await.0.unwrap().text, "Still here.");
    let named = named(&log(&world).await);
    assert_eq!(named, ["summarizer: an extractive summary of the messages"]);
}

fn memory(notes: MockNoteRepository, search: MockMemorySearch) -> MemoryPorts {
    let index = Arc::new(InMemoryMemory::default());
    MemoryPorts {
        notes: Arc::new(notes),
        search: Arc::new(search),
        files: Arc::new(NoFiles),
        index,
        scope: Scope::folder("/work"),
    }
}

// S3-28
#[tokio::test]
async fn without_memos_nothing_is_recalled() {
    let world = World::new(8_000, [Reply::text("Done.")]);
    let mut notes = MockNoteRepository::new();
    notes.expect_list().times(1).returning(|_| Err(NoteError::Other("locked".into())));
    let ports = memory(notes, MockMemorySearch::new());
    let mut agent = world.builder().memory(ports).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Which port?").await.0.unwrap().text, "Done.");
    assert_eq!(named(&log(&world).await), ["memory: no memo is recalled"]);
}

// S3-28
#[tokio::test]
async fn a_failing_memory_search_is_reported_to_the_model() {
    let world = World::new(8_000, [call("memory_search", json!({ "query": "port" })), Reply::text("Done.")]);
    let mut notes = MockNoteRepository::new();
    notes.expect_list().returning(|_| Ok(Vec::new()));
    let mut search = MockMemorySearch::new();
    search.expect_search().times(1).returning(|_, _, _| Err(NoteError::Other("index broken".into())));
    let mut agent = world.builder().memory(memory(notes, search)).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Which port?").await.0.unwrap().text, "Done.");
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("c1 ! ") && shown.contains("index broken"), "{shown}");
}

// S3-28
#[tokio::test]
async fn a_failing_history_database_is_reported_to_the_model() {
    let query = call("query_db", json!({ "sql": "SELECT 1" }));
    let world = World::new(8_000, [query, Reply::text("Done.")]);
    let mut history = MockHistoryDatabase::new();
    history.expect_query().times(1).returning(|_, _| Err(QueryError::Other("no database".into())));
    let mut agent = world.builder().history(Arc::new(history)).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    let shown = render(agent.view().transcript().messages());
    assert!(shown.contains("c1 ! ") && shown.contains("no database"), "{shown}");
}

// S3-28
#[tokio::test]
async fn without_git_a_handoff_has_no_working_tree() {
    let world = World::new(4_000, [Reply::Say(vec![echo("c1", 2)]), Reply::text("Done.")]);
    let mut git = MockGitProbe::new();
    git.expect_status().times(1..).returning(|| Err(GitError::NoGit));
    let checkpoints = Checkpoints {
        policy: CheckpointPolicy { interval: 1 },
        title: "Fix the parser".to_owned(),
        git: Some(Arc::new(git)),
        handoff: true,
    };
    let mut agent = world.builder().checkpoints(checkpoints).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    let handoffs: Vec<_> = log(&world)
        .await
        .into_iter()
        .filter_map(|record| match record.body {
            RecordBody::Checkpoint(checkpoint) => CheckpointRecord::clone(&checkpoint).handoff,
            _ => None,
        })
        .collect();
    assert!(!handoffs.is_empty());
    let commit = |handoff: &serde_json::Value| handoff["head_commit"].as_str().unwrap_or_default().to_owned();
    assert!(handoffs.iter().all(|handoff| commit(handoff).is_empty()), "{handoffs:?}");
}

// S3-28
#[tokio::test]
async fn when_the_provider_cannot_count_the_estimate_is_used() {
    let world = World::new(3_500, long_turn());
    let mut model = MockLanguageModel::new();
    let error = || ModelError::Unavailable { message: "busy".to_owned(), retry_after_ms: None };
    model.expect_server().return_const(None);
    model.expect_count().times(1..).returning(move |_| Err(error()));
    let mut own = settings(3_500);
    own.recount = Recount::Count;
    let model = Arc::new(scripted(&world, model));
    let mut agent = world.builder_for(model, own).open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    let named = named(&log(&world).await);
    assert!(named.iter().all(|note| note == "recount: the estimate is used"), "{named:?}");
    assert!(!named.is_empty());
}

// S3-28
#[tokio::test]
async fn when_the_model_cannot_rebuild_state_it_is_made_by_rule() {
    let world = World::new(8_000, [Reply::text("Reading."), Reply::text("Done.")]);
    let mut model = MockLanguageModel::new();
    let mut answers = 0;
    let (script, info) = (world.model.clone(), world.model.info());
    model.expect_info().return_const(info);
    model.expect_server().return_const(None);
    model.expect_stream().times(3).returning(move |request| {
        answers += 1;
        match answers {
            2 => Err(ModelError::Unauthorized { message: "the key has expired".to_owned() }),
            _ => script.stream(request).now_or_never().unwrap(),
        }
    });
    let builder = world.builder_for(Arc::new(model), settings(8_000)).documents(DocumentCaps::default());
    let mut agent = builder.open(session()).await.unwrap();
    turn(&mut agent, "Fix the parser in src/parser.rs.").await.0.unwrap();
    let rebuilt = agent.rebuild_state(true, &NullSink, &CancelFlag::new()).await;
    assert!(matches!(rebuilt, Rebuilt::ByRule(_)), "{rebuilt:?}");
    assert_eq!(turn(&mut agent, "Continue.").await.0.unwrap().text, "Done.");
    assert_eq!(named(&log(&world).await), ["state: STATE is made by rule"]);
}

// S3-28
#[tokio::test]
async fn when_the_model_fails_a_fallback_that_fits_answers() {
    let world = World::new(4_000, [Reply::text("From the other model.")]);
    let mut failing = MockLanguageModel::new();
    failing.expect_info().return_const(world.model.info());
    failing.expect_server().return_const(None);
    failing
        .expect_stream()
        .times(1)
        .returning(|_| Err(ModelError::Unauthorized { message: "the key has expired".to_owned() }));
    let mut unfit = world.next("other", "unfit", 4_000);
    unfit.settings.thresholds.compact = Threshold::PercentEffective(99.0);
    unfit.settings.thresholds.block = Threshold::PercentEffective(10.0);
    let builder = world.builder_for(Arc::new(failing), settings(4_000));
    let builder = builder.fallback(unfit).fallback(world.next("other", "fit", 4_000));
    let mut agent = builder.open(session()).await.unwrap();
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "From the other model.");
    assert_eq!(agent.model().name, "fit");
    assert_eq!(named(&log(&world).await), ["fallback model: the next one is tried"]);
}
