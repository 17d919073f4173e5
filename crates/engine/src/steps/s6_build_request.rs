//! Step 6: the request, its cache markers, and the check that a provider accepts it.

use std::sync::Arc;

use throughline_completion::{CompletionRequest, RequestFault};
use throughline_conversation::{Receipt, Usage};
use throughline_prompt::DynamicPlacement;

use super::s5_select_tools::Equipped;
use crate::decision::is_blocked;
use crate::error::TurnError;
use crate::event::Event;
use crate::session::{Session, documents_tail};
use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::toolbox::ToolBox;
use crate::window::RequestSize;

/// A valid request, and its receipt so far.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) request: CompletionRequest,
    pub(crate) receipt: Box<Receipt>,
    /// The counter's tokens of the request, before calibration.
    pub(crate) raw: u64,
    /// Those of the notes at its end, which are a part of `raw`.
    pub(crate) tail_tokens: u64,
}

/// Outcome of building.
#[derive(Debug)]
pub(crate) enum Built {
    Ready(Ready),
    /// Something grew since it was measured (tools were promoted): measure again.
    TooLarge,
}

pub(crate) fn build_request(equipped: Equipped, step: &mut StepContext<'_>) -> Result<Built, TurnError> {
    let StepContext { state, turn } = step;
    let EngineState { session, window, prefix, tools, model, .. } = &mut **state;
    let Equipped { tail, tail_tokens, size } = equipped;
    if is_blocked(&size, window.limits()) {
        return Ok(Built::TooLarge);
    }
    let system_tail = prefix.placement() == DynamicPlacement::SystemTail;
    if let Some(note) = tail.fullness_note().filter(|_| window.take_notice()) {
        turn.sink.emit(Event::Note(note));
        let why = "usage crossed the notice threshold upwards";
        let what = if system_tail { "context note in the system prompt" } else { "context note at the tail" };
        session.record_decision("build_request", what, why);
    }
    // The receipt stores the notes, because the log has them nowhere else. Documents are read from the log again.
    let notes = tail.into_texts();
    let dynamic = documents_tail(session.view()).into_iter().chain(notes.iter().cloned()).collect();
    let (system, shown) = prefix.place_sent(dynamic);
    let breakpoints = prefix.plan_sent(session, tools, model);
    let request = CompletionRequest {
        model: model.info.name.clone(),
        session: Some(session.id().clone()),
        tools: Arc::clone(tools.active()),
        system,
        transcript: session.view().transcript().clone(),
        breakpoints,
        tail: shown,
        max_output_tokens: window.reserved(),
    };
    let mut faults = request.shell_faults();
    faults.extend(session.view().violations().into_iter().map(RequestFault::from));
    if !faults.is_empty() {
        return Err(TurnError::InvalidRequest(faults));
    }
    let (predicted, cache) = prefix.predict(session, window, tools, model, tail_tokens, &request.breakpoints);
    let certificate = session.certify(&notes);
    session.begin_request();
    let pressure = window.pressure(&size).name();
    let receipt = Receipt {
        certificate,
        tail: notes,
        system_tail,
        predicted,
        cache,
        ..open_receipt(session, tools, &request, &size, pressure)
    };
    Ok(Built::Ready(Ready { request, receipt: Box::new(receipt), raw: size.raw, tail_tokens }))
}

/// The receipt of a request that is not answered yet. It takes what is pending.
fn open_receipt(
    session: &mut Session,
    tools: &ToolBox,
    request: &CompletionRequest,
    size: &RequestSize,
    pressure: &str,
) -> Receipt {
    let pending = session.take_pending();
    Receipt {
        turn: session.turn(),
        request: session.requests(),
        upto: session.view().last(),
        epoch: session.view().epoch(),
        model: request.model.clone(),
        window: size.budget.window_figures(),
        pressure: pressure.to_owned(),
        decisions: pending.decisions,
        compaction: pending.compaction,
        certificate: None,
        price: pending.price,
        regret: pending.regret,
        offloaded: pending.offloaded,
        tools_active: tools.active().len() as u64,
        tools_deferred: tools.deferred() as u64,
        breakpoints: request.breakpoints.clone(),
        tail: Vec::new(),
        system_tail: false,
        predicted: Usage::default(),
        cache: None,
        reported: None,
        diagnosis: None,
        window_prompt: None,
        short_report: false,
        searches: Vec::new(),
        cited: Vec::new(),
        stop: String::new(),
        degraded: Vec::new(),
    }
}
