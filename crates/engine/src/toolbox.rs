//! The tools: those that the model is shown, and where large results are stored.

use std::collections::BTreeSet;
use std::sync::Arc;

use throughline_conversation::{
    ExchangeId, Receipt, RecordBody, TokenCounter, ToolCall, ToolDefinition, ToolsRecord, WindowFigures,
};
use throughline_deferral::{
    DeferralManager, DeferralPolicy, RankError, ToolHistory, ToolRanker, deferred_call,
};
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
    /// The counter's tokens of each of them.
    sizes: Vec<u64>,
    /// Number of deferred tools.
    deferred: usize,
    /// Counts repeated calls and requests without progress. `None` if they are allowed.
    repetition: Option<RepetitionGuard>,
    /// Reasons why changes of files are not recorded, and the turns that have them: each is recorded once.
    unrecorded: BTreeSet<(ExchangeId, String)>,
    /// Tools of the caller that are not offered. Each was reported.
    left_out: BTreeSet<String>,
    /// Why the selection changed outside of step 5, for the next request.
    replanned: Option<String>,
    /// Model switches in this run. Each makes the cache cold, so the selection may change.
    switches: u64,
}

impl ToolBox {
    /// The tools of a new session. They have to be counted before they are used.
    pub(crate) fn new(
        catalogue: Arc<[ToolDefinition]>,
        ranker: Arc<dyn ToolRanker>,
        repository: Arc<dyn ResultRepository>,
        results: ResultStore,
        policy: DeferralPolicy,
        repetition: Option<RepetitionGuard>,
    ) -> Self {
        Self {
            catalogue,
            ranker,
            results: Arc::new(results),
            repository,
            deferral: DeferralManager::new(policy),
            active: Arc::from([]),
            sizes: Vec::new(),
            deferred: 0,
            repetition,
            unrecorded: BTreeSet::new(),
            left_out: BTreeSet::new(),
            replanned: None,
            switches: 0,
        }
    }

    /// Definitions that are sent.
    pub(crate) fn active(&self) -> &Arc<[ToolDefinition]> {
        &self.active
    }

    /// The counter's tokens of the active tools.
    pub(crate) fn tokens(&self) -> u64 {
        self.sizes.iter().fold(0, |sum, tokens| sum.saturating_add(*tokens))
    }

    /// The counter's tokens of each active tool.
    pub(crate) fn sizes(&self) -> &[u64] {
        &self.sizes
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
        self.deferred = selected.deferred;
        if *self.active == *selected.active {
            return None;
        }
        let why = selected.changed.unwrap_or_else(|| FIRST_SELECTION.to_owned());
        self.active = selected.active;
        self.count(session.counter());
        window.drop_anchor();
        let record = ToolsRecord { tools: self.active.to_vec(), why: why.clone() };
        session.record(RecordBody::Tools(record));
        Some(why)
    }

    /// Makes the first selection, or continues with the last one of an earlier run. That is planned again for another window or
    /// model, where the cache has nothing, and if there are tools that the model has never been offered. `receipt`: that of the newest
    /// request. Returns true if the list has changed since that.
    pub(crate) async fn resume(
        &mut self,
        active: Vec<ToolDefinition>,
        receipt: Option<&Receipt>,
        model: &str,
        session: &mut Session,
        window: &mut Window,
    ) -> bool {
        if active.is_empty() {
            self.select(session, window);
            return false;
        }
        let may_defer = self.catalogue.iter().any(|tool| tool.origin.is_deferrable());
        let history = match may_defer {
            true => session.tool_history(self.deferral.unused_turns()).await,
            false => ToolHistory::default(),
        };
        self.deferral.restore(&active, history);
        self.active = active.into();
        self.count(session.counter());
        self.select(session, window);
        let fits = receipt.is_some_and(|receipt| {
            let WindowFigures { total, reserved_output, .. } = receipt.window;
            receipt.model == model
                && total.saturating_sub(reserved_output) == window.limits().effective_window
                && self.deferred as u64 <= receipt.tools_deferred
        });
        !fits && self.plan_again(session, window)
    }

    /// Plans the selection again, although the cache is warm. Returns true if it has changed.
    pub(crate) fn plan_again(&mut self, session: &mut Session, window: &mut Window) -> bool {
        self.deferral.plan_again();
        let changed = self.select(session, window);
        let has_changed = changed.is_some();
        self.replanned = changed.or(self.replanned.take());
        has_changed
    }

    /// Tokens by which the selection grows when it is planned the next time.
    pub(crate) fn growth(&self, session: &Session, window: &Window) -> u64 {
        let (mut next, epoch) = (self.deferral.clone(), session.view().epoch());
        next.plan_again();
        let room = window.limits().effective_window;
        let selected = next.select(&self.catalogue, session.counter(), room, epoch, session.turn());
        selected.tokens.saturating_sub(self.tokens())
    }

    /// Takes the reason of a change that no request has reported yet.
    pub(crate) fn take_replanned(&mut self) -> Option<String> {
        self.replanned.take()
    }

    /// Counts the tokens of the active tools.
    pub(crate) fn count(&mut self, counter: &dyn TokenCounter) {
        self.sizes = self.active.iter().map(|tool| counter.tool(tool)).collect();
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

    /// Notes that a tool of the caller is not offered. Returns false if that is noted already.
    pub(crate) fn note_left_out(&mut self, name: &str) -> bool {
        self.left_out.insert(name.to_owned())
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
