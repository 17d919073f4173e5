//! Sums over a run.

use throughline_agent::Event;

use throughline_connect::CostMeter;

/// What a run has used so far, by its events.
#[derive(Debug, Clone, Default)]
pub struct RunTally {
    /// Requests, tokens and cost.
    pub meter: CostMeter,
    /// Number of compactions.
    pub compactions: u64,
    /// Why the newest records are not in the log, while that is so.
    pub unsaved: Option<String>,
}

impl RunTally {
    /// A tally that prices requests by this meter.
    #[must_use]
    pub fn new(meter: CostMeter) -> Self {
        Self { meter, ..Self::default() }
    }

    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        self.meter.take(event);
        match event {
            Event::Compacted(_) => self.compactions += 1,
            Event::Acknowledged { .. } => self.unsaved = None,
            Event::Degraded(note) if note.subsystem == "log" => self.unsaved = Some(note.cause.clone()),
            _ => {}
        }
    }
}
