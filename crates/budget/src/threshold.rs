//! One threshold: the number of used tokens at which something happens.

/// The number of used tokens at which something happens.
///
/// Written as `"95%effective"`, `"90%window"`, `"200000"`, `"-20000"` or `"off"`; in configuration also as a plain
/// integer. Parsing the written form yields the same threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Threshold {
    /// Percent of the effective window (the window minus the reserved output), to four decimals.
    PercentEffective(f64),
    /// Percent of the whole window, to four decimals.
    PercentWindow(f64),
    /// This many tokens are used.
    Tokens(u64),
    /// This many tokens of the effective window are left.
    Remaining(u64),
    /// Never.
    Off,
}

impl Threshold {
    /// A fraction of the effective window, 0.95 for 95 %: the form of the keys `compact_trigger` and `hard_block`.
    ///
    /// A number that is not a fraction is not changed; [`crate::Thresholds::limits`] rejects it and names its level.
    #[must_use]
    pub fn fraction(fraction: f64) -> Self {
        // Rounded to the precision that is used, so that 0.29 is written as 29 and not as 28.999999999999996.
        Self::PercentEffective((fraction * 1e6).round() / 1e4)
    }

    /// The threshold in tokens, rounded down; `None` for [`Threshold::Off`].
    ///
    /// Percentages are applied in whole numbers of millionths, so no binary fraction moves a threshold by one.
    #[must_use]
    pub fn tokens(&self, total: u64, max_output: u64) -> Option<u64> {
        let effective = total.saturating_sub(max_output);
        match *self {
            Self::PercentEffective(percent) => Some(share(effective, percent)),
            Self::PercentWindow(percent) => Some(share(total, percent)),
            Self::Tokens(tokens) => Some(tokens),
            Self::Remaining(left) => Some(effective.saturating_sub(left)),
            Self::Off => None,
        }
    }

    /// Returns true unless this is a percentage of 0 or less, or above 100.
    pub(crate) fn has_valid_percentage(&self) -> bool {
        match *self {
            Self::PercentEffective(percent) | Self::PercentWindow(percent) => {
                percent > 0.0 && percent <= 100.0
            }
            _ => true,
        }
    }
}

fn share(base: u64, percent: f64) -> u64 {
    // A cast of a float saturates: NaN and negative numbers are 0.
    let millionths = (percent * 1e4).round() as u64;
    let tokens = u128::from(base) * u128::from(millionths) / 1_000_000;
    u64::try_from(tokens).unwrap_or(u64::MAX)
}
