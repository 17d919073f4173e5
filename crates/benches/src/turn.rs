//! What a request costs the engine itself, by the length of the history; and what opening a session costs.
//!
//! Steps 1 to 6 are timed from the moment when step 9 of the request before has made its records durable to the
//! moment when the model is asked. The history is not compacted. Documents, checkpoints and the history as a database
//! are on, like in a real session. Run with `cargo xtask bench turn`; it fails
//! when a long history makes a request more than twice, or opening more than one and a half times as dear.

mod median;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use async_trait::async_trait;
use futures_util::{StreamExt as _, stream};
use serde_json::json;
use throughline_agent::{Agent, AgentBuilder, Checkpoints, Event, RetryPolicy, Settings};
use throughline_budget::{ScriptAwareEstimator, Threshold};
use throughline_compaction::CompactionPolicy;
use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, StopReason,
};
use throughline_continuity::{
    CheckpointPolicy, InMemoryMessageLog, MessageLog, SessionDirectory, SessionInfo, SnapshotStore,
    snapshot_of,
};
use throughline_conversation::{
    Action, CheckpointReason, CheckpointRecord, ContentBlock, DocumentName, DocumentRecord, Edit, EditReason,
    ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, SessionId, Source, Span, ToolCall,
    ToolDefinition, ToolOrigin, ToolResult, Usage, project,
};
use throughline_documents::DocumentCaps;
use throughline_policies::Policy;
use throughline_prompt::{FixedSections, PromptSection};
use throughline_query::SqliteHistory;
use throughline_resultstore::OffloadPolicy;
use throughline_store::Store;
use throughline_tools::{CancelFlag, Tool, ToolContext, ToolOutput, ToolRegistry};

use median::median;

/// Messages of history.
const HISTORIES: [u64; 3] = [150, 1_500, 15_000];
/// Requests that are timed.
const REQUESTS: usize = 400;
/// Records of the sessions that are opened.
const LOGS: [u64; 2] = [1_000, 100_000];
/// How often each is opened.
const OPENINGS: usize = 15;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    println!("steps 1 to 6 of a request, median of {REQUESTS}:");
    let mut medians = Vec::new();
    for messages in HISTORIES {
        let median = time_requests(messages).await?;
        println!("  {messages:>6} messages of history: {:>8.1} µs", median.as_secs_f64() * 1e6);
        medians.push(median);
    }
    let turn = ratio(&medians)?;
    println!("  ratio of the longest to the shortest history: {turn:.2} (at most 2)");

    println!("opening a session after a compaction, median of {OPENINGS}:");
    let mut medians = Vec::new();
    for records in LOGS {
        let median = time_opening(records).await?;
        println!("  {records:>6} records: {:>8.2} ms", median.as_secs_f64() * 1e3);
        medians.push(median);
    }
    let open = ratio(&medians)?;
    println!("  ratio of the longest to the shortest log: {open:.2} (at most 1.5)");
    ensure!(turn <= 2.0, "a request with a long history costs {turn:.2} times one with a short history");
    ensure!(open <= 1.5, "opening a long session costs {open:.2} times opening a short one");
    Ok(())
}

fn ratio(medians: &[Duration]) -> anyhow::Result<f64> {
    let (first, last) = (medians.first().context("no figure")?, medians.last().context("no figure")?);
    Ok(last.as_secs_f64() / first.as_secs_f64())
}

async fn time_requests(messages: u64) -> anyhow::Result<Duration> {
    let session = SessionId::new("bench")?;
    let log = InMemoryMessageLog::default();
    let mut records: Vec<Record> = (1..=messages).map(history).collect();
    records.push(state(messages + 1));
    log.append(&session, &records).await?;
    let model = Arc::new(TimedModel::default());
    let mut tools = ToolRegistry::new();
    tools.register(Arc::new(Probe))?;
    let mut agent = complete(Agent::builder(model.clone(), Arc::new(ScriptAwareEstimator), settings()))
        .log(Arc::new(log))
        .tools(tools)
        .section(Arc::new(FixedSections::new("bench", [PromptSection::base("bench", "You probe.")])))
        .open(session)
        .await?;
    let clock = model.clone();
    let sink = move |event: Event| {
        if matches!(event, Event::Acknowledged { .. }) {
            clock.start();
        }
    };
    agent.turn(Message::user("Probe until you are asked to stop."), &sink, &CancelFlag::new()).await?;
    let times = model.state().times.clone();
    ensure!(times.len() >= REQUESTS, "only {} requests were timed", times.len());
    median(times)
}

async fn time_opening(records: u64) -> anyhow::Result<Duration> {
    let folder = tempfile::tempdir()?;
    let store = Store::open(&folder.path().join("bench.db")).await?;
    let session = SessionId::new("bench")?;
    let info = SessionInfo {
        id: session.clone(),
        title: "bench".to_owned(),
        workspace: String::new(),
        model: "bench".to_owned(),
        created: Millis(0),
    };
    store.sessions().create(&info).await?;
    let log = store.message_log();
    let mut all: Vec<Record> = (1..records).map(history).collect();
    let last_covered = (records - 101) / 2 * 2;
    let span = Span { first: Seq(1), last: Seq(last_covered) };
    let cover = Action::Cover { span, summary: Some("Earlier messages.".to_owned()), note: None };
    let edit =
        Edit { reason: EditReason::Manual, actions: vec![cover], strategies: vec!["summary".to_owned()] };
    all.push(record(records, RecordBody::Edit(edit)));
    all.push(state(records + 1));
    all.push(checkpoint(records + 2));
    for batch in all.chunks(500) {
        log.append(&session, batch).await?;
    }
    let view = project(&all, &ScriptAwareEstimator)?;
    store.snapshots().save(&snapshot_of(&session, &view, Millis(0))).await?;
    drop(all);

    let mut times = Vec::new();
    for _ in 0..OPENINGS {
        let builder = complete(Agent::builder(
            Arc::new(TimedModel::default()),
            Arc::new(ScriptAwareEstimator),
            settings(),
        ))
        .log(Arc::new(store.message_log()))
        .snapshots(Arc::new(store.snapshots()))
        .results(Arc::new(store.results()));
        let start = Instant::now();
        let agent = builder.open(session.clone()).await?;
        times.push(start.elapsed());
        ensure!(agent.view().entries().len() > 90 && agent.rebuilt().is_none(), "the snapshot was not used");
    }
    median(times)
}

/// With all that a session stores besides its messages.
fn complete(builder: AgentBuilder) -> AgentBuilder {
    let checkpoints = Checkpoints {
        policy: CheckpointPolicy::default(),
        title: "bench".to_owned(),
        git: None,
        handoff: true,
    };
    builder
        .allow_repetition()
        .documents(DocumentCaps::default())
        .history(Arc::new(SqliteHistory::default()))
        .checkpoints(checkpoints)
}

fn record(seq: u64, body: RecordBody) -> Record {
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(1), body }
}

fn state(seq: u64) -> Record {
    let text =
        "Goal: probe everything\nContext: a bench\nResolved: none\nTechnical Anchors: offset 17".to_owned();
    let by = Source::Model("bench".to_owned());
    record(seq, RecordBody::Document(DocumentRecord { name: DocumentName::State, text, by }))
}

fn checkpoint(seq: u64) -> Record {
    let checkpoint = CheckpointRecord {
        iteration: seq / 2,
        state: Seq(seq - 1),
        ..CheckpointRecord::new(CheckpointReason::Exit, Seq(seq - 1))
    };
    record(seq, RecordBody::Checkpoint(Box::new(checkpoint)))
}

/// One message of a long tool loop.
fn history(number: u64) -> Record {
    let (message, source) = match number {
        1 => (Message::user("Probe everything."), Source::User),
        number if number % 2 == 0 => (call(number), Source::Model("bench".to_owned())),
        number => {
            let text = format!("probe {number}: nothing unusual at offset {}, checked twice", number * 17);
            (Message::results([ToolResult::text(format!("h{}", number - 1), text)]), Source::Tools)
        }
    };
    let body = RecordBody::Message(MessageRecord { message, source, usage: None });
    record(number, body)
}

fn call(number: u64) -> Message {
    let call =
        ToolCall { id: format!("h{number}"), name: "probe".to_owned(), input: json!({ "offset": number }) };
    Message { role: throughline_conversation::Role::Assistant, content: vec![ContentBlock::ToolCall(call)] }
}

fn settings() -> Settings {
    Settings {
        window: None,
        early: Threshold::Off,
        offload: OffloadPolicy::seed(),
        compaction: CompactionPolicy::default(),
        retry: RetryPolicy::once(),
        ..Policy::Throughline.settings(200_000, 4_096)
    }
}

/// Asks for a probe again and again, and stops the clock whenever it is asked.
#[derive(Debug, Default)]
struct TimedModel(Mutex<Timing>);

#[derive(Debug, Default)]
struct Timing {
    started: Option<Instant>,
    times: Vec<Duration>,
    asked: usize,
}

impl TimedModel {
    fn state(&self) -> std::sync::MutexGuard<'_, Timing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self) {
        self.state().started = Some(Instant::now());
    }
}

#[async_trait]
impl LanguageModel for TimedModel {
    fn info(&self) -> ModelInfo {
        ModelInfo::with_window("bench", 50_000_000, 4_096)
    }

    async fn stream(&self, _request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let mut state = self.state();
        if let Some(started) = state.started.take() {
            state.times.push(started.elapsed());
        }
        state.asked += 1;
        let (block, stop) = if state.asked > REQUESTS {
            (ContentBlock::Text { text: "Enough.".to_owned() }, StopReason::EndTurn)
        } else {
            let id = format!("n{}", state.asked);
            let call = ToolCall { id, name: "probe".to_owned(), input: json!({ "offset": state.asked }) };
            (ContentBlock::ToolCall(call), StopReason::ToolUse)
        };
        let usage = Usage { output: 10, ..Usage::default() };
        let events =
            [CompletionEvent::Block(block), CompletionEvent::Usage(usage), CompletionEvent::Finished(stop)];
        Ok(stream::iter(events.map(Ok)).boxed())
    }
}

#[derive(Debug)]
struct Probe;

#[async_trait]
impl Tool for Probe {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "probe".to_owned(),
            description: "Probes an offset.".to_owned(),
            input_schema: json!({ "type": "object", "properties": { "offset": { "type": "integer" } } }),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text("nothing unusual")
    }
}
