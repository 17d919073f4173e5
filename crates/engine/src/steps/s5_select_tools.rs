//! Step 5: which tool descriptions the model sees, and the note about the fullness of its window.

use throughline_conversation::ToolOrigin;
use throughline_prompt::DynamicPlacement;

use super::s4_compact::Fitted;
use crate::event::Event;
use crate::frame::components;
use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::tail::TailNotes;
use crate::toolbox::FIRST_SELECTION;
use crate::window::RequestSize;
use throughline_text::counted;

/// The tools are selected: everything in the request is known and measured.
#[derive(Debug)]
pub(crate) struct Equipped {
    pub(crate) tail: TailNotes,
    pub(crate) tail_tokens: u64,
    pub(crate) size: RequestSize,
}

pub(crate) fn select_tools(fitted: Fitted, step: &mut StepContext<'_>) -> Equipped {
    let StepContext { state: EngineState { session, window, prefix, tools, model, .. }, turn } = step;
    let Fitted { mut tail } = fitted;
    let replanned = tools.take_replanned();
    let selected = tools.select(session, window).or(replanned);
    let (active, deferred) = (tools.active().len(), tools.deferred());
    if let Some(why) = selected {
        let what = format!("{} sent, {deferred} deferred", counted(active as u64, "tool"));
        session.record_decision("select_tools", what, why.clone());
        turn.sink.emit(Event::ToolsChanged { why, active, deferred });
    } else if session.requests() == 0 && deferred > 0 {
        // The first selection was made when the session was opened, before there was a sink.
        turn.sink.emit(Event::ToolsChanged { why: FIRST_SELECTION.to_owned(), active, deferred });
    }
    if !model.info.web_search && tools.active().iter().any(|tool| tool.origin == ToolOrigin::Provider) {
        session.note_no_search(turn, &model.info);
    }
    let components = components(session, prefix, tools);
    let unnoted = window.measure(components, 0);
    let fullness = match prefix.placement() {
        DynamicPlacement::LastUser => window.fullness(&unnoted),
        DynamicPlacement::SystemTail => window.standing_fullness(&unnoted),
    };
    tail.settle(deferred, fullness);
    tail.stand(session.standing_note());
    let tail_tokens = tail.tokens(session.counter());
    Equipped { size: window.measure(components, tail_tokens), tail, tail_tokens }
}
