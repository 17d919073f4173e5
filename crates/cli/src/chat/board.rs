//! The figures of a session as they are shown below the input.

use std::sync::Arc;

use throughline_agent::Event;
use throughline_completion::Prices;
use throughline_conversation::{SessionId, Usage, WindowFigures};
use throughline_providers::models::ModelTable;
use throughline_tui::StatusLine;

/// The prices where none are known: they are multiplied by nothing.
const FREE: Prices = Prices { cache_read: 0.0, cache_write: 0.0, cache_write_hour: 0.0, output: 0.0 };

/// What has been used, and what it has cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Spent {
    /// Requests that were answered.
    pub(super) requests: u64,
    /// What providers reported, all requests together.
    pub(super) usage: Usage,
    /// What those cost whose price is known.
    pub(super) dollars: f64,
    /// Requests whose price is not known.
    pub(super) unpriced: u64,
}

impl Spent {
    /// Adds a request.
    pub(super) fn add(&mut self, usage: Usage, prices: &Prices, per_million_input: Option<f64>) {
        self.requests += 1;
        let sum = &mut self.usage;
        sum.input = sum.input.saturating_add(usage.input);
        sum.cache_read = sum.cache_read.saturating_add(usage.cache_read);
        sum.cache_write = sum.cache_write.saturating_add(usage.cache_write);
        sum.output = sum.output.saturating_add(usage.output);
        let units = usage.input as f64
            + usage.cache_read as f64 * prices.cache_read
            + usage.cache_write as f64 * prices.cache_write
            + usage.output as f64 * prices.output;
        match per_million_input {
            Some(price) => self.dollars += units * price / 1_000_000.0,
            None => self.unpriced += 1,
        }
    }

    /// Adds what was used before.
    pub(super) fn join(&mut self, other: &Self) {
        self.requests += other.requests;
        self.usage.input += other.usage.input;
        self.usage.cache_read += other.usage.cache_read;
        self.usage.cache_write += other.usage.cache_write;
        self.usage.output += other.usage.output;
        self.dollars += other.dollars;
        self.unpriced += other.unpriced;
    }

    /// Dollars, when every request's price is known and there was one.
    pub(super) fn dollars(&self) -> Option<f64> {
        (self.unpriced == 0 && self.requests > 0).then_some(self.dollars)
    }

    /// Share of the input that came from the cache, in percent.
    pub(super) fn cached_percent(&self) -> Option<u64> {
        self.usage.cache_read.saturating_mul(100).checked_div(self.usage.prompt())
    }
}

/// All that the status line is made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Board {
    /// Whose figures these are.
    pub(super) session: Option<SessionId>,
    pub(super) title: String,
    pub(super) branch: Option<String>,
    pub(super) mode: String,
    pub(super) spent: Spent,
    provider: String,
    model: String,
    pub(super) window: Option<WindowFigures>,
    table: Option<Arc<ModelTable>>,
    /// Why the newest records are not in the log, when that is so.
    unsaved: Option<String>,
}

impl Board {
    /// The prices of models.
    pub(super) fn price_by(&mut self, table: ModelTable) {
        self.table = Some(Arc::new(table));
    }

    /// The model that answers now.
    pub(super) fn answers(&mut self, provider: &str, model: &str) {
        provider.clone_into(&mut self.provider);
        model.clone_into(&mut self.model);
    }

    /// The model, with its provider.
    pub(super) fn origin(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }

    /// How full the window is.
    pub(super) fn window(&mut self, figures: WindowFigures) {
        self.window = Some(figures);
    }

    /// Why the newest records are not in the log, when that is so.
    pub(super) fn unsaved(&self) -> Option<&str> {
        self.unsaved.as_deref()
    }

    /// Forgets the session, for another one.
    pub(super) fn begin(&mut self, session: &SessionId) {
        self.session = Some(session.clone());
        self.title.clear();
        (self.window, self.unsaved, self.spent) = (None, None, Spent::default());
    }

    /// Takes an event. Whether the status line changes by it.
    pub(super) fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Window { figures, .. } => self.window(*figures),
            Event::Answered { usage, .. } => {
                let row = self.table.as_ref().map(|table| table.find(&self.provider, &self.model));
                let price = row.as_ref().and_then(|row| row.dollars_per_million_input);
                let prices = row.map_or(FREE, |row| row.info.prices);
                self.spent.add(usage.unwrap_or_default(), &prices, price);
            }
            Event::Switched { to, .. } => {
                let (provider, model) = to.split_once('/').unwrap_or(("", to));
                let (provider, model) = (provider.to_owned(), model.to_owned());
                self.answers(&provider, &model);
            }
            Event::Acknowledged { .. } => {
                self.unsaved = None;
                return false;
            }
            Event::Degraded(note) if note.subsystem == "log" => {
                self.unsaved = Some(note.cause.clone());
                return false;
            }
            _ => return false,
        }
        true
    }

    pub(super) fn status(&self) -> StatusLine {
        let used = self.window.as_ref().map(|window| window.used.total());
        let percent = self.window.as_ref().map(|window| {
            let effective = window.total.saturating_sub(window.reserved_output).max(1);
            window.used.total().saturating_mul(100) / effective
        });
        StatusLine {
            model: self.model.clone(),
            branch: self.branch.clone(),
            mode: self.mode.clone(),
            context_percent: percent,
            context_tokens: used,
            cached_percent: self.spent.cached_percent(),
            dollars: self.spent.dollars(),
            title: self.title.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_that_is_not_known_is_not_told() {
        let prices = Prices { cache_read: 0.1, cache_write: 1.25, cache_write_hour: 2.0, output: 5.0 };
        let usage = Usage { input: 100_000, cache_read: 900_000, cache_write: 0, output: 10_000 };
        let mut spent = Spent::default();
        assert_eq!((spent.dollars(), spent.cached_percent()), (None, None));
        spent.add(usage, &prices, Some(3.0));
        let dollars = spent.dollars().unwrap_or_default();
        assert!((dollars - (100_000.0 + 90_000.0 + 50_000.0) * 3.0 / 1e6).abs() < 1e-9, "{dollars}");
        assert_eq!(spent.cached_percent(), Some(90));
        spent.add(usage, &prices, None);
        assert_eq!(spent.dollars(), None);
    }
}
