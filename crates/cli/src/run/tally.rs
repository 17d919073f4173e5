//! Sums over a run.

use throughline_agent::Event;
use throughline_completion::Prices;
use throughline_conversation::Usage;

/// What a run has used so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Requests that were answered.
    pub(super) requests: u64,
    /// What providers reported, all requests together, those for summaries among them.
    pub(super) usage: Usage,
    /// Requests of which the provider has not told what they used.
    pub(super) unreported: u64,
    /// Compactions.
    pub(super) compactions: u64,
    /// Why the newest records are not in the log, when that is so.
    pub(super) unsaved: Option<String>,
}

impl Tally {
    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::Answered { usage, .. } => {
                self.requests += 1;
                self.usage = self.usage.plus(usage.unwrap_or_default());
                self.unreported += u64::from(usage.is_none());
            }
            Event::Spent(used) => {
                self.usage = self.usage.plus(used.usage);
                self.unreported += used.unreported;
            }
            Event::Compacted(_) => self.compactions += 1,
            Event::Acknowledged { .. } => self.unsaved = None,
            Event::Degraded(note) if note.subsystem == "log" => self.unsaved = Some(note.cause.clone()),
            _ => {}
        }
    }

    /// Dollars for what providers reported, when the model's price is known. It is the least that was paid when there are
    /// requests of which they have not told what they used.
    pub(super) fn dollars(&self, prices: &Prices, per_million_input: Option<f64>) -> Option<f64> {
        let Usage { input, cache_read, cache_write, output } = self.usage;
        let units = input as f64
            + cache_read as f64 * prices.cache_read
            + cache_write as f64 * prices.cache_write
            + output as f64 * prices.output;
        per_million_input.map(|price| units * price / 1_000_000.0)
    }
}

#[cfg(test)]
mod tests {
    use throughline_conversation::{ModelUse, Origin};

    use super::*;

    #[test]
    fn summaries_are_in_the_usage_and_not_in_the_number_of_turns() {
        let usage = Usage { input: 100, cache_read: 50, output: 10, ..Usage::default() };
        let mut tally = Tally::default();
        tally.take(&Event::Answered { usage: Some(usage), stop: "end_turn".to_owned() });
        let mut used = ModelUse::of(Origin::new("p", "m"));
        used.add(usage);
        tally.take(&Event::Spent(used));
        assert_eq!((tally.requests, tally.usage, tally.unreported), (1, usage.plus(usage), 0));
    }

    #[test]
    fn requests_of_which_nothing_is_told_are_counted() {
        let mut tally = Tally::default();
        tally.take(&Event::Answered { usage: None, stop: "end_turn".to_owned() });
        let mut used = ModelUse::of(Origin::new("p", "m"));
        used.add_unreported();
        used.add_unreported();
        tally.take(&Event::Spent(used));
        assert_eq!((tally.requests, tally.unreported), (1, 3));
    }
}
