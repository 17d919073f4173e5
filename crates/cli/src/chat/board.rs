//! The figures of a session as they are shown below the input.

use std::sync::Arc;

use throughline_agent::Event;
use throughline_completion::Prices;
use throughline_conversation::{ModelUse, SessionId, Usage, WindowFigures};
use throughline_providers::models::ModelTable;
use throughline_tui::StatusLine;

/// The prices where none are known: they are multiplied by nothing.
const FREE: Prices = Prices { cache_read: 0.0, cache_write: 0.0, cache_write_hour: 0.0, output: 0.0 };

/// What has been used, and what it has cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Spent {
    /// Requests that a provider took, those for summaries among them.
    pub(super) requests: u64,
    /// What providers reported, all requests together.
    pub(super) usage: Usage,
    /// What those cost whose price is known.
    pub(super) dollars: f64,
    /// Requests whose price is not known.
    pub(super) unpriced: u64,
    /// Requests of a known price of which the provider has not told what they used.
    pub(super) unreported: u64,
}

impl Spent {
    /// Adds a request that was answered. `None`: the provider has not told what it used.
    pub(super) fn add(&mut self, usage: Option<Usage>, prices: &Prices, per_million_input: Option<f64>) {
        match usage {
            Some(usage) => self.add_requests((1, usage), prices, per_million_input),
            None => self.add_unreported(1, per_million_input),
        }
    }

    /// Adds requests whose answers are no messages, such as those for a summary.
    pub(super) fn add_beside(&mut self, used: &ModelUse, table: &ModelTable) {
        let row = table.find(&used.origin.provider, &used.origin.model);
        self.add_requests((used.requests, used.usage), &row.info.prices, row.dollars_per_million_input);
        self.add_unreported(used.unreported, row.dollars_per_million_input);
    }

    fn add_unreported(&mut self, requests: u64, per_million_input: Option<f64>) {
        self.requests += requests;
        match per_million_input {
            // What is free is free, however much of it was used.
            Some(price) if price <= 0.0 => {}
            Some(_) => self.unreported += requests,
            None => self.unpriced += requests,
        }
    }

    fn add_requests(
        &mut self,
        (requests, usage): (u64, Usage),
        prices: &Prices,
        per_million_input: Option<f64>,
    ) {
        self.requests += requests;
        self.usage = self.usage.plus(usage);
        let units = usage.input as f64
            + usage.cache_read as f64 * prices.cache_read
            + usage.cache_write as f64 * prices.cache_write
            + usage.output as f64 * prices.output;
        match per_million_input {
            Some(price) => self.dollars += units * price / 1_000_000.0,
            None => self.unpriced += requests,
        }
    }

    /// Adds what was used before.
    pub(super) fn join(&mut self, other: &Self) {
        self.requests += other.requests;
        self.usage = self.usage.plus(other.usage);
        self.dollars += other.dollars;
        self.unpriced += other.unpriced;
        self.unreported += other.unreported;
    }

    /// Dollars, when every request's price is known and there was one. It is the least that was paid when there are
    /// requests of which it is not known what they used.
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
                self.spent.add(*usage, &prices, price);
            }
            Event::Spent(used) => {
                let Some(table) = &self.table else { return false };
                self.spent.add_beside(used, table);
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
            dollars_at_least: self.spent.unreported > 0,
            title: self.title.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use throughline_conversation::Origin;

    use super::*;

    #[test]
    fn a_price_that_is_not_known_is_not_told() {
        let prices = Prices { cache_read: 0.1, cache_write: 1.25, cache_write_hour: 2.0, output: 5.0 };
        let usage = Usage { input: 100_000, cache_read: 900_000, cache_write: 0, output: 10_000 };
        let mut spent = Spent::default();
        assert_eq!((spent.dollars(), spent.cached_percent()), (None, None));
        spent.add(Some(usage), &prices, Some(3.0));
        let dollars = spent.dollars().unwrap_or_default();
        assert!((dollars - (100_000.0 + 90_000.0 + 50_000.0) * 3.0 / 1e6).abs() < 1e-9, "{dollars}");
        assert_eq!(spent.cached_percent(), Some(90));
        spent.add(Some(usage), &prices, None);
        assert_eq!(spent.dollars(), None);
    }

    #[test]
    fn a_request_of_which_nothing_is_told_makes_the_sum_a_lower_bound() {
        let table = ModelTable::builtin();
        let (provider, model) = ("anthropic", "claude-opus-4-1");
        let mut board = Board::default();
        board.price_by(table);
        board.answers(provider, model);
        let stop = || "end_turn".to_owned();
        let usage = Usage { input: 1_000_000, ..Usage::default() };
        board.take(&Event::Answered { usage: Some(usage), stop: stop() });
        let known = board.status();
        assert!(known.dollars.is_some() && !known.dollars_at_least);
        // One that was stopped, and one whose answer came without a report.
        let mut used = ModelUse::of(Origin::new(provider, model));
        used.add_unreported();
        assert!(board.take(&Event::Spent(used)));
        board.take(&Event::Answered { usage: None, stop: stop() });
        let status = board.status();
        assert_eq!((status.dollars, status.dollars_at_least), (known.dollars, true));
        assert_eq!((board.spent.requests, board.spent.unreported), (3, 2));
        // Where nothing has a price there is nothing to say, and what is free stays free.
        let mut spent = Spent::default();
        spent.add(None, &FREE, None);
        assert_eq!((spent.dollars(), spent.unpriced), (None, 1));
        let mut spent = Spent::default();
        spent.add(None, &FREE, Some(0.0));
        assert_eq!((spent.dollars(), spent.unreported), (Some(0.0), 0));
    }

    #[test]
    fn what_summaries_cost_is_counted_at_the_price_of_their_model() {
        let table = ModelTable::builtin();
        let price = |model| table.find("anthropic", model).dollars_per_million_input.unwrap_or_default();
        let (large, small) = ("claude-opus-4-1", "claude-haiku-4-5");
        assert!(price(large) > 2.0 * price(small) && price(small) > 0.0);
        let usage = Usage { input: 1_000_000, ..Usage::default() };
        let mut board = Board::default();
        board.price_by(table.clone());
        board.answers("anthropic", large);
        assert!(board.take(&Event::Answered { usage: Some(usage), stop: "end_turn".to_owned() }));
        let mut used = ModelUse::of(Origin::new("anthropic", small));
        used.add(usage);
        used.add(usage);
        assert!(board.take(&Event::Spent(used)));
        let dollars = board.spent.dollars().unwrap_or_default();
        assert!((dollars - price(large) - 2.0 * price(small)).abs() < 1e-9, "{dollars}");
        assert_eq!((board.spent.requests, board.spent.usage.input), (3, 3_000_000));
    }
}
