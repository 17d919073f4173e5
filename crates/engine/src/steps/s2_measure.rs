//! Step 2: how full the window is, by component.

use throughline_budget::{Pressure, warn_line};

use super::s1_build_prompt::Prompted;
use crate::event::Event;
use crate::frame::components;
use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::tail::TailNotes;
use crate::window::RequestSize;

/// The request is measured, with all its notes.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    pub(crate) tail: TailNotes,
    pub(crate) size: RequestSize,
}

pub(crate) fn measure(prompted: Prompted, step: &mut StepContext<'_>) -> Measured {
    let StepContext { state: EngineState { session, window, prefix, tools, .. }, turn } = step;
    let Prompted { mut tail } = prompted;
    let components = components(session, prefix, tools);
    let used = window.measure(components, 0);
    let pressure = window.pressure(&used);
    turn.sink.emit(Event::Window { figures: used.budget.window_figures(), pressure: pressure.name() });
    let rose = window.observe(pressure);
    if rose == Some(Pressure::Warn) {
        let line = warn_line(used.used(), window.total());
        session.log_decision(turn, "measure", line, "usage crossed the warn threshold upwards");
    }
    tail.settle(tools.deferred(), window.expected_fullness());
    tail.stand(session.standing_note());
    Measured { size: window.measure_tail(components, tail.tokens(session.counter())), tail }
}
