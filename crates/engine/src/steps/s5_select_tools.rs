//! Step 5: which tool descriptions the model sees, and the note about the fullness of its window.

use throughline_budget::Pressure;
use throughline_prompt::{DynamicPlacement, standing_percent};

use super::s4_compact::Fitted;
use crate::event::Event;
use crate::frame::components;
use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::tail::{Fullness, TailNotes};
use crate::toolbox::FIRST_SELECTION;
use crate::window::{RequestSize, Window};

/// The tools are selected: everything in the request is known and measured.
#[derive(Debug)]
pub(crate) struct Equipped {
    pub(crate) tail: TailNotes,
    pub(crate) tail_tokens: u64,
    pub(crate) size: RequestSize,
}

pub(crate) fn select_tools(fitted: Fitted, step: &mut StepContext<'_>) -> Equipped {
    let StepContext { state: EngineState { session, window, prefix, tools, .. }, turn } = step;
    let Fitted { mut tail } = fitted;
    let selected = tools.select(session, window);
    let (active, deferred) = (tools.active().len(), tools.deferred());
    if let Some(why) = selected {
        let what = format!("{active} tools sent, {deferred} deferred");
        session.record_decision("select_tools", what, why.clone());
        turn.sink.emit(Event::ToolsChanged { why, active, deferred });
    } else if session.request == 0 && deferred > 0 {
        // The first selection was made when the session was opened, before there was a sink.
        turn.sink.emit(Event::ToolsChanged { why: FIRST_SELECTION.to_owned(), active, deferred });
    }
    let components = components(session, prefix, tools);
    let unnoted = window.measure(components, 0);
    let fullness = match prefix.placement {
        DynamicPlacement::LastUser => fullness(window, &unnoted),
        DynamicPlacement::SystemTail => standing_fullness(window, &unnoted),
    };
    tail.settle(deferred, fullness);
    let tail_tokens = tail.tokens(session.counter.as_ref());
    Equipped { size: window.measure(components, tail_tokens), tail, tail_tokens }
}

/// The note about a window that is nearly full: once per crossing and at the tail, because a note that changed with
/// every request would be paid for every time.
fn fullness(window: &mut Window, size: &RequestSize) -> Fullness {
    window.notice_due &= (Pressure::Notice..Pressure::Compact).contains(&window.pressure(size));
    match window.notice_due {
        true => Fullness::Percent(size.budget.used_percentage() as u64),
        false => Fullness::Silent,
    }
}

/// The note in the system prompt: in every request above the notice threshold, because a note that came and went would make
/// the conversation behind it cold twice.
fn standing_fullness(window: &mut Window, size: &RequestSize) -> Fullness {
    let noticed = (Pressure::Notice..Pressure::Compact).contains(&window.pressure(size));
    window.notice_due &= noticed;
    let shown = standing_percent(window.noted, size.budget.used_percentage() as u64);
    window.noted = (noticed && window.limits.notice.is_some()).then_some(shown);
    window.noted.map_or(Fullness::Silent, Fullness::Percent)
}
