//! Sums over a run.

use throughline::CostMeter;
use throughline_agent::Event;
use throughline_conversation::CompactionReceipt;

/// What a run has used so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) meter: CostMeter,
    /// Number of compactions.
    pub(super) compactions: u64,
    /// The newest compaction.
    pub(super) compacted: Option<CompactionReceipt>,
    /// Why the newest records are not in the log, while that is so.
    pub(super) unsaved: Option<String>,
}

impl Tally {
    pub(super) fn take(&mut self, event: &Event) {
        self.meter.take(event);
        match event {
            Event::Compacted(receipt) => {
                self.compactions += 1;
                self.compacted = Some(receipt.clone());
            }
            Event::Acknowledged { .. } => self.unsaved = None,
            Event::Degraded(note) if note.subsystem == "log" => self.unsaved = Some(note.cause.clone()),
            _ => {}
        }
    }
}
