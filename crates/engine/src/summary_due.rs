//! When a summary is written ahead of a compaction, and when a due compaction waits for one.

use throughline_compaction::ModelSummaries;
use throughline_completion::Prices;
use throughline_conversation::ModelUse;

use crate::active_model::ActiveModel;
use crate::frame::RequestFrame;
use crate::pricing;
use crate::request_prices::request_prices;
use crate::session::Session;
use crate::summary_offer::{price, summary_output};
use crate::window::Window;

/// Returns true if a due compaction waits until its summary is written. The session works on meanwhile.
pub(crate) fn waits(session: &mut Session, window: &Window, frame: RequestFrame<'_>) -> bool {
    let Some(prepared) = frame.model.prepared(session.ahead()) else { return false };
    if prepared.fits(session.view().entries()) || pricing::is_cold(session, frame) {
        return false;
    }
    let is_begun = session.ahead().is_writing();
    if frame.cached_prefix(session, window).is_none() {
        // It is begun once a request of this run can be read from the cache.
        return is_begun
            || frame.model.summaries() == ModelSummaries::Always && session.ahead().may_begin(0.0);
    }
    let begins = !is_begun
        && affordable(session, window, frame).is_some_and(|price| match frame.model.summaries() {
            ModelSummaries::Never => false,
            ModelSummaries::Always => true,
            ModelSummaries::WherePaid => {
                let size = frame.size(session, window);
                !session.has_progress_note() && pricing::pays_model(session, window, frame, &size, price)
            }
        });
    if begins {
        session.ahead_mut().want();
    }
    is_begun || begins
}

/// Returns true if a summary should be begun: a compaction waits for one, or the window will be full when it is written.
pub(crate) fn is_due(session: &Session, window: &Window, frame: RequestFrame<'_>) -> bool {
    let is_expected = session.ahead().is_wanted()
        || frame.model.summaries() == ModelSummaries::Always && will_be_full(session, window, frame);
    is_expected && affordable(session, window, frame).is_some()
}

/// Returns true if the window is full before a summary that is begun now is written.
fn will_be_full(session: &Session, window: &Window, frame: RequestFrame<'_>) -> bool {
    let pace = session.pace();
    let output = summary_output(session, frame);
    let steps = session.ahead().took().map_or_else(|| pace.steps(output), |ms| pace.steps_of(ms));
    let grown = (steps.ceil().max(1.0) as u64).saturating_add(1).saturating_mul(mean_step(session, window));
    // What is written too early covers too little of what a compaction then replaces.
    let grown = grown.min(window.meter().from_raw(session.view().tokens()));
    window.limits().should_compact(frame.size(session, window).used().saturating_add(grown))
}

/// The price of a summary by the model, if it can read the prompt cache and may be begun now.
fn affordable(session: &Session, window: &Window, frame: RequestFrame<'_>) -> Option<f64> {
    let prefix = frame.cached_prefix(session, window)?;
    let used = frame.size(session, window).used();
    let price = price(frame, used, prefix.cached.min(used), summary_output(session, frame));
    session.ahead().may_begin(price).then_some(price)
}

/// Mean tokens of a step in view: a message of the model with what answers it.
fn mean_step(session: &Session, window: &Window) -> u64 {
    use throughline_conversation::EntryKind::{Assistant, Summary};
    let entries = session.view().entries();
    let steps = entries.iter().filter(|entry| entry.kind == Assistant).count() as u64;
    let tokens: u64 = entries.iter().filter(|entry| entry.kind != Summary).map(|entry| entry.tokens).sum();
    window.meter().from_raw(tokens.checked_div(steps).unwrap_or_default())
}

impl Session {
    /// The view has changed: what was written of it and not used is thrown away.
    pub(crate) fn forget_prepared(&mut self, model: &ActiveModel) {
        if let Some(prepared) = model.prepared(self.ahead()) {
            self.throw_away(model.info.prices, &prepared.clear());
        }
        self.ahead_mut().forget();
    }

    pub(crate) fn throw_away(&mut self, prices: Prices, used: &[ModelUse]) {
        let price = used.iter().map(|used| request_prices(prices).of(&used.usage)).sum();
        self.ahead_mut().throw_away(price);
    }
}
