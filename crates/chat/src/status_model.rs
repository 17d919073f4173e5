//! The figures of the status line.

use throughline_agent::{Agent, CompactionPoints, Event};
use throughline_completion::{Cost, Dollars};
use throughline_connect::CostMeter;
use throughline_conversation::{
    CacheChange, CacheTtl, CompactionReceipt, Origin, SessionId, Usage, WindowFigures,
};
use throughline_permission::Mode;
use throughline_providers::models::ModelTable;
use throughline_terminal::window_bar::percent;
use throughline_tui::{CompactionNotice, StatusLine, TurnCost};

/// Everything that the status line shows.
#[derive(Debug, Clone, Default)]
pub(super) struct StatusModel {
    /// The session of these figures.
    pub(super) session: Option<SessionId>,
    pub(super) title: String,
    pub(super) branch: Option<String>,
    pub(super) mode: String,
    /// How much the model thinks, in a word or two.
    pub(super) effort: Option<String>,
    /// The folder that the session works in, for display.
    pub(super) folder: String,
    /// What the user's command for the status line has printed.
    pub(super) command: Option<String>,
    pub(super) window: Option<WindowFigures>,
    /// Where the open session is compacted.
    points: CompactionPoints,
    /// Share of the newest request that came from the cache, in percent; after a compaction, share of the next one that can.
    cached: Option<u64>,
    /// Why the newest request read less from the cache than it could.
    cache_lost: Option<String>,
    meter: CostMeter,
    /// The running turn, or the last one.
    turn: CostMeter,
    /// Why the newest records are not in the log, while that is so.
    unsaved: Option<String>,
}

impl StatusModel {
    /// Sets the prices of models, and the TTL at which cache writes are paid.
    pub(super) fn price_by(&mut self, table: &ModelTable, ttl: CacheTtl) {
        for meter in [&mut self.meter, &mut self.turn] {
            meter.set_table(table.clone());
            meter.set_cache_ttl(ttl);
        }
    }

    /// Sets the model that answers from now on.
    pub(super) fn answers(&mut self, provider: &str, model: &str) {
        for meter in [&mut self.meter, &mut self.turn] {
            meter.set_origin(Origin::new(provider, model));
        }
    }

    /// A turn begins.
    pub(super) fn begin_turn(&mut self) {
        self.turn.reset();
    }

    /// The notice of a compaction, with what its summaries cost.
    pub(super) fn notice_of(&self, receipt: CompactionReceipt) -> CompactionNotice {
        let mut meter = self.meter.clone();
        meter.reset();
        for used in &receipt.asked {
            meter.take(&Event::Spent(used.clone()));
        }
        let dollars = meter.cost().dollars();
        CompactionNotice {
            dollars: dollars.at_least().filter(|_| !receipt.asked.is_empty()),
            dollars_at_least: matches!(dollars, Dollars::AtLeast(_)),
            receipt,
            notes: Vec::new(),
        }
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

    /// Why the newest records are not in the log, while that is so.
    pub(super) fn unsaved(&self) -> Option<&str> {
        self.unsaved.as_deref()
    }

    /// Resets the figures for another session.
    pub(super) fn begin(&mut self, session: &SessionId) {
        self.session = Some(session.clone());
        self.title.clear();
        self.meter.reset();
        self.turn.reset();
        (self.window, self.unsaved) = (None, None);
        (self.cached, self.cache_lost) = (None, None);
    }

    /// Takes an event. Returns true if the status line changes.
    pub(super) fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Window { figures, .. } => self.window(*figures),
            Event::Compacted(receipt) => {
                let kept = receipt.after_tokens.saturating_sub(receipt.rewritten_tokens);
                self.cached = kept.saturating_mul(100).checked_div(receipt.after_tokens);
                self.cache_lost = None;
            }
            // What a compaction rewrites is no loss.
            Event::CacheMissed(miss) if miss.change == Some(CacheChange::Messages) => return false,
            Event::CacheMissed(miss) => self.cache_lost = Some(miss.cause()),
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
                    let share =
                        |usage: Usage| usage.cache_read.saturating_mul(100).checked_div(usage.prompt());
                    (self.cached, self.cache_lost) = (usage.and_then(share), None);
                }
                self.turn.take(other);
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
            window_tokens: self.window.map(|window| window.effective_window()),
            compacts_at: self.points.next(),
            unguarded: self.mode == Mode::Yolo.to_string(),
            cached_percent: self.cached,
            cache_lost: self.cache_lost.clone(),
            dollars: dollars.at_least().filter(|_| cost.all_requests() > 0),
            dollars_at_least: matches!(dollars, Dollars::AtLeast(_)),
            price_unknown: cost.all_requests() > 0 && dollars == Dollars::Unknown,
            turn: turn_cost(self.turn.cost()),
            title: self.title.clone(),
            effort: self.effort.clone(),
            folder: self.folder.clone(),
            command: self.command.clone(),
        }
    }
}

/// What a turn cost, as the screen shows it.
fn turn_cost(cost: &Cost) -> TurnCost {
    let dollars = cost.dollars();
    TurnCost {
        dollars: dollars.at_least().filter(|_| cost.all_requests() > 0),
        at_least: matches!(dollars, Dollars::AtLeast(_)),
        cached_percent: cost.cached_percentage(),
    }
}

#[cfg(test)]
mod tests;
