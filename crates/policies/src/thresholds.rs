//! Thresholds that fit their window.

use throughline_budget::{Threshold, Thresholds};

/// The wanted thresholds, where the window without the reserved output holds them; otherwise `instead`. The block
/// threshold stays at 98 %, or moves to the very end where the wanted thresholds reach further.
pub(crate) fn fitting(wanted: Thresholds, instead: Thresholds, window: u64, max_output: u64) -> Thresholds {
    let full = Thresholds { block: Threshold::PercentEffective(100.0), ..wanted };
    first_fitting([wanted, full], window, max_output).unwrap_or(instead)
}

fn first_fitting(
    candidates: impl IntoIterator<Item = Thresholds>,
    window: u64,
    max_output: u64,
) -> Option<Thresholds> {
    candidates.into_iter().find(|thresholds| thresholds.limits(window, max_output).is_ok())
}

/// Thresholds in per cent of the whole window, or of the effective window where the window is too small for them.
pub(crate) fn percent_of_window(warn: f64, compact: f64, window: u64, max_output: u64) -> Thresholds {
    let of = |warn, compact| Thresholds { notice: Threshold::Off, warn, compact, ..Thresholds::default() };
    fitting(
        of(Threshold::PercentWindow(warn), Threshold::PercentWindow(compact)),
        of(Threshold::PercentEffective(warn), Threshold::PercentEffective(compact)),
        window,
        max_output,
    )
}

/// Thresholds that settings name, one per level.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NamedThresholds {
    /// Where a warning comes.
    pub warn: Option<Threshold>,
    /// Where the window is compacted.
    pub compact: Option<Threshold>,
    /// What is never passed.
    pub block: Option<Threshold>,
}

impl NamedThresholds {
    /// The thresholds of a policy with these in their places. Those of the policy that come after the compaction are off. Per
    /// cent of the window are per cent of the effective window where that is too small for them.
    #[must_use]
    pub fn over(self, policy: Thresholds, window: u64, max_output: u64) -> Thresholds {
        if self == Self::default() {
            return policy;
        }
        let placed = self.placed(policy, window, max_output);
        let effective = |level: Option<Threshold>| match level {
            Some(Threshold::PercentWindow(percent)) => Some(Threshold::PercentEffective(percent)),
            other => other,
        };
        let smaller = Self {
            warn: effective(self.warn),
            compact: effective(self.compact),
            block: effective(self.block),
        };
        let full = Thresholds { block: Threshold::PercentEffective(100.0), ..placed };
        let full = self.block.is_none().then_some(full);
        let smaller = smaller.placed(policy, window, max_output);
        let candidates = std::iter::once(placed).chain(full).chain([smaller]);
        first_fitting(candidates, window, max_output).unwrap_or(placed)
    }

    fn placed(self, policy: Thresholds, window: u64, max_output: u64) -> Thresholds {
        let tokens = |threshold: Threshold| threshold.tokens(window, max_output).unwrap_or(u64::MAX);
        let compact = self.compact.unwrap_or(policy.compact);
        let before = |level, limit| if tokens(level) > tokens(limit) { Threshold::Off } else { level };
        let warn = self.warn.unwrap_or_else(|| before(policy.warn, compact));
        let notice = before(before(policy.notice, compact), warn);
        Thresholds { notice, warn, compact, block: self.block.unwrap_or(policy.block) }
    }
}

#[cfg(test)]
mod tests;
