//! Carrying out a compaction: what the compactor proposes is stored, recorded and only then swapped in.

use std::sync::Arc;

use throughline_budget::compact_line;
use throughline_compaction::{
    ClearedResult, CompactResult, Compacted, CompactionError, Goal, Job, Spending, pays_back_after,
};
use throughline_completion::ModelError;
use throughline_conversation::{CompactionReceipt, EditReason, ModelUse, RecordBody, Usage};
use throughline_resultstore::StoreError;

use crate::Event;
use crate::engine::{Engine, Wire};
use crate::error::TurnError;

/// Why a compaction changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    /// The compactor found no way, or none worth its price.
    #[error(transparent)]
    Compaction(#[from] CompactionError),
    /// What would have been cut could not be stored, so it stays in view.
    #[error("not compacted, because what would be cut could not be stored")]
    Store(#[from] StoreError),
    /// The user stopped it.
    #[error("not compacted, because it was stopped")]
    Stopped,
}

impl CompactError {
    /// Whether something went wrong. That there is nothing to gain, or that it is too early to try again, is none.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(
            self,
            Self::Compaction(CompactionError::NothingToGain { .. } | CompactionError::BreakerOpen { .. })
                | Self::Stopped
        )
    }
}

/// No request may have as many tokens as this.
pub(crate) fn block_level(engine: &Engine) -> u64 {
    engine.limits.block.unwrap_or(engine.limits.effective_window.saturating_add(1))
}

/// Says that the compact threshold is reached and a compaction follows.
pub(crate) fn announce(engine: &mut Engine, wire: &Wire<'_>) {
    if let Some(at) = engine.limits.compact.filter(|_| !engine.parts.compactor.breaker_open()) {
        let line = compact_line(at, engine.window);
        engine.tell(wire, "compact", line, "the compact threshold is reached");
    }
}

/// Compacts once. It can be stopped while the summary is written. On error the view, the log and the store's references
/// are as they were.
pub(crate) async fn attempt(
    engine: &mut Engine,
    wire: &Wire<'_>,
    reason: EditReason,
    goal: Goal,
) -> Result<CompactResult, CompactError> {
    once(engine, wire, (reason, goal), None).await
}

/// Compacts once because the user asks for it, with what they ask of the summary.
pub(crate) async fn asked_for(
    engine: &mut Engine,
    wire: &Wire<'_>,
    instructions: Option<&str>,
) -> Result<CompactResult, CompactError> {
    once(engine, wire, (EditReason::Manual, Goal::Deep), instructions).await
}

async fn once(
    engine: &mut Engine,
    wire: &Wire<'_>,
    (reason, goal): (EditReason, Goal),
    instructions: Option<&str>,
) -> Result<CompactResult, CompactError> {
    if reason == EditReason::Manual {
        // Who asks for it may have changed what made it fail.
        engine.parts.compactor.reset_breaker();
    }
    let spending = Spending::default();
    let job = Job { instructions, spending: Some(&spending), ..engine.job(goal, reason.clone()) };
    let compacted = tokio::select! {
        biased;
        () = wire.cancel.cancelled() => Err(CompactError::Stopped),
        compacted = engine.parts.compactor.compact(&job) => compacted.map_err(CompactError::from),
    };
    let asked = spending.sums();
    // Also when nothing comes of it.
    asked.iter().for_each(|used| engine.spend(wire, used.clone()));
    let compacted = compacted?;
    keep(engine, wire, &compacted.keep, matches!(goal, Goal::MustFit(_))).await?;
    Ok(swap(engine, wire, compacted, (reason, asked)).await)
}

/// Compacts until the next request is below the block level, whatever it takes.
pub(crate) async fn force(engine: &mut Engine, wire: &Wire<'_>, reason: EditReason) -> Result<(), TurnError> {
    if attempt(engine, wire, reason.clone(), Goal::Deep).await.is_ok() && engine.upper() < block_level(engine)
    {
        return Ok(());
    }
    let allowed = allowed_conversation(engine);
    let error = match attempt(engine, wire, reason, Goal::MustFit(allowed)).await {
        // Also after an error: there may be nothing to gain because it fits already.
        _ if engine.upper() < block_level(engine) => return Ok(()),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let (smallest, what) = match error {
        Some(CompactError::Stopped) => return Err(CompactError::Stopped.into()),
        Some(CompactError::Compaction(CompactionError::DoesNotFit { smallest, what, .. })) => {
            (smallest, what)
        }
        Some(other) => (engine.view.tokens(), other.to_string()),
        None => (engine.view.tokens(), "system prompt and tools take the room".to_owned()),
    };
    Err(does_not_fit(engine, engine.meter.from_raw(smallest), what))
}

/// The typed end of the road: what may not be cut is larger than the window.
pub(crate) fn does_not_fit(engine: &Engine, smallest: u64, what: String) -> TurnError {
    TurnError::DoesNotFit {
        window: engine.window,
        reserved: engine.parts.settings.max_output_tokens,
        fixed: engine.meter.from_raw(engine.raw().fixed()),
        smallest,
        what,
    }
}

/// After a provider's overflow error: learns what it tells about the window, then compacts.
pub(crate) async fn after_overflow(
    engine: &mut Engine,
    wire: &Wire<'_>,
    raw: u64,
    message: &str,
    limit: Option<u64>,
) -> Result<(), TurnError> {
    engine.decide("stream_response", "compacted after an overflow error", message);
    // A limit that leaves no room for an answer was read out of another number: it is as good as none.
    if let Some(limit) = limit
        && limit < engine.window
        && engine.learn_window(limit).is_ok()
    {
        engine.decide(
            "stream_response",
            format!("window is {limit} tokens from now on"),
            "the provider said so",
        );
    } else {
        // The request held more than was thought: it filled the window at the least.
        let usage = Usage { input: engine.limits.effective_window, ..Usage::default() };
        engine.meter.anchor(raw, raw, &usage);
        engine.meter.drop_anchor();
    }
    shrink(engine, wire).await.map_err(|error| match error {
        CompactError::Stopped => error.into(),
        error => {
            let message = format!("{message} (and {error})");
            TurnError::Model(ModelError::Overflow { message, limit })
        }
    })
}

/// After a provider refused a request for its bytes, and there is no picture that could be left out. That tells nothing
/// about tokens, so nothing is learned.
pub(crate) async fn after_too_large(
    engine: &mut Engine,
    wire: &Wire<'_>,
    message: &str,
) -> Result<(), TurnError> {
    engine.decide("stream_response", "compacted after a request of too many bytes", message);
    shrink(engine, wire).await.map_err(|error| match error {
        CompactError::Stopped => error.into(),
        error => TurnError::Model(ModelError::TooLarge { message: format!("{message} (and {error})") }),
    })
}

/// Compacts a view that the provider refused.
async fn shrink(engine: &mut Engine, wire: &Wire<'_>) -> Result<(), CompactError> {
    if attempt(engine, wire, EditReason::Overflow, Goal::Deep).await.is_err() {
        // Something has to go, or the same request would be refused again. Nobody knows how much: half of it, or as much
        // as can go.
        let gain = engine.parts.settings.compaction.minimum_gain;
        let tokens = engine.view.tokens();
        let half = (tokens as f64 * engine.parts.settings.recovery.overflow_target) as u64;
        let allowed = tokens.saturating_sub((tokens as f64 * gain) as u64);
        match attempt(engine, wire, EditReason::Overflow, Goal::MustFit(half)).await {
            Err(CompactError::Compaction(CompactionError::DoesNotFit { smallest, .. }))
                if smallest <= allowed =>
            {
                attempt(engine, wire, EditReason::Overflow, Goal::MustFit(smallest)).await?;
            }
            tried => drop(tried?),
        }
    }
    Ok(())
}

/// The largest conversation, by the counter's own figures, with which a request stays below the block level.
fn allowed_conversation(engine: &Engine) -> u64 {
    let mut meter = engine.meter.clone();
    meter.drop_anchor();
    let level = block_level(engine);
    let tail = meter.from_raw(engine.tail_tokens);
    let fits = |conversation: u64| {
        let raw = throughline_conversation::Components { conversation, ..engine.raw() };
        meter.measure(raw).upper.saturating_add(tail) < level
    };
    // With the anchor the same conversation may be found larger, and that is what the request is held against.
    let upper = engine.upper();
    let over = upper.saturating_add(1).saturating_sub(level);
    let over = (over as f64 * engine.raw().total() as f64 / upper.max(1) as f64).ceil() as u64;
    let most = if over > 0 { engine.view.tokens().saturating_sub(over) } else { u64::MAX };
    let (mut low, mut high) = (0_u64, level.saturating_mul(8).min(most));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// Stores what the stubs will name, before they are shown.
async fn keep(
    engine: &mut Engine,
    wire: &Wire<'_>,
    kept: &[ClearedResult],
    must_fit: bool,
) -> Result<(), CompactError> {
    let results = Arc::clone(&engine.parts.results);
    let at = engine.parts.clock.now();
    for item in kept {
        if let Err(error) = results.keep(&item.tool, &item.bytes, at).await {
            if !must_fit {
                return Err(error.into());
            }
            // The request has to fit. The text itself is safe in the log.
            let fallback = "what was cleared can be read from the exported session only";
            engine.degrade(wire, "result store", fallback, &error);
            return Ok(());
        }
    }
    Ok(())
}

async fn swap(
    engine: &mut Engine,
    wire: &Wire<'_>,
    compacted: Compacted,
    (reason, asked): (EditReason, Vec<ModelUse>),
) -> CompactResult {
    let Compacted { edit, view, result, degraded, notes, .. } = compacted;
    for line in notes {
        engine.tell(wire, "compact", line, "what the compaction did");
    }
    for note in degraded {
        engine.note_degraded(wire, note);
    }
    let before = engine.measure().0.used_tokens();
    let record = engine.journal.add(engine.exchange, RecordBody::Edit(edit));
    engine.view = view.at(record.seq);
    engine.progress.compacted = true;
    engine.rewritten = true;
    engine.meter.drop_anchor();
    let after = engine.measure().0.used_tokens();
    let prices = engine.parts.info.prices;
    let removed = before.saturating_sub(after);
    let rewritten = engine.meter.from_raw(result.rewritten_tokens);
    let receipt = CompactionReceipt {
        reason,
        before_tokens: before,
        after_tokens: after,
        before_messages: result.before_messages,
        after_messages: result.after_messages,
        strategies: result.strategies_run.clone(),
        rewritten_tokens: rewritten,
        pays_back_after: pays_back_after(removed, rewritten, prices.cache_read, prices.cache_write),
        asked,
    };
    engine.notes.compaction = Some(receipt.clone());
    wire.sink.emit(Event::Compacted(receipt));
    engine.flush(wire).await;
    engine.unsaved_snapshot = result.really_reduced();
    if engine.unsaved_snapshot && engine.journal.waiting() == 0 {
        engine.save_snapshot(wire).await;
    }
    result
}

impl Engine {
    /// Takes a smaller window for the rest of the session.
    pub(crate) fn learn_window(&mut self, window: u64) -> Result<(), TurnError> {
        let settings = &self.parts.settings;
        let reserved = settings.max_output_tokens;
        match settings.ladder.within(window, reserved).limits(window, reserved) {
            Ok(limits) => {
                self.window = window;
                self.limits = limits;
                self.learnt.insert(self.origin().to_string(), window);
                self.record_model();
                Ok(())
            }
            Err(error) => Err(ModelError::Other(Box::new(error)).into()),
        }
    }
}
