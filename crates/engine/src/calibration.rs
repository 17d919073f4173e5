//! Compactions in the figures that the screens show.

use throughline_budget::Meter;
use throughline_compaction::{CompactResult, CompactionError, pays_back_after};
use throughline_completion::Prices;
use throughline_conversation::Components;

use crate::compact_error::CompactError;
use crate::frame::{RequestFrame, components};
use crate::session::Session;
use crate::window::Window;

/// The conversation as the screens show it before a compaction, and how they will measure it afterwards.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShownFigures {
    /// Tokens of the conversation now.
    before: u64,
    /// The components of the next request, by the counter.
    raw: Components,
    /// Without an anchor: the provider's last report says nothing about a compacted view.
    meter: Meter,
}

impl ShownFigures {
    pub(crate) fn of(session: &Session, window: &Window, frame: RequestFrame<'_>) -> Self {
        let raw = components(session, frame.prefix, frame.tools);
        let before = window.measure(raw, 0).budget.window_figures().used.conversation;
        let mut meter = window.meter().clone();
        meter.drop_anchor();
        Self { before, raw, meter }
    }

    /// The figures of a compaction. Those after it are what a report finds once it is applied.
    pub(crate) fn result(&self, result: &CompactResult) -> CompactResult {
        let after_tokens = self.after(result.after_tokens);
        CompactResult {
            before_tokens: self.before,
            after_tokens,
            rewritten_tokens: self.meter.from_raw(result.rewritten_tokens).min(after_tokens),
            ..result.clone()
        }
    }

    /// Why a compaction would change nothing.
    pub(crate) fn reason(&self, error: CompactionError) -> CompactionError {
        match error {
            CompactionError::NothingToGain { after, .. } => {
                CompactionError::NothingToGain { before: self.before, after: self.after(after) }
            }
            other => other,
        }
    }

    /// The same for a compaction that the user asked for.
    pub(crate) fn refusal(&self, error: CompactError) -> CompactError {
        match error {
            CompactError::Compaction(error) => CompactError::Compaction(self.reason(error)),
            other => other,
        }
    }

    fn after(&self, raw: u64) -> u64 {
        self.meter.measure(Components { conversation: raw, ..self.raw }).used.conversation
    }
}

/// Requests until the tokens that a compaction with these figures saves have paid for its price; `None`: never.
pub(crate) fn pays_back(shown: &CompactResult, prices: Prices) -> Option<u64> {
    let removed = shown.before_tokens.saturating_sub(shown.after_tokens);
    pays_back_after(removed, shown.rewritten_tokens, prices.cache_read, prices.cache_write)
}
