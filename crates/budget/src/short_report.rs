//! Reports of providers that are too small to be of the whole request.
//!
//! Tokenizers differ by a factor of three and more, so an estimate that is far higher proves nothing. Two things do:
//!
//! - The report is below three quarters of the words between blanks. A script without blanks has few, and is not judged.
//! - The report is a round number, as a window is, and the estimate is far higher, by more than half of it, or the report
//!   did not grow with the request.
//!
//! Some servers count only what their cache did not hold. Such a report is small, and nothing is missing.

/// What a request contains, in two measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SentPart {
    /// Raw tokens, by the counter.
    pub tokens: u64,
    /// Words between blanks.
    pub words: u64,
}

/// A request that a provider has reported on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SentPrompt {
    /// Descriptions of tools.
    pub tools: SentPart,
    /// Everything else.
    pub rest: SentPart,
    /// The last message is the user's. Some templates describe tools only then.
    pub asks: bool,
}

/// The report before, about a request that this one extends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlierReport {
    /// Raw tokens of that request.
    pub tokens: u64,
    /// Prompt tokens that the provider reported for it.
    pub reported: u64,
}

/// Why a report is too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShortReport {
    /// The descriptions of tools are missing, and nothing else.
    WithoutTools,
    /// It is a round number: that of a window that the request was cut to.
    CutToWindow,
    /// Something is missing.
    Incomplete,
    /// It may be of what the provider's cache did not hold.
    NewContent,
}

/// Smallest window that a server cuts requests to.
const SMALLEST_WINDOW: u64 = 2_048;
/// Windows are multiples of this.
const WINDOW_STEP: u64 = 1_024;
/// Raw tokens that must be new before a report that stays the same is evidence.
const NEW_TOKENS: u64 = 64;

/// Compares a report with its request. `scale`: tokens of the model per raw token, see [`Meter::scale`](crate::Meter::scale).
/// `sent` is called only for a report that is small. `None`: nothing speaks against the report.
#[must_use]
pub fn short_report(
    raw: u64,
    scale: f64,
    reported: u64,
    before: Option<EarlierReport>,
    sent: impl FnOnce() -> SentPrompt,
) -> Option<ShortReport> {
    if reported == 0 {
        return None;
    }
    let added = before.map(|before| raw.saturating_sub(before.tokens));
    if is_window(reported) {
        let is_far_less = raw as f64 * scale > reported as f64 * 1.5;
        let is_constant = before.is_some_and(|before| before.reported == reported)
            && added.is_some_and(|added| added >= NEW_TOKENS);
        if is_far_less || is_constant {
            return Some(ShortReport::CutToWindow);
        }
    }
    // No text has fewer tokens by a counter than words.
    if reported >= least(raw) {
        return None;
    }
    let SentPrompt { tools, rest, asks } = sent();
    if reported >= least(tools.words.saturating_add(rest.words)) {
        return None;
    }
    if added.is_some_and(|added| reported <= added.saturating_mul(2).saturating_add(NEW_TOKENS)) {
        return Some(ShortReport::NewContent);
    }
    if reported >= least(rest.words) && reported <= rest.tokens.saturating_mul(2) {
        // In the midst of a turn a template may rightly leave the tools out.
        return Some(if asks { ShortReport::WithoutTools } else { ShortReport::NewContent });
    }
    Some(if before.is_some() { ShortReport::Incomplete } else { ShortReport::NewContent })
}

/// The fewest tokens of this many words. Three for four: some tokenizers have tokens for pairs of short words.
fn least(words: u64) -> u64 {
    words.saturating_mul(3) / 4
}

fn is_window(tokens: u64) -> bool {
    tokens >= SMALLEST_WINDOW && tokens.is_multiple_of(WINDOW_STEP)
}
