//! The number of a provider's tokens per token of the counter, learnt from its reports.

use throughline_conversation::{Message, TokenCounter, Usage};

use crate::session::RecordedSession;

/// No tokenizer differs by more from any reasonable counter.
const RANGE: (f64, f64) = (0.5, 3.0);

/// Below this many counted tokens between two requests, the few that frame a message blur the figure.
const ENOUGH: u64 = 200;

/// Fewer steps than this prove nothing.
const STEPS: usize = 3;

/// A provider's tokens for one token of the counter: the median over steps of what a prompt grew by, as
/// reported, and by count. `None` when the recording has too few reports.
///
/// Prompts are compared, not answers: agents that log while the answer streams write its first count down.
/// Steps over which the prompt did not grow, as after a compaction, are left out. The figure is kept within
/// 0.5 and 3.
#[must_use]
pub fn learn_factor(session: &RecordedSession, counter: &dyn TokenCounter) -> Option<f64> {
    let mut growths = Vec::new();
    let mut last: Option<Usage> = None;
    let mut added = 0_u64;
    for turn in &session.turns {
        added = added.saturating_add(counter.message(&turn.user));
        for step in &turn.steps {
            if let Some(usage) = step.usage {
                if let Some(before) = last {
                    growths.push((usage.prompt().saturating_sub(before.prompt()), added));
                }
                last = Some(usage);
                added = 0;
            }
            added = added.saturating_add(counter.message(&step.assistant));
            if !step.results.is_empty() {
                let results = Message::results(step.results.iter().cloned());
                added = added.saturating_add(counter.message(&results));
            }
        }
    }
    let ratio = |(grown, counted): &(u64, u64)| *grown as f64 / *counted as f64;
    let mut ratios: Vec<f64> =
        growths.iter().filter(|(grown, counted)| *grown > 0 && *counted >= ENOUGH).map(ratio).collect();
    if ratios.len() < STEPS {
        return None;
    }
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).map(|median| median.clamp(RANGE.0, RANGE.1))
}

/// Whose tokens the windows, requests and prices of a replay are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenScale {
    /// The provider's: the counter's, corrected by the usage that the recording reports.
    #[default]
    Provider,
    /// The counter's, not corrected. Simulators that count a quarter of the characters are compared with in these.
    Counter,
}

impl TokenScale {
    /// Tokens of this scale for one token of the counter; 1 when the recording has too few reports.
    pub(crate) fn factor(self, session: &RecordedSession, counter: &dyn TokenCounter) -> f64 {
        match self {
            Self::Provider => learn_factor(session, counter).unwrap_or(1.0),
            Self::Counter => 1.0,
        }
    }
}

#[cfg(test)]
mod tests;
