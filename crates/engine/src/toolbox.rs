//! The tools: those that the model is shown, and where large results are stored.

use std::collections::BTreeSet;
use std::sync::Arc;

use throughline_conversation::{ExchangeId, RecordBody, TokenCounter, ToolDefinition, ToolsRecord};
use throughline_deferral::{DeferralManager, ToolRanker};
use throughline_resultstore::{ResultRepository, ResultStore};
use throughline_tools::RepetitionGuard;

use crate::session::Session;
use crate::window::Window;

/// The tools of the session and the selection that is sent.
#[derive(Debug)]
pub(crate) struct ToolBox {
    /// Definitions of all tools, the engine's own first.
    pub(crate) catalogue: Arc<[ToolDefinition]>,
    pub(crate) ranker: Arc<dyn ToolRanker>,
    pub(crate) results: Arc<ResultStore>,
    pub(crate) repository: Arc<dyn ResultRepository>,
    pub(crate) deferral: DeferralManager,
    /// Definitions that are sent.
    pub(crate) active: Arc<[ToolDefinition]>,
    pub(crate) tokens: u64,
    /// Number of deferred tools.
    pub(crate) deferred: usize,
    /// Counts identical calls in a row. `None` if they are allowed.
    pub(crate) repetition: Option<RepetitionGuard>,
    /// Reasons why changes of files are not recorded, and the turns that have them: each is recorded once.
    pub(crate) unrecorded: BTreeSet<(ExchangeId, String)>,
    /// Model switches in this run. Each makes the cache cold, so the selection may change.
    pub(crate) switches: u64,
}

impl ToolBox {
    /// Lets deferral select the tools that are sent, and records a changed selection. Returns the reason of the change.
    /// The selection changes only when the cache is cold or a tool was promoted.
    pub(crate) fn select(&mut self, session: &mut Session, window: &mut Window) -> Option<String> {
        let epoch = session.view.epoch().saturating_add(self.switches);
        let selected = self.deferral.select(
            &self.catalogue,
            session.counter.as_ref(),
            window.limits.effective_window,
            epoch,
            session.turn,
        );
        self.tokens = selected.tokens;
        self.deferred = selected.deferred;
        if *self.active == *selected.active {
            return None;
        }
        let why = selected.changed.unwrap_or_else(|| FIRST_SELECTION.to_owned());
        self.active = selected.active;
        window.meter.drop_anchor();
        let record = ToolsRecord { tools: self.active.to_vec(), why: why.clone() };
        session.journal.add(session.exchange, RecordBody::Tools(record));
        Some(why)
    }

    /// Counts the tokens of the active tools.
    pub(crate) fn count(&mut self, counter: &dyn TokenCounter) {
        self.tokens = self.active.iter().map(|tool| counter.tool(tool)).sum();
    }
}

/// Reason of the selection that is made when a session is opened.
pub(crate) const FIRST_SELECTION: &str = "first list of the session";
