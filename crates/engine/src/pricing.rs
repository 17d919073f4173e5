//! Compactions by price: what the next request is to the decision, and what is remembered of it.

use throughline_compaction::{PricePolicy, PriceState, PricedRequest, PricedSummary, decide_by_price};
use throughline_conversation::{EntryKind, PriceTerms};
use throughline_ledger::{StepKind, unchanged_reads};

use crate::frame::RequestFrame;
use crate::request_prices::request_prices;
use crate::session::{EarlierRequest, Session};
use crate::summary_offer::offered;
use crate::window::{RequestSize, Window};

/// Decides by price about a measured request. `None`: the policy does not decide by price, or the view was compacted since
/// the last request.
pub(crate) fn decide(
    session: &Session,
    window: &Window,
    frame: RequestFrame<'_>,
    size: &RequestSize,
) -> Option<PriceTerms> {
    decide_with(session, window, frame, size, None)
}

/// Returns true if the price decides for a compaction now with a summary of this price, that is written while the session works.
pub(crate) fn pays_model(
    session: &Session,
    window: &Window,
    frame: RequestFrame<'_>,
    size: &RequestSize,
    price: f64,
) -> bool {
    let summary = PricedSummary { price, steps: 0.0, is_optional: true };
    let terms = decide_with(session, window, frame, size, Some(summary));
    terms.is_some_and(|terms| terms.by_model && terms.verdict.compacts())
}

/// The same with this summary in place of the one that the model may write.
fn decide_with(
    session: &Session,
    window: &Window,
    frame: RequestFrame<'_>,
    size: &RequestSize,
    summary: Option<PricedSummary>,
) -> Option<PriceTerms> {
    let policy = frame.model.settings.pricing.as_ref()?;
    if session.was_compacted() {
        return None;
    }
    let prices = request_prices(frame.model.info.prices);
    let state = session.price().unwrap_or_else(|| PriceState::new(policy));
    let request = request(policy, session, window, frame, size);
    let summary = summary.or(request.summary);
    Some(decide_by_price(policy, prices, state, &PricedRequest { summary, ..request }))
}

/// The residue after a compaction: what it has left next to the front and the newest turn.
pub(crate) fn learn(
    terms: &mut PriceTerms,
    policy: &PricePolicy,
    session: &Session,
    window: &Window,
    size: &RequestSize,
) {
    let next_to_it = front(size).saturating_add(newest(session, window));
    terms.residue = policy.learned(terms.residue, size.used().saturating_sub(next_to_it));
}

/// A compaction gained too little: everything in view is residue.
pub(crate) fn learn_failure(terms: &mut PriceTerms, session: &Session, window: &Window, size: &RequestSize) {
    let next_to_it = front(size).saturating_add(newest(session, window));
    terms.residue = size.used().saturating_sub(next_to_it) as f64;
}

fn request(
    policy: &PricePolicy,
    session: &Session,
    window: &Window,
    frame: RequestFrame<'_>,
    size: &RequestSize,
) -> PricedRequest {
    let idle_ms = idle_ms(session, frame);
    let cold = has_expired(idle_ms, frame);
    let cached = if cold { 0 } else { cached(session, window, frame).min(size.used()) };
    PricedRequest {
        tokens: size.used(),
        cached,
        front: front(size),
        newest: newest(session, window),
        follows: StepKind::of_newest(session.view().entries()),
        unchanged_files: unchanged_reads(session.view().entries(), policy.unchanged_reads.within),
        idle_ms,
        cold,
        first: session.view().epoch() == 0,
        summary: offered(session, frame, size.used(), cached, cold),
    }
}

/// Returns true if the prompt cache has expired.
pub(crate) fn is_cold(session: &Session, frame: RequestFrame<'_>) -> bool {
    has_expired(idle_ms(session, frame), frame)
}

/// Returns true if the prompt cache has expired after this time. Without a time nothing is known to be cached.
fn has_expired(idle_ms: Option<u64>, frame: RequestFrame<'_>) -> bool {
    idle_ms.is_none_or(|idle| frame.model.info.cache.is_cold_after(idle))
}

/// Milliseconds since the last request, of this run or an earlier one; `None` before the first one.
fn idle_ms(session: &Session, frame: RequestFrame<'_>) -> Option<u64> {
    let since = |earlier: EarlierRequest| session.now().0.saturating_sub(earlier.at.0).unsigned_abs();
    frame.idle_ms(session).or_else(|| session.earlier().map(since))
}

/// Tokens of the next request that a warm cache has.
fn cached(session: &Session, window: &Window, frame: RequestFrame<'_>) -> u64 {
    match (frame.prefix.sent_at(), session.earlier()) {
        // Prompt and tools of the first request of a run are mostly those of the last run.
        (None, Some(earlier)) => earlier.tokens,
        _ => frame.prefix.read_now(session, window, frame.tools, frame.model),
    }
}

/// System prompt and tools, and the notes at the end, which no compaction shrinks either.
fn front(size: &RequestSize) -> u64 {
    size.budget.window_figures().used.fixed()
}

/// The last message of the model and everything after it, or the last message of the user.
fn newest(session: &Session, window: &Window) -> u64 {
    let entries = session.view().entries();
    let last = entries.iter().rposition(|entry| entry.kind == EntryKind::Assistant);
    let newest = entries.get(last.unwrap_or(0)..).unwrap_or_default();
    let tokens = newest.iter().fold(window.tail_tokens(), |sum, entry| sum.saturating_add(entry.tokens));
    window.meter().from_raw(tokens)
}
