//! The tools: those that the model is shown, and where large results are stored.

use std::collections::BTreeSet;
use std::sync::Arc;

use throughline_conversation::{ExchangeId, RecordBody, TokenCounter, ToolCall, ToolDefinition, ToolsRecord};
use throughline_deferral::{DeferralManager, DeferralPolicy, RankError, ToolRanker, deferred_call};
use throughline_resultstore::{OffloadPolicy, ResultRepository, ResultStore};
use throughline_tools::{RepetitionGuard, ToolOutput};

use crate::session::Session;
use crate::window::Window;

/// The tools of the session and the selection that is sent.
#[derive(Debug)]
pub(crate) struct ToolBox {
    /// Definitions of all tools, the engine's own first.
    catalogue: Arc<[ToolDefinition]>,
    ranker: Arc<dyn ToolRanker>,
    results: Arc<ResultStore>,
    repository: Arc<dyn ResultRepository>,
    deferral: DeferralManager,
    /// Definitions that are sent.
    active: Arc<[ToolDefinition]>,
    tokens: u64,
    /// Number of deferred tools.
    deferred: usize,
    /// Counts repeated calls and requests without progress. `None` if they are allowed.
    repetition: Option<RepetitionGuard>,
    /// Reasons why changes of files are not recorded, and the turns that have them: each is recorded once.
    unrecorded: BTreeSet<(ExchangeId, String)>,
    /// Model switches in this run. Each makes the cache cold, so the selection may change.
    switches: u64,
}

impl ToolBox {
    /// The tools of a session whose last selection is `active`. They have to be counted before they are used.
    pub(crate) fn new(
        catalogue: Arc<[ToolDefinition]>,
        ranker: Arc<dyn ToolRanker>,
        repository: Arc<dyn ResultRepository>,
        results: ResultStore,
        policy: DeferralPolicy,
        active: Vec<ToolDefinition>,
        repetition: Option<RepetitionGuard>,
    ) -> Self {
        let mut deferral = DeferralManager::new(policy);
        if !active.is_empty() {
            deferral.restore(&active);
        }
        Self {
            catalogue,
            ranker,
            results: Arc::new(results),
            repository,
            deferral,
            active: active.into(),
            tokens: 0,
            deferred: 0,
            repetition,
            unrecorded: BTreeSet::new(),
            switches: 0,
        }
    }

    /// Definitions that are sent.
    pub(crate) fn active(&self) -> &Arc<[ToolDefinition]> {
        &self.active
    }

    /// The counter's tokens of the active tools.
    pub(crate) fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Number of deferred tools.
    pub(crate) fn deferred(&self) -> usize {
        self.deferred
    }

    pub(crate) fn results(&self) -> &ResultStore {
        &self.results
    }

    pub(crate) fn repository(&self) -> &dyn ResultRepository {
        self.repository.as_ref()
    }

    /// Lets deferral select the tools that are sent, and records a changed selection. Returns the reason of the change.
    /// The selection changes only when the cache is cold or a tool was promoted.
    pub(crate) fn select(&mut self, session: &mut Session, window: &mut Window) -> Option<String> {
        let epoch = session.view().epoch().saturating_add(self.switches);
        let selected = self.deferral.select(
            &self.catalogue,
            session.counter(),
            window.limits().effective_window,
            epoch,
            session.turn(),
        );
        self.tokens = selected.tokens;
        self.deferred = selected.deferred;
        if *self.active == *selected.active {
            return None;
        }
        let why = selected.changed.unwrap_or_else(|| FIRST_SELECTION.to_owned());
        self.active = selected.active;
        window.drop_anchor();
        let record = ToolsRecord { tools: self.active.to_vec(), why: why.clone() };
        session.record(RecordBody::Tools(record));
        Some(why)
    }

    /// Counts the tokens of the active tools.
    pub(crate) fn count(&mut self, counter: &dyn TokenCounter) {
        self.tokens = self.tokens_by(counter);
    }

    /// Tokens of the active tools by another counter.
    pub(crate) fn tokens_by(&self, counter: &dyn TokenCounter) -> u64 {
        self.active.iter().map(|tool| counter.tool(tool)).sum()
    }

    /// Counts the tools for the next model. Its cache is cold, so the selection may change.
    pub(crate) fn follow_switch(&mut self, counter: &dyn TokenCounter) {
        self.count(counter);
        self.switches += 1;
    }

    /// Replaces the definitions that the next selection is made of.
    pub(crate) fn replace(&mut self, catalogue: Arc<[ToolDefinition]>) {
        self.catalogue = catalogue;
    }

    /// Offloads results by another policy from here on.
    pub(crate) fn adopt_policy(&mut self, policy: OffloadPolicy) {
        self.results = Arc::new(self.results.with_policy(policy));
    }

    /// Searches the deferred tools.
    pub(crate) async fn search(&self, query: &str) -> Result<Vec<ToolDefinition>, RankError> {
        self.deferral.search(self.ranker.as_ref(), query).await
    }

    /// Promotes deferred tools. Returns the names of those that were not described before.
    pub(crate) fn promote(&mut self, names: &[String], turn: u64) -> Vec<String> {
        self.deferral.promote(names, turn)
    }

    /// Returns true if the model has the tool that calls deferred tools.
    pub(crate) fn has_call_tool(&self) -> bool {
        self.deferral.has_call_tool()
    }

    /// Promotes all deferred tools.
    pub(crate) fn promote_all(&mut self, turn: u64) -> Vec<String> {
        self.deferral.promote_all(turn)
    }

    /// Notes that the model has called a tool.
    pub(crate) fn mark_used(&mut self, name: &str, turn: u64) {
        self.deferral.mark_used(name, turn);
    }

    /// Observes a call. Returns its output if it is repeated too often.
    pub(crate) fn refuse_repeated(&mut self, call: &ToolCall) -> Option<ToolOutput> {
        self.repetition.as_mut().and_then(|guard| guard.observe(call).refusal())
    }

    /// The call that is run: of a deferred tool, that tool's own. The log has the call as the model wrote it.
    pub(crate) fn meant(&self, call: &ToolCall) -> ToolCall {
        let deferred = self.has_call_tool().then(|| deferred_call(call)).flatten();
        deferred.unwrap_or_else(|| call.clone())
    }

    /// Counts the calls of a new turn from its begin.
    pub(crate) fn begin_turn(&mut self) {
        if let Some(guard) = &mut self.repetition {
            guard.begin_turn();
        }
    }

    /// Notes the output of a call that was run.
    pub(crate) fn note_output(&mut self, call: &ToolCall, output: &ToolOutput) {
        if let Some(guard) = &mut self.repetition {
            guard.note_output(call, output);
        }
    }

    /// Notes that all calls of a request have a result.
    pub(crate) fn end_request(&mut self) {
        if let Some(guard) = &mut self.repetition {
            guard.end_request();
        }
    }

    /// Notes that the answer to a request calls nothing.
    pub(crate) fn end_without_calls(&mut self) {
        if let Some(guard) = &mut self.repetition {
            guard.end_without_calls();
        }
    }

    /// Requests in a row without progress, if they have reached the limit.
    pub(crate) fn stalled(&self) -> Option<u64> {
        self.repetition.as_ref().and_then(RepetitionGuard::stalled)
    }

    /// Notes why changes of files are not recorded. Returns false if the turn has this reason already.
    pub(crate) fn note_unrecorded(&mut self, turn: ExchangeId, why: &str) -> bool {
        self.unrecorded.insert((turn, why.to_owned()))
    }
}

/// Reason of the selection that is made when a session is opened.
pub(crate) const FIRST_SELECTION: &str = "first list of the session";
