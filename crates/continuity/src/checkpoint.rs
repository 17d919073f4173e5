//! When a checkpoint is due, the one that a session is resumed from, and a checkpoint written out whole.

mod live;
mod whole;

use throughline_conversation::CheckpointReason;

pub use live::live_checkpoint;
pub use whole::{CheckpointJson, checkpoint_json};

/// How often checkpoints are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointPolicy {
    /// After this many answered requests. 0: their number alone never makes one due.
    pub interval: u64,
}

impl Default for CheckpointPolicy {
    fn default() -> Self {
        Self { interval: 5 }
    }
}

impl CheckpointPolicy {
    /// Why a checkpoint is due now; `None`: it is not. It is asked after each step, also between calls of tools.
    ///
    /// `iteration` counts the answered requests of the session, `last` is the iteration of the newest checkpoint (0:
    /// no checkpoint yet), `compacted` says that the view was compacted since then, `ending` that the process ends. Nothing
    /// new makes nothing due.
    #[must_use]
    pub fn due(self, iteration: u64, last: u64, compacted: bool, ending: bool) -> Option<CheckpointReason> {
        let new = iteration.saturating_sub(last);
        if compacted {
            Some(CheckpointReason::Compaction)
        } else if ending && new > 0 {
            Some(CheckpointReason::Exit)
        } else if self.interval > 0 && new >= self.interval {
            Some(CheckpointReason::Interval)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests;
