//! Building an engine for one session.

mod continuing;
mod open;

use std::sync::Arc;

use throughline_budget::InvalidThresholds;
use throughline_compaction::Summarizer;
use throughline_completion::ModelInfo;
use throughline_continuity::{
    InMemoryMessageLog, InMemorySnapshotStore, MessageLog, ResumeError, SnapshotStore,
};
use throughline_conversation::{ServerAddress, TokenCounter, ToolDefinition};
use throughline_deferral::{Bm25Ranker, ToolRanker};
use throughline_documents::DocumentCaps;
use throughline_history::HistoryDatabase;
use throughline_prompt::{FixedSections, PromptSection, SectionSource};
use throughline_resultstore::{InMemoryResultRepository, ResultRepository};

use crate::active_model::SummarySource;
use crate::clock::{Clock, SystemClock};
use crate::continuity_ports::{Checkpoints, ContinuityPorts, MemoryPorts};
use crate::event::{EventSink, NullSink};
use crate::settings::Settings;
use crate::spending::{Guard, SpendingGuard};

/// Builds a [`ContextEngine`](crate::ContextEngine). Every port but the counter has a default that lives in memory.
pub struct EngineBuilder {
    info: ModelInfo,
    server: Option<ServerAddress>,
    counter: Arc<dyn TokenCounter>,
    settings: Settings,
    clock: Arc<dyn Clock>,
    log: Arc<dyn MessageLog>,
    snapshots: Arc<dyn SnapshotStore>,
    results: Arc<dyn ResultRepository>,
    /// Definitions of the caller's tools.
    tools: Vec<ToolDefinition>,
    ranker: Arc<dyn ToolRanker>,
    sources: Vec<Arc<dyn SectionSource>>,
    summaries: SummarySource,
    events: Arc<dyn EventSink>,
    continuity: ContinuityPorts,
    /// Identical calls are run however often they are repeated.
    allow_repetition: bool,
    summaries_ahead: bool,
    /// Tools whose results are never offloaded.
    inline: Vec<String>,
    /// The name of the policy that the settings come from.
    policy: Option<String>,
    /// Limits what the session may cost.
    spending: Guard,
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

impl EngineBuilder {
    pub(crate) fn new(info: ModelInfo, counter: Arc<dyn TokenCounter>, settings: Settings) -> Self {
        Self {
            info,
            server: None,
            counter,
            settings,
            clock: Arc::new(SystemClock),
            log: Arc::new(InMemoryMessageLog::default()),
            snapshots: Arc::new(InMemorySnapshotStore::default()),
            results: Arc::new(InMemoryResultRepository::default()),
            tools: Vec::new(),
            ranker: Arc::new(Bm25Ranker),
            sources: Vec::new(),
            summaries: SummarySource::default(),
            events: Arc::new(NullSink),
            continuity: ContinuityPorts::default(),
            allow_repetition: false,
            summaries_ahead: false,
            inline: Vec::new(),
            policy: None,
            spending: None,
        }
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

    /// Sets the tools that the model can be given besides the engine's own. Default: none.
    ///
    /// A tool is left out if its name is an engine tool's or another tool's, or if providers refuse its name or its schema. Each is a
    /// degradation: an event, and a line in the next receipt.
    #[must_use]
    pub fn tools(mut self, tools: &[ToolDefinition]) -> Self {
        self.tools = tools.to_vec();
        self
    }

    /// Sets the ranker of `tool_search`. Default: BM25 over words.
    #[must_use]
    pub fn ranker(mut self, ranker: Arc<dyn ToolRanker>) -> Self {
        self.ranker = ranker;
        self
    }

    /// Adds a section of the system prompt with this text.
    #[must_use]
    pub fn system_prompt(self, text: impl Into<String>) -> Self {
        let section = PromptSection::base("system", text.into());
        self.section(Arc::new(FixedSections::new("system", [section])))
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
        self.summaries = SummarySource::Port(summarizer);
        self
    }

    /// Lets a model write summaries while the session works: the caller runs what
    /// [`begin_summary`](crate::Operation::begin_summary) returns. Policies that wait for their model are not changed by it.
    #[must_use]
    pub fn summaries_ahead(mut self) -> Self {
        self.summaries_ahead = true;
        self
    }

    /// Asks the caller for the summaries of due compactions: [`Next::Summarize`](crate::Next::Summarize) has the request. It
    /// replaces a summarizer.
    #[must_use]
    pub fn summaries_by_caller(mut self) -> Self {
        self.summaries = SummarySource::Caller;
        self
    }

    /// Sets the server that the model is reached at, for events. Default: not known.
    #[must_use]
    pub fn server(mut self, server: Option<ServerAddress>) -> Self {
        self.server = server;
        self
    }

    /// Sets who receives the events of operations that are called on the engine itself. Default: nothing receives them.
    #[must_use]
    pub fn events(mut self, sink: Arc<dyn EventSink>) -> Self {
        self.events = sink;
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

    /// Does not give the model the engine's tool of this name.
    #[must_use]
    pub fn without_tool(mut self, name: &'static str) -> Self {
        self.continuity.left_out.push(name);
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

    /// Sets who counts what requests have used. The owner of the loop asks it before each request. Default: no limit.
    #[must_use]
    pub fn spending(mut self, guard: Arc<dyn SpendingGuard>) -> Self {
        self.spending = Some(guard);
        self
    }

    /// Records checkpoints, and tells a resumed session where it stands.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.continuity.checkpoints = Some(checkpoints);
        self
    }
}

impl std::fmt::Debug for EngineBuilder {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { info, settings, tools, policy, .. } = self;
        out.debug_struct("EngineBuilder")
            .field("info", info)
            .field("settings", settings)
            .field("tools", tools)
            .field("policy", policy)
            .finish_non_exhaustive()
    }
}
