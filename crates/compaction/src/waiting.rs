//! What is cheapest for a session that waits for its user while its prompt cache is about to expire.

use throughline_conversation::LongPrompt;
use throughline_text::group_thousands;

use crate::priced::RequestPrices;

/// Share of the pauses after which a session continues. What a choice costs now is certain; what it saves is counted with
/// this share. In 25 recorded sessions of four agents 94 of 119 pauses of more than five minutes were followed by another
/// request; the others ended the session. Recorded sessions are long ones, so it is rounded down.
const CONTINUED: f64 = 0.75;

/// A session that waits. Sizes are in tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaitingSession {
    /// The next request without a compaction.
    pub tokens: u64,
    /// The part of it that is in the prompt cache.
    pub cached: u64,
    /// The next request after a compaction.
    pub left: u64,
    /// Price of the summary while the cache is warm, in token-equivalents; 0 without a model.
    pub summary_now: f64,
    /// Price of the summary after the cache has expired.
    pub summary_later: f64,
    /// Whether the cache may be kept warm once more.
    pub may_warm: bool,
}

/// What to do before the prompt cache expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitingChoice {
    /// Nothing: the cache expires.
    LetExpire,
    /// Compact while the summary can read the cache.
    Compact,
    /// Send a minimal request that reads the cache, so that it lives for another span.
    KeepWarm,
}

/// A choice, and the expected price of each in token-equivalents, the next request included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaitingTerms {
    /// The cheapest.
    pub choice: WaitingChoice,
    /// Of [`WaitingChoice::LetExpire`].
    pub let_expire: f64,
    /// Of [`WaitingChoice::Compact`].
    pub compact: f64,
    /// Of [`WaitingChoice::KeepWarm`].
    pub keep_warm: f64,
}

/// Decides by price. A tie changes nothing.
#[must_use]
pub fn decide_waiting(prices: RequestPrices, session: &WaitingSession) -> WaitingTerms {
    let RequestPrices { read, write, output, .. } = prices;
    let cached = session.cached.min(session.tokens);
    let new = write * (session.tokens - cached) as f64;
    let compacted = write * prices.weighted(session.left);
    let whole = write * prices.weighted(session.tokens);
    let let_expire = CONTINUED * whole.min(session.summary_later + compacted);
    let compact = session.summary_now + CONTINUED * compacted;
    let warm = (read * cached as f64 + new) * LongPrompt::input_factor(prices.long, session.tokens);
    let keep_warm = warm + output + CONTINUED * read * prices.weighted(session.tokens);
    let mut choice = WaitingChoice::LetExpire;
    let mut least = let_expire;
    if compact < least && session.left < session.tokens {
        (choice, least) = (WaitingChoice::Compact, compact);
    }
    if keep_warm < least && session.may_warm {
        choice = WaitingChoice::KeepWarm;
    }
    WaitingTerms { choice, let_expire, compact, keep_warm }
}

impl WaitingTerms {
    /// The decision in one sentence without its end, for a person.
    #[must_use]
    pub fn sentence(&self) -> String {
        let rounded = |price: f64| group_thousands(price.round().max(0.0) as u64);
        let [expire, compact, warm] = [self.let_expire, self.compact, self.keep_warm].map(rounded);
        let what = match self.choice {
            WaitingChoice::LetExpire => "the prompt cache expires",
            WaitingChoice::Compact => "compacts before the prompt cache expires",
            WaitingChoice::KeepWarm => "keeps the prompt cache warm",
        };
        format!(
            "{what}: expected token-equivalents {expire} if it expires, {compact} compacted now, {warm} with the cache warm"
        )
    }
}

#[cfg(test)]
mod tests;
