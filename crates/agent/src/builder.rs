//! Putting an agent together.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use throughline_budget::{CrossingGate, LadderError, Meter};
use throughline_compaction::{Compactor, Summarizer};
use throughline_completion::LanguageModel;
use throughline_continuity::{
    InMemoryMessageLog, InMemorySnapshotStore, MessageLog, ResumeError, SnapshotStore, resume,
};
use throughline_conversation::{ExchangeId, SessionId, TokenCounter};
use throughline_deferral::{Bm25Ranker, DeferralManager, ToolRanker};
use throughline_documents::DocumentCaps;
use throughline_history::HistoryDatabase;
use throughline_prompt::{BreakpointPlanner, CachePredictor, SectionSource};
use throughline_resultstore::{InMemoryResultRepository, ResultRepository, ResultStore};
use throughline_tools::{CancelFlag, RepetitionGuard, ToolRegistry};

use crate::cached_prefix::Left;
use crate::checkpointing::{Checkpoints, Progress};
use crate::engine::{Engine, Notes, Parts, Wire};
use crate::journal::Journal;
use crate::keeping::Keeping;
use crate::system_prompt::SystemTokens;
use crate::{Agent, Clock, Memory, NextModel, Settings, Silent, SystemClock, input, switching, tools};

/// Collects ports; everything but the model, the counter and the settings has a default that lives in memory.
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
    registry: ToolRegistry,
    ranker: Arc<dyn ToolRanker>,
    sources: Vec<Arc<dyn SectionSource>>,
    summarizer: Option<Arc<dyn Summarizer>>,
    fallbacks: VecDeque<NextModel>,
    keeping: Keeping,
    /// Whether identical calls are run however often they are repeated.
    repetition: bool,
    /// Tools whose results always stay in view as a whole.
    whole: Vec<String>,
}

/// Why an agent could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The thresholds contradict each other or the window.
    #[error("the thresholds do not fit the window")]
    Thresholds(#[from] LadderError),
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
            registry: ToolRegistry::new(),
            ranker: Arc::new(Bm25Ranker),
            sources: Vec::new(),
            summarizer: None,
            fallbacks: VecDeque::new(),
            keeping: Keeping::default(),
            repetition: false,
            whole: Vec::new(),
        }
    }

    /// The folder that tools work in. Defaults to the current one.
    #[must_use]
    pub fn workspace(mut self, folder: impl Into<PathBuf>) -> Self {
        self.workspace = folder.into();
        self
    }

    /// The clock. Defaults to the machine's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Where the log is kept.
    #[must_use]
    pub fn log(mut self, log: Arc<dyn MessageLog>) -> Self {
        self.log = log;
        self
    }

    /// Where snapshots are kept.
    #[must_use]
    pub fn snapshots(mut self, snapshots: Arc<dyn SnapshotStore>) -> Self {
        self.snapshots = snapshots;
        self
    }

    /// Where large results are kept.
    #[must_use]
    pub fn results(mut self, results: Arc<dyn ResultRepository>) -> Self {
        self.results = results;
        self
    }

    /// The tools.
    #[must_use]
    pub fn tools(mut self, registry: ToolRegistry) -> Self {
        self.registry = registry;
        self
    }

    /// How tools are found by `tool_search`. Defaults to words, by BM25.
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

    /// Who writes summaries. Without one they are extracted from the messages by rule.
    #[must_use]
    pub fn summarizer(mut self, summarizer: Arc<dyn Summarizer>) -> Self {
        self.summarizer = Some(summarizer);
        self
    }

    /// Adds a model that goes on when the one before cannot answer, after all retries: overloaded, out of reach, an answer
    /// that breaks off each time, a key that is refused, a model that the provider does not have. What was shown of an
    /// answer is withdrawn.
    #[must_use]
    pub fn fallback(mut self, next: NextModel) -> Self {
        self.fallbacks.push_back(next);
        self
    }

    /// Keeps STATE and a scratchpad: the model's signals are read, `manage_scratchpad` is offered, and both are shown at
    /// the end of each request.
    #[must_use]
    pub fn documents(mut self, caps: DocumentCaps) -> Self {
        self.keeping.documents = Some(caps);
        self
    }

    /// Lets the model ask the session's history by SQL (`query_db`).
    #[must_use]
    pub fn history(mut self, history: Arc<dyn HistoryDatabase>) -> Self {
        self.keeping.history = Some(history);
        self
    }

    /// Recalls memos, and lets the model save and search them.
    #[must_use]
    pub fn memory(mut self, memory: Memory) -> Self {
        self.keeping.memory = Some(memory);
        self
    }

    /// Runs identical calls however often they come in a row. By default the sixth is refused, with a text that tells the
    /// model so.
    #[must_use]
    pub fn allow_repetition(mut self) -> Self {
        self.repetition = true;
        self
    }

    /// Shows every result of a tool whole, however large it is. For tools that bound their own results and whose results
    /// are of use only as a whole, such as instructions.
    #[must_use]
    pub fn never_offload(mut self, tool: impl Into<String>) -> Self {
        self.whole.push(tool.into());
        self
    }

    /// Makes checkpoints, and tells a resumed session where it stands.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.keeping.checkpoints = Some(checkpoints);
        self
    }

    /// Opens a session: goes on where its log ends, or starts it when the log is empty.
    ///
    /// # Errors
    /// [`StartError`] when the thresholds are impossible or the log cannot be read.
    pub async fn open(self, session: SessionId) -> Result<Agent, StartError> {
        let info = self.model.info();
        let found =
            resume(self.log.as_ref(), self.snapshots.as_ref(), &session, self.counter.as_ref()).await?;
        let learnt = found.model.as_ref().map(|model| model.learnt.clone()).unwrap_or_default();
        let origin = info.origin();
        let known = learnt.get(&origin.to_string()).copied();
        let (window, limits) = switching::window_of(&info, &self.settings, known)?;

        let catalogue = tools::catalogue(&self.keeping, &self.registry.definitions());
        let exempt = tools::EXEMPT.map(str::to_owned).into_iter().chain(self.whole);
        let repository = Arc::clone(&self.results);
        let results = ResultStore::new(self.results, session.clone(), self.settings.offload, exempt);
        let compactor = Compactor::new(self.settings.compaction.clone(), self.summarizer);
        let mut deferral = DeferralManager::new(self.settings.deferral);
        let active = found.tools.map(|record| record.tools).unwrap_or_default();
        if !active.is_empty() {
            deferral.restore(&active);
        }
        let journal = Journal::new(self.log, session.clone(), Arc::clone(&self.clock), found.last);
        let receipt = found.receipt.as_ref();
        let mut engine = Engine {
            journal,
            exchange: found.exchange.max(ExchangeId(0)),
            turn: receipt.map_or(0, |receipt| receipt.turn),
            request: receipt.map_or(0, |receipt| receipt.request),
            view: found.view,
            window,
            limits,
            meter: Meter::new(),
            meters: BTreeMap::new(),
            learnt,
            switches: 0,
            sent_at: None,
            counted_epoch: 0,
            gate: CrossingGate::default(),
            deferral,
            left: Left::default(),
            planner: BreakpointPlanner::new(),
            predictor: CachePredictor::default(),
            system: Arc::from(Vec::new()),
            system_tokens: SystemTokens::default(),
            tools: active.into(),
            tools_tokens: 0,
            deferred: 0,
            fresh_turn: false,
            prompt_epoch: None,
            rewritten: false,
            last_sections: BTreeMap::new(),
            unsaved_snapshot: false,
            notes: Notes::default(),
            documents_tokens: 0,
            tail_tokens: 0,
            note_due: false,
            repetition: (!self.repetition).then(RepetitionGuard::new),
            progress: Progress::of(found.checkpoint.as_ref()),
            resumed: None,
            resumed_from: None,
            recalled: None,
            complaints: Vec::new(),
            parts: Parts {
                session,
                workspace: self.workspace,
                model: self.model,
                info,
                counter: self.counter,
                clock: self.clock,
                snapshots: self.snapshots,
                results: Arc::new(results),
                repository,
                registry: Arc::new(self.registry),
                catalogue,
                ranker: self.ranker,
                sources: self.sources,
                compactor,
                settings: self.settings,
                keeping: self.keeping,
                fallbacks: self.fallbacks,
            },
        };
        if let Some(prompt) = found.prompt {
            engine.restore_system(prompt.sections.into());
        }
        engine.count_documents();
        let counter = Arc::clone(&engine.parts.counter);
        engine.tools_tokens = engine.tools.iter().map(|tool| counter.tool(tool)).sum();
        if engine.tools.is_empty() {
            engine.select_tools();
        }
        if let Some(receipt) = &found.receipt {
            engine.anchor_on(receipt);
        }
        let reads = engine.view.reader().is_some_and(|reader| {
            *reader.origin == origin && reader.foreign == engine.parts.settings.foreign
        });
        if !reads {
            // Calls that are open belong to the model that made them.
            let cancel = CancelFlag::default();
            input::seal(&mut engine, &Wire { sink: &Silent, cancel: &cancel });
            engine.record_model();
        }
        engine.counted_epoch = engine.view.epoch();
        engine.resumed_from = found.checkpoint;
        engine.resumed = engine.resume_note(engine.resumed_from.as_ref()).await;
        Ok(Agent { engine, resumed: found.rebuilt })
    }
}
