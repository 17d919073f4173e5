//! Sums over a run.

use throughline_agent::Event;
use throughline_completion::Prices;
use throughline_conversation::Usage;

/// What a run has used so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Requests that were answered.
    pub(super) requests: u64,
    /// What the provider reported, all requests together.
    pub(super) usage: Usage,
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
                let reported = usage.unwrap_or_default();
                let sum = &mut self.usage;
                sum.input = sum.input.saturating_add(reported.input);
                sum.cache_read = sum.cache_read.saturating_add(reported.cache_read);
                sum.cache_write = sum.cache_write.saturating_add(reported.cache_write);
                sum.output = sum.output.saturating_add(reported.output);
            }
            Event::Compacted(_) => self.compactions += 1,
            Event::Acknowledged { .. } => self.unsaved = None,
            Event::Degraded(note) if note.subsystem == "log" => self.unsaved = Some(note.cause.clone()),
            _ => {}
        }
    }

    /// Dollars, when the model's price is known.
    pub(super) fn dollars(&self, prices: &Prices, per_million_input: Option<f64>) -> Option<f64> {
        let Usage { input, cache_read, cache_write, output } = self.usage;
        let units = input as f64
            + cache_read as f64 * prices.cache_read
            + cache_write as f64 * prices.cache_write
            + output as f64 * prices.output;
        per_million_input.map(|price| units * price / 1_000_000.0)
    }
}
