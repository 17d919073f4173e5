//! A session as the engine writes it: what each request appends, saves and stores.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde_json::json;
use throughline::Throughline;
use throughline::ports::scripted::Reply;
use throughline_budget::ScriptAwareEstimator;
use throughline_completion::ScriptedModel;
use throughline_completion::{CompletionRequest, ModelInfo};
use throughline_continuity::{
    InMemoryMessageLog, InMemorySnapshotStore, LogError, LogPage, MessageLog, Part, Snapshot, SnapshotError,
    SnapshotStore,
};
use throughline_conversation::{
    ContentBlock, Record, ResultRef, Seq, SessionId, ToolCall, ToolDefinition, ToolOrigin,
};
use throughline_resultstore::{
    InMemoryResultRepository, ResultInfo, ResultRepository, StoreError, StoredResult,
};
use throughline_session::ToolSet;
use throughline_tools::{Access, Effect, Tool, ToolContext, ToolOutput};

/// Requests of a turn.
const TURN: u64 = 10;
/// The model's window and its longest answer in tokens.
pub(crate) const WINDOW: (u64, u64) = (100_000, 8_000);
/// Every this many calls read a file that is too large for the window.
const LARGE: u64 = 40;

/// One write of the engine.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    Records(Vec<Record>),
    Snapshot(Snapshot),
    Result(StoredResult),
}

/// The writes of a session, by the request before which or in whose answer they were made.
#[derive(Debug)]
pub(crate) struct RecordedSession {
    pub(crate) id: SessionId,
    /// What each request wrote; the first also has what came before it, the last what came after it.
    pub(crate) requests: Vec<Vec<Write>>,
}

impl RecordedSession {
    fn writes(&self) -> impl Iterator<Item = &Write> {
        self.requests.iter().flatten()
    }

    pub(crate) fn records(&self) -> usize {
        let count = |write: &Write| if let Write::Records(records) = write { records.len() } else { 0 };
        self.writes().map(count).sum()
    }

    pub(crate) fn snapshots(&self) -> usize {
        self.writes().filter(|write| matches!(write, Write::Snapshot(_))).count()
    }

    pub(crate) fn results(&self) -> usize {
        self.writes().filter(|write| matches!(write, Write::Result(_))).count()
    }

    /// The bytes of records and results. A snapshot is not new: it can be made again from the records.
    pub(crate) fn new_bytes(&self) -> u64 {
        self.requests.iter().map(|writes| new_bytes(writes)).sum()
    }
}

fn new_bytes(writes: &[Write]) -> u64 {
    let record = |record: &Record| serde_json::to_vec(&record.body).map_or(0, |json| json.len());
    let bytes = |write: &Write| match write {
        Write::Records(records) => records.iter().map(record).sum(),
        Write::Result(result) => result.content.len(),
        Write::Snapshot(_) => 0,
    };
    writes.iter().map(bytes).sum::<usize>() as u64
}

/// Runs a session of this many requests with the assembled agent, and records what it writes.
pub(crate) async fn record(requests: u64) -> anyhow::Result<RecordedSession> {
    let folder = tempfile::tempdir()?;
    let settings = folder.path().join("settings.toml");
    std::fs::write(&settings, "")?;
    let ports = Arc::new(RecordingPorts::default());
    let info = ModelInfo::with_window("scripted", WINDOW.0, WINDOW.1);
    // Summaries of compactions are asked for besides.
    let replies = (0..requests * 2).map(|_| {
        let ports = Arc::clone(&ports);
        Reply::Look(Box::new(move |request| ports.answer(request)))
    });
    let model = Arc::new(ScriptedModel::new(info, Box::new(ScriptAwareEstimator), replies));
    let mut session = Throughline::builder()
        .model_port(model)
        .settings_file(settings)
        .built_in_tools(ToolSet::None)
        .tool(Arc::new(Reader))
        .max_requests(TURN * 2)
        .workspace(folder.path())
        .data_dir(folder.path().join("data"))
        .log(ports.clone())
        .snapshots(ports.clone())
        .results(ports.clone())
        .open()
        .await?;
    let id = session.id().clone();
    for turn in 1..=requests.div_ceil(TURN) {
        let text = format!("Step {turn}: look at the next part of the project, and fix what is wrong there.");
        session.send(text).await?;
    }
    session.close().await?;
    let requests = std::mem::take(&mut *ports.writes());
    Ok(RecordedSession { id, requests })
}

/// Stores in memory, and notes every write of the engine that succeeded.
#[derive(Debug, Default)]
struct RecordingPorts {
    log: InMemoryMessageLog,
    snapshots: InMemorySnapshotStore,
    results: InMemoryResultRepository,
    asked: AtomicU64,
    requests: Mutex<Vec<Vec<Write>>>,
}

impl RecordingPorts {
    fn writes(&self) -> MutexGuard<'_, Vec<Vec<Write>>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, write: Write) {
        let place = usize::try_from(self.asked.load(Ordering::Relaxed).saturating_sub(1)).unwrap_or(0);
        let mut writes = self.writes();
        while writes.len() <= place {
            writes.push(Vec::new());
        }
        if let Some(writes) = writes.get_mut(place) {
            writes.push(write);
        }
    }

    /// A call for all but the last request of a turn. A request without tools is for a summary.
    fn answer(&self, request: &CompletionRequest) -> Vec<ContentBlock> {
        if request.tools.is_empty() {
            let text = "Each part was read, and what was wrong there was fixed and tested. ".repeat(60);
            return vec![ContentBlock::Text { text }];
        }
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        if number.is_multiple_of(TURN) {
            let text = "The bounds were wrong in two places, and both have a test now. ".repeat(6);
            return vec![ContentBlock::Text { text }];
        }
        let text = "I look at the file before I change anything, because its callers depend on it.";
        let input = json!({ "path": format!("crates/part_{number}/src/module.rs"), "number": number });
        let call = ToolCall { id: format!("toolu_{number}"), name: "read_part".to_owned(), input };
        vec![ContentBlock::Text { text: text.to_owned() }, ContentBlock::ToolCall(call)]
    }
}

#[async_trait]
impl MessageLog for RecordingPorts {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.log.append(session, records).await?;
        self.note(Write::Records(records.to_vec()));
        Ok(())
    }

    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError> {
        self.log.read_page(session, after, part).await
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        self.log.last(session).await
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        self.log.newest(session, kind).await
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.log.redact(session, records).await
    }
}

#[async_trait]
impl SnapshotStore for RecordingPorts {
    async fn save(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        self.snapshots.save(snapshot).await?;
        self.note(Write::Snapshot(snapshot.clone()));
        Ok(())
    }

    async fn load(&self, session: &SessionId) -> Result<Option<Snapshot>, SnapshotError> {
        self.snapshots.load(session).await
    }

    async fn remove(&self, session: &SessionId) -> Result<(), SnapshotError> {
        self.snapshots.remove(session).await
    }
}

#[async_trait]
impl ResultRepository for RecordingPorts {
    async fn put(&self, result: &StoredResult) -> Result<(), StoreError> {
        self.results.put(result).await?;
        self.note(Write::Result(result.clone()));
        Ok(())
    }

    async fn get(&self, session: &SessionId, id: &ResultRef) -> Result<Option<StoredResult>, StoreError> {
        self.results.get(session, id).await
    }

    async fn list(&self, session: &SessionId) -> Result<Vec<ResultInfo>, StoreError> {
        self.results.list(session).await
    }

    async fn remove(&self, session: &SessionId, id: &ResultRef) -> Result<bool, StoreError> {
        self.results.remove(session, id).await
    }
}

/// Reads a file that it makes up: 2 kB of code, sometimes 60 kB.
#[derive(Debug)]
struct Reader;

#[async_trait]
impl Tool for Reader {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "read_part".to_owned(),
            description: "Reads a part of the project.".to_owned(),
            input_schema: json!({
                "type": "object",
                "properties": { "path": { "type": "string" }, "number": { "type": "integer" } },
            }),
            origin: ToolOrigin::Builtin,
        }
    }

    fn access(&self, _call: &ToolCall) -> Access {
        Access::unnamed(Effect::Read)
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let number = call.input.get("number").and_then(serde_json::Value::as_u64).unwrap_or(0);
        let lines = if number.is_multiple_of(LARGE) { 900 } else { 30 };
        let line = |line: u64| {
            let value = line.wrapping_mul(number) % 9_973;
            format!(
                "{line:>6}  let part{number} = slice.get({line}..{value}).ok_or(\"bad range\")?; // §{line}\n"
            )
        };
        ToolOutput::text((1..=lines).map(line).collect::<String>())
    }
}
