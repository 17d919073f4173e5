//! Step 6: the request, its cache markers, and the check that a provider will take it.

use std::sync::Arc;

use throughline_completion::{CompletionRequest, RequestFault};
use throughline_conversation::{Receipt, Usage};
use throughline_prompt::{PlanInput, SectionFigures};

use super::s5_select_tools::Equipped;
use crate::engine::{Engine, Wire, tokens_of};
use crate::error::TurnError;
use crate::keeping::Keeping;
use crate::{Event, compacting};

/// A request that may leave, and its receipt so far.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) request: CompletionRequest,
    pub(crate) receipt: Box<Receipt>,
    /// Tokens of the request by the counter, before calibration.
    pub(crate) raw: u64,
}

/// What came of building.
#[derive(Debug)]
pub(crate) enum Built {
    /// It may leave.
    Ready(Ready),
    /// Something grew since it was measured (tools were promoted): measure again.
    TooLarge,
}

pub(crate) fn build_request(
    equipped: Equipped,
    engine: &mut Engine,
    wire: &Wire<'_>,
) -> Result<Built, TurnError> {
    let Equipped { mut tail, note } = equipped;
    tail.extend(note.clone());
    let (budget, measured) = engine.measure();
    let tail_raw = tokens_of(engine.parts.counter.as_ref(), &tail);
    let upper = measured.upper.saturating_add(engine.meter.from_raw(tail_raw));
    if upper > compacting::block_level(engine) {
        return Ok(Built::TooLarge);
    }
    if let Some(note) = note {
        wire.sink.emit(Event::Note(note));
        engine.decide(
            "build_request",
            "context note at the tail",
            "usage crossed the notice threshold upwards",
        );
        engine.note_due = false;
    }
    // What the log does not say already is in the receipt; the documents are read from the log again.
    let notes = tail;
    let shown = Keeping::note(engine.view.documents()).into_iter().chain(notes.iter().cloned()).collect();
    let request = CompletionRequest {
        model: engine.parts.info.name.clone(),
        session: Some(engine.parts.session.clone()),
        tools: Arc::clone(&engine.tools),
        system: Arc::clone(&engine.system),
        transcript: engine.view.transcript().clone(),
        breakpoints: plan(engine),
        tail: shown,
        max_output_tokens: engine.parts.settings.max_output_tokens,
    };
    let mut faults = request.shell_faults();
    faults.extend(engine.view.violations().into_iter().map(RequestFault::from));
    if !faults.is_empty() {
        return Err(TurnError::InvalidRequest(faults));
    }
    let predicted = predict(engine, tail_raw);
    engine.request += 1;
    let receipt = Box::new(Receipt {
        turn: engine.turn,
        request: engine.request,
        upto: engine.view.last(),
        epoch: engine.view.epoch(),
        model: request.model.clone(),
        window: budget.window_figures(),
        pressure: engine.limits.pressure(budget.used_tokens()).name().to_owned(),
        decisions: std::mem::take(&mut engine.notes.decisions),
        compaction: engine.notes.compaction.take(),
        offloaded: std::mem::take(&mut engine.notes.offloaded),
        tools_active: engine.tools.len() as u64,
        tools_deferred: engine.deferred as u64,
        breakpoints: request.breakpoints.clone(),
        tail: notes,
        predicted,
        reported: None,
        stop: String::new(),
        degraded: Vec::new(),
    });
    let messages = request.transcript.len();
    wire.sink.emit(Event::Sent { request: engine.request, messages, predicted });
    let raw = engine.raw().total().saturating_add(tail_raw);
    Ok(Built::Ready(Ready { request, receipt, raw }))
}

fn plan(engine: &mut Engine) -> Vec<throughline_conversation::CacheBreakpoint> {
    let figures = engine.system.iter().zip(&engine.system_tokens.sections);
    let system: Vec<SectionFigures> = figures
        .map(|(section, tokens)| SectionFigures { tokens: *tokens, cacheable: section.cacheable })
        .collect();
    let input = PlanInput {
        rules: engine.parts.info.cache,
        tools: engine.tools.len(),
        tools_tokens: engine.tools_tokens,
        system: &system,
        entries: engine.view.entries(),
        conversation_tokens: engine.view.tokens(),
        epoch: engine.prefix_epoch(),
    };
    let plan = engine.planner.plan(&input);
    engine.sent_prefix();
    plan
}

fn predict(engine: &mut Engine, tail_raw: u64) -> Usage {
    let now = engine.parts.clock.now();
    let idle = engine.sent_at.replace(now).map_or(0, |sent| now.0.saturating_sub(sent.0));
    if idle.unsigned_abs() > engine.parts.info.cache.idle_ms {
        // Nobody has used the provider's cache for so long that it is gone.
        engine.predictor.forget();
    }
    let mut predictor = std::mem::take(&mut engine.predictor);
    let usage = predictor.predict(&engine.next_request(tail_raw));
    engine.predictor = predictor;
    let scaled = |raw| engine.meter.from_raw(raw);
    Usage {
        input: scaled(usage.input),
        cache_read: scaled(usage.cache_read),
        cache_write: scaled(usage.cache_write),
        output: 0,
    }
}
