//! Building an agent.

mod open;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use throughline_compaction::Summarizer;
use throughline_completion::LanguageModel;
use throughline_continuity::{MessageLog, SnapshotStore};
use throughline_conversation::TokenCounter;
use throughline_deferral::ToolRanker;
use throughline_documents::DocumentCaps;
use throughline_engine::{
    Checkpoints, Clock, ContextEngine, EngineBuilder, MemoryPorts, Settings, SpendingGuard,
};
use throughline_history::HistoryDatabase;
use throughline_prompt::SectionSource;
use throughline_resultstore::ResultRepository;
use throughline_tools::ToolRegistry;

use crate::background_work::BackgroundWork;
use crate::listener::Listeners;
use crate::next_model::NextModel;
use crate::turn_hooks::TurnHooks;
use crate::user_messages::UserMessages;

/// Builds an [`Agent`](crate::Agent). All ports but the model and its counter have a default that lives in memory.
#[derive(Debug)]
pub struct AgentBuilder {
    engine: EngineBuilder,
    model: Arc<dyn LanguageModel>,
    registry: ToolRegistry,
    workspace: PathBuf,
    fallbacks: VecDeque<NextModel>,
    spending: Option<Arc<dyn SpendingGuard>>,
    calls_need_log: bool,
    listeners: Option<Arc<dyn Listeners>>,
    user_messages: Option<Arc<dyn UserMessages>>,
    background: Option<Arc<dyn BackgroundWork>>,
    hooks: Option<Arc<dyn TurnHooks>>,
}

impl AgentBuilder {
    pub(crate) fn new(
        model: Arc<dyn LanguageModel>,
        counter: Arc<dyn TokenCounter>,
        settings: Settings,
    ) -> Self {
        Self {
            engine: ContextEngine::builder(model.info(), counter, settings).server(model.server()),
            model,
            registry: ToolRegistry::new(),
            workspace: PathBuf::from("."),
            fallbacks: VecDeque::new(),
            spending: None,
            calls_need_log: false,
            listeners: None,
            user_messages: None,
            background: None,
            hooks: None,
        }
    }

    fn with_engine(self, set: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Self {
        Self { engine: set(self.engine), ..self }
    }

    /// Sets the folder that tools work in. Default: the current one.
    #[must_use]
    pub fn workspace(mut self, folder: impl Into<PathBuf>) -> Self {
        self.workspace = folder.into();
        self
    }

    /// Sets the clock. Default: the machine's.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        self.with_engine(|engine| engine.clock(clock))
    }

    /// Sets the log. Default: in memory.
    #[must_use]
    pub fn log(self, log: Arc<dyn MessageLog>) -> Self {
        self.with_engine(|engine| engine.log(log))
    }

    /// Sets the snapshot store. Default: in memory.
    #[must_use]
    pub fn snapshots(self, snapshots: Arc<dyn SnapshotStore>) -> Self {
        self.with_engine(|engine| engine.snapshots(snapshots))
    }

    /// Sets the store of offloaded results. Default: in memory.
    #[must_use]
    pub fn results(self, results: Arc<dyn ResultRepository>) -> Self {
        self.with_engine(|engine| engine.results(results))
    }

    /// Sets the tools. Default: none besides the engine's own.
    #[must_use]
    pub fn tools(mut self, registry: ToolRegistry) -> Self {
        self.registry = registry;
        self
    }

    /// Sets the ranker of `tool_search`. Default: BM25 over words.
    #[must_use]
    pub fn ranker(self, ranker: Arc<dyn ToolRanker>) -> Self {
        self.with_engine(|engine| engine.ranker(ranker))
    }

    /// Adds a source of system prompt sections.
    #[must_use]
    pub fn section(self, source: Arc<dyn SectionSource>) -> Self {
        self.with_engine(|engine| engine.section(source))
    }

    /// Sets the summarizer. Default: summaries are extracted from the messages by rule.
    #[must_use]
    pub fn summarizer(self, summarizer: Arc<dyn Summarizer>) -> Self {
        self.with_engine(|engine| engine.summarizer(summarizer))
    }

    /// Lets the model write summaries while the agent works, where the policy does not wait for them: a compaction then uses what is
    /// ready. Needs a summarizer.
    #[must_use]
    pub fn summaries_ahead(self) -> Self {
        self.with_engine(EngineBuilder::summaries_ahead)
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
    pub fn documents(self, caps: DocumentCaps) -> Self {
        self.with_engine(|engine| engine.documents(caps))
    }

    /// Lets the model query the session's history by SQL (`query_db`).
    #[must_use]
    pub fn history(self, history: Arc<dyn HistoryDatabase>) -> Self {
        self.with_engine(|engine| engine.history(history))
    }

    /// Recalls memos, and lets the model save and search them.
    #[must_use]
    pub fn memory(self, memory: MemoryPorts) -> Self {
        self.with_engine(|engine| engine.memory(memory))
    }

    /// Does not give the model the engine's tool of this name.
    #[must_use]
    pub fn without_tool(self, name: &'static str) -> Self {
        self.with_engine(|engine| engine.without_tool(name))
    }

    /// Runs identical calls however often they are repeated. By default a
    /// [`RepetitionGuard`](throughline_tools::RepetitionGuard) refuses them, and the result tells the model so.
    #[must_use]
    pub fn allow_repetition(self) -> Self {
        self.with_engine(EngineBuilder::allow_repetition)
    }

    /// Never offloads results of this tool, however large they are: for tools that limit their results themselves and whose
    /// results are useful only as a whole, such as instructions.
    #[must_use]
    pub fn never_offload(self, tool: impl Into<String>) -> Self {
        self.with_engine(|engine| engine.never_offload(tool))
    }

    /// The name of the policy that the settings come from. The log records it unless it is the one recorded last.
    #[must_use]
    pub fn policy(self, name: impl Into<String>) -> Self {
        self.with_engine(|engine| engine.policy(name))
    }

    /// Runs no call of the model while records of the session cannot be stored: the calls are refused, and the turn ends with
    /// [`TurnError::Unsaved`](crate::TurnError::Unsaved). Default: records wait in memory, and calls run.
    #[must_use]
    pub fn calls_need_log(self) -> Self {
        Self { calls_need_log: true, ..self }
    }

    /// Asks before each request whether it may be paid for. Default: no limit.
    #[must_use]
    pub fn spending(mut self, guard: Arc<dyn SpendingGuard>) -> Self {
        self.spending = Some(Arc::clone(&guard));
        self.with_engine(|engine| engine.spending(guard))
    }

    /// Sets who receives all events of the session, besides the sink of each call. Default: no listener.
    #[must_use]
    pub fn listeners(mut self, listeners: Arc<dyn Listeners>) -> Self {
        self.listeners = Some(listeners);
        self
    }

    /// Sets who has the messages that the user sends while a turn runs. Default: nothing is added to a running turn.
    #[must_use]
    pub fn user_messages(mut self, messages: Arc<dyn UserMessages>) -> Self {
        self.user_messages = Some(messages);
        self
    }

    /// Sets what has the session's work in the background. The model learns its ends. Default: nothing.
    #[must_use]
    pub fn background(mut self, work: Arc<dyn BackgroundWork>) -> Self {
        self.background = Some(work);
        self
    }

    /// Sets what is asked at the boundaries of a turn. Default: nothing.
    #[must_use]
    pub fn hooks(mut self, hooks: Arc<dyn TurnHooks>) -> Self {
        self.hooks = Some(hooks);
        self
    }

    /// Records checkpoints, and tells a resumed session where it stands.
    #[must_use]
    pub fn checkpoints(self, checkpoints: Checkpoints) -> Self {
        self.with_engine(|engine| engine.checkpoints(checkpoints))
    }
}
