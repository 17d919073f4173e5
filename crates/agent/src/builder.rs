//! Building an agent.

mod open;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use throughline_budget::InvalidThresholds;
use throughline_compaction::Summarizer;
use throughline_completion::LanguageModel;
use throughline_continuity::{
    InMemoryMessageLog, InMemorySnapshotStore, MessageLog, ResumeError, SnapshotStore,
};
use throughline_conversation::TokenCounter;
use throughline_deferral::{Bm25Ranker, ToolRanker};
use throughline_documents::DocumentCaps;
use throughline_history::HistoryDatabase;
use throughline_prompt::SectionSource;
use throughline_resultstore::{InMemoryResultRepository, ResultRepository};
use throughline_tools::ToolRegistry;

use crate::clock::{Clock, SystemClock};
use crate::continuity_ports::{Checkpoints, ContinuityPorts, MemoryPorts};
use crate::listener::Listeners;
use crate::settings::Settings;
use crate::spending::{Guard, SpendingGuard};
use crate::switching::NextModel;

/// Builds an [`Agent`](crate::Agent). All ports but the model and its counter have a default that lives in memory.
#[derive(Debug)]
pub struct AgentBuilder {
    model: Arc<dyn LanguageModel>,
    counter: Arc<dyn TokenCounter>,
    settings: Settings,
    workspace: PathBuf,
    clock: Arc<dyn Clock>,
    log: Arc<dyn MessageLog>,
    snapshots: Arc<dyn SnapshotStore>,
    results: Arc<dyn ResultRepository>,
    registry: Arc<ToolRegistry>,
    ranker: Arc<dyn ToolRanker>,
    sources: Vec<Arc<dyn SectionSource>>,
    summarizer: Option<Arc<dyn Summarizer>>,
    fallbacks: VecDeque<NextModel>,
    continuity: ContinuityPorts,
    /// Identical calls are run however often they are repeated.
    allow_repetition: bool,
    /// Tools whose results are never offloaded.
    inline: Vec<String>,
    /// The name of the policy that the settings come from.
    policy: Option<String>,
    /// Limits what the session may cost.
    spending: Guard,
    listeners: Option<Arc<dyn Listeners>>,
}

/// Why a session could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The thresholds contradict each other or the window.
    #[error("the thresholds do not fit the window")]
    Thresholds(#[from] InvalidThresholds),
    /// The session could not be read.
    #[error("the session could not be resumed")]
    Resume(#[from] ResumeError),
}

impl AgentBuilder {
    pub(crate) fn new(
        model: Arc<dyn LanguageModel>,
        counter: Arc<dyn TokenCounter>,
        settings: Settings,
    ) -> Self {
        Self {
            model,
            counter,
            settings,
            workspace: PathBuf::from("."),
            clock: Arc::new(SystemClock),
            log: Arc::new(InMemoryMessageLog::default()),
            snapshots: Arc::new(InMemorySnapshotStore::default()),
            results: Arc::new(InMemoryResultRepository::default()),
            registry: Arc::new(ToolRegistry::new()),
            ranker: Arc::new(Bm25Ranker),
            sources: Vec::new(),
            summarizer: None,
            fallbacks: VecDeque::new(),
            continuity: ContinuityPorts::default(),
            allow_repetition: false,
            inline: Vec::new(),
            policy: None,
            spending: None,
            listeners: None,
        }
    }

    /// Sets the folder that tools work in. Default: the current one.
    #[must_use]
    pub fn workspace(mut self, folder: impl Into<PathBuf>) -> Self {
        self.workspace = folder.into();
        self
    }

    /// Sets the clock. Default: the machine's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the log. Default: in memory.
    #[must_use]
    pub fn log(mut self, log: Arc<dyn MessageLog>) -> Self {
        self.log = log;
        self
    }

    /// Sets the snapshot store. Default: in memory.
    #[must_use]
    pub fn snapshots(mut self, snapshots: Arc<dyn SnapshotStore>) -> Self {
        self.snapshots = snapshots;
        self
    }

    /// Sets the store of offloaded results. Default: in memory.
    #[must_use]
    pub fn results(mut self, results: Arc<dyn ResultRepository>) -> Self {
        self.results = results;
        self
    }

    /// Sets the tools. Default: none besides the engine's own.
    #[must_use]
    pub fn tools(mut self, registry: ToolRegistry) -> Self {
        self.registry = Arc::new(registry);
        self
    }

    /// Sets the ranker of `tool_search`. Default: BM25 over words.
    #[must_use]
    pub fn ranker(mut self, ranker: Arc<dyn ToolRanker>) -> Self {
        self.ranker = ranker;
        self
    }

    /// Adds a source of system prompt sections.
    #[must_use]
    pub fn section(mut self, source: Arc<dyn SectionSource>) -> Self {
        self.sources.push(source);
        self
    }

    /// Sets the summarizer. Default: summaries are extracted from the messages by rule.
    #[must_use]
    pub fn summarizer(mut self, summarizer: Arc<dyn Summarizer>) -> Self {
        self.summarizer = Some(summarizer);
        self
    }

    /// Adds a fallback model. It takes over when the previous model fails after all retries: overloaded, unreachable, a
    /// rejected key, a missing model, an answer that breaks off each time. What was shown of an answer is withdrawn.
    #[must_use]
    pub fn fallback(mut self, next: NextModel) -> Self {
        self.fallbacks.push_back(next);
        self
    }

    /// Turns on STATE and the scratchpad: the model's signals are read, `manage_scratchpad` is offered, and both documents
    /// are shown at the end of each request.
    #[must_use]
    pub fn documents(mut self, caps: DocumentCaps) -> Self {
        self.continuity.documents = Some(caps);
        self
    }

    /// Lets the model query the session's history by SQL (`query_db`).
    #[must_use]
    pub fn history(mut self, history: Arc<dyn HistoryDatabase>) -> Self {
        self.continuity.history = Some(history);
        self
    }

    /// Recalls memos, and lets the model save and search them.
    #[must_use]
    pub fn memory(mut self, memory: MemoryPorts) -> Self {
        self.continuity.memory = Some(memory);
        self
    }

    /// Runs identical calls however often they are repeated. By default a
    /// [`RepetitionGuard`](throughline_tools::RepetitionGuard) refuses them, and the result tells the model so.
    #[must_use]
    pub fn allow_repetition(mut self) -> Self {
        self.allow_repetition = true;
        self
    }

    /// Never offloads results of this tool, however large they are: for tools that limit their results themselves and whose
    /// results are useful only as a whole, such as instructions.
    #[must_use]
    pub fn never_offload(mut self, tool: impl Into<String>) -> Self {
        self.inline.push(tool.into());
        self
    }

    /// The name of the policy that the settings come from. The log records it unless it is the one recorded last.
    #[must_use]
    pub fn policy(mut self, name: impl Into<String>) -> Self {
        self.policy = Some(name.into());
        self
    }

    /// Asks before each request whether it may be paid for. Default: no limit.
    #[must_use]
    pub fn spending(mut self, guard: Arc<dyn SpendingGuard>) -> Self {
        self.spending = Some(guard);
        self
    }

    /// Sets who receives all events of the session, besides the sink of each call. Default: no listener.
    #[must_use]
    pub fn listeners(mut self, listeners: Arc<dyn Listeners>) -> Self {
        self.listeners = Some(listeners);
        self
    }

    /// Records checkpoints, and tells a resumed session where it stands.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.continuity.checkpoints = Some(checkpoints);
        self
    }
}
