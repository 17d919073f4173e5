//! One threshold: at how many used tokens something happens.

/// At how many used tokens something happens.
///
/// Written as `"95%effective"`, `"90%window"`, `"200000"`, `"-20000"` or `"off"`; in configuration also as a plain
/// integer. Reading and writing give the same threshold back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Threshold {
    /// Per cent of the effective window (the window less the reserve for the answer). Decimals behind the fourth
    /// do not count.
    PercentEffective(f64),
    /// Per cent of the whole window. Decimals behind the fourth do not count.
    PercentWindow(f64),
    /// So many tokens used.
    Tokens(u64),
    /// So many tokens left of the effective window.
    Remaining(u64),
    /// Never.
    Off,
}

impl Threshold {
    /// A fraction of the effective window, 0.95 for 95 %: the form of the keys `compact_trigger` and `hard_block`.
    ///
    /// A number that is no fraction is kept as it is; [`crate::Ladder::limits`] refuses it and names the rung.
    #[must_use]
    pub fn fraction(fraction: f64) -> Self {
        // Rounded at the precision that counts, so that 0.29 is written as 29 and not as 28.999999999999996.
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

    /// Whether this is no percentage, or one above 0 and at most 100.
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
