//! The figures of the status line.

use throughline_agent::{Agent, CompactionPoints, Event};
use throughline_commands::window_bar::percent;
use throughline_completion::{Cost, Dollars};
use throughline_connect::CostMeter;
use throughline_conversation::{CacheTtl, Origin, SessionId, Usage, WindowFigures};
use throughline_permission::Mode;
use throughline_providers::models::ModelTable;
use throughline_tui::StatusLine;

/// Everything that the status line shows.
#[derive(Debug, Clone, Default)]
pub(super) struct StatusModel {
    /// The session of these figures.
    pub(super) session: Option<SessionId>,
    pub(super) title: String,
    pub(super) branch: Option<String>,
    pub(super) mode: String,
    pub(super) window: Option<WindowFigures>,
    /// Where the open session is compacted.
    points: CompactionPoints,
    /// Usage of the newest request.
    last: Option<Usage>,
    meter: CostMeter,
    /// Why the newest records are not in the log, while that is so.
    unsaved: Option<String>,
}

impl StatusModel {
    /// Sets the prices of models, and the TTL at which cache writes are paid.
    pub(super) fn price_by(&mut self, table: ModelTable, ttl: CacheTtl) {
        self.meter.set_table(table);
        self.meter.set_cache_ttl(ttl);
    }

    /// Sets the model that answers from now on.
    pub(super) fn answers(&mut self, provider: &str, model: &str) {
        self.meter.set_origin(Origin::new(provider, model));
    }

    /// The model, with its provider.
    pub(super) fn origin(&self) -> String {
        self.meter.origin().to_string()
    }

    /// What the session has used and cost so far.
    pub(super) fn cost(&self) -> &Cost {
        self.meter.cost()
    }

    /// Adds what the session cost before this program opened it.
    pub(super) fn add_cost(&mut self, earlier: &Cost) {
        self.meter.add(earlier);
    }

    /// Sets the figures of the window.
    pub(super) fn window(&mut self, figures: WindowFigures) {
        self.window = Some(figures);
    }

    /// Sets the figures of the window, and where it is compacted.
    pub(super) fn measured(&mut self, agent: &Agent) {
        self.window = Some(agent.budget().window_figures());
        self.points = agent.compaction_points();
    }

    /// How far the next compaction is, in percent of the tokens at which it happens.
    fn until_compaction(&self) -> Option<u64> {
        let (used, point) = (self.window?.used.total(), self.points.next()?.max(1));
        Some(point.saturating_sub(used).saturating_mul(100).div_ceil(point))
    }

    /// Why the newest records are not in the log, while that is so.
    pub(super) fn unsaved(&self) -> Option<&str> {
        self.unsaved.as_deref()
    }

    /// Resets the figures for another session.
    pub(super) fn begin(&mut self, session: &SessionId) {
        self.session = Some(session.clone());
        self.title.clear();
        self.meter.reset();
        (self.window, self.unsaved) = (None, None);
        self.last = None;
    }

    /// Takes an event. Returns true if the status line changes.
    pub(super) fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Window { figures, .. } => self.window(*figures),
            Event::Compacted(_) => return false,
            Event::Acknowledged { .. } => {
                self.unsaved = None;
                return false;
            }
            Event::Degraded(note) if note.subsystem == "log" => {
                self.unsaved = Some(note.cause.clone());
                return false;
            }
            other => {
                if let Event::Answered { usage, .. } = other {
                    self.last = *usage;
                }
                return self.meter.take(other);
            }
        }
        true
    }

    /// The status line.
    pub(super) fn line(&self) -> StatusLine {
        let cost = self.cost();
        let dollars = cost.dollars();
        StatusLine {
            model: self.meter.origin().model.clone(),
            branch: self.branch.clone(),
            mode: self.mode.clone(),
            context_percent: self.window.map(|window| percent(window.used_percentage())),
            context_tokens: self.window.map(|window| window.used.total()),
            until_compaction: self.until_compaction(),
            unguarded: self.mode == Mode::Yolo.to_string(),
            cached_percent: self
                .last
                .and_then(|usage| usage.cache_read.saturating_mul(100).checked_div(usage.prompt())),
            dollars: dollars.at_least().filter(|_| cost.all_requests() > 0),
            dollars_at_least: matches!(dollars, Dollars::AtLeast(_)),
            title: self.title.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
