//! Thresholds that fit their window.

use throughline_budget::{Threshold, Thresholds};

/// The wanted thresholds, where the window without the reserved output holds them; otherwise `instead`. The block
/// threshold stays at 98 %, or moves to the very end where the wanted thresholds reach further.
pub(crate) fn fitting(wanted: Thresholds, instead: Thresholds, window: u64, max_output: u64) -> Thresholds {
    let full = Thresholds { block: Threshold::PercentEffective(100.0), ..wanted };
    let fits = |thresholds: &Thresholds| thresholds.limits(window, max_output).is_ok();
    [wanted, full].into_iter().find(fits).unwrap_or(instead)
}

/// Warns at 75 % and compacts at 90 % of the whole window, or of the effective window where the window is too small: time to
/// hand over before a compaction.
fn handoff_thresholds(window: u64, max_output: u64) -> Thresholds {
    percent_of_window(75.0, 90.0, window, max_output)
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

/// Thresholds that settings name, each for one level. Several may name the compact threshold.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NamedThresholds {
    /// The levels are those of a handoff, unless another field names one.
    pub handoff: bool,
    /// Warn, in percent of the window.
    pub warn_percent: Option<u64>,
    /// Compact, as a share of the effective window.
    pub compact_fraction: Option<f64>,
    /// Compact, in percent of the window.
    pub compact_percent: Option<u64>,
    /// Compact, in tokens; 0 switches it off.
    pub compact_tokens: Option<u64>,
    /// Block, as a share of the effective window.
    pub block_fraction: Option<f64>,
}

impl NamedThresholds {
    /// The thresholds of a policy with these in their places. Of several for one level the earliest counts; those after the
    /// compaction are off.
    #[must_use]
    pub fn over(self, policy: Thresholds, window: u64, max_output: u64) -> Thresholds {
        let own = if self.handoff { handoff_thresholds(window, max_output) } else { policy };
        let tokens = |threshold: &Threshold| threshold.tokens(window, max_output).unwrap_or(u64::MAX);
        let percent = |percent: u64| Threshold::PercentWindow(percent as f64);
        let of_tokens = |tokens| if tokens == 0 { Threshold::Off } else { Threshold::Tokens(tokens) };
        let compact = [
            self.compact_fraction.map(Threshold::fraction),
            self.compact_percent.map(percent),
            self.compact_tokens.map(of_tokens),
        ];
        let compact = compact.into_iter().flatten().min_by_key(tokens).unwrap_or(own.compact);
        let block = self.block_fraction.map_or(own.block, Threshold::fraction);
        let before =
            |level: Threshold| if tokens(&level) > tokens(&compact) { Threshold::Off } else { level };
        let warn = self.warn_percent.map_or_else(|| before(own.warn), percent);
        let notice = if tokens(&own.notice) > tokens(&warn) { Threshold::Off } else { before(own.notice) };
        Thresholds { notice, warn, compact, block }
    }
}
