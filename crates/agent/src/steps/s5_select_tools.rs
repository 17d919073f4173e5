//! Step 5: which tool descriptions the model sees, and what it is told of the window.

use throughline_budget::Pressure;
use throughline_deferral::deferred_note;
use throughline_prompt::context_note;

use super::s4_compact::Fitted;
use crate::Event;
use crate::engine::{Engine, Wire};

/// The tools are chosen.
#[derive(Debug)]
pub(crate) struct Equipped {
    pub(crate) tail: Vec<String>,
    /// That the window is nearly full, when the model is to be told.
    pub(crate) note: Option<String>,
}

pub(crate) fn select_tools(fitted: Fitted, engine: &mut Engine, wire: &Wire<'_>) -> Equipped {
    let Fitted { mut tail } = fitted;
    if let Some(why) = engine.select_tools() {
        let (active, deferred) = (engine.tools.len(), engine.deferred);
        engine.decide("select_tools", format!("{active} tools sent, {deferred} deferred"), why.clone());
        wire.sink.emit(Event::ToolsChanged { why, active, deferred });
    } else if engine.request == 0 && engine.deferred > 0 {
        // The first list was chosen when the session was opened, and nobody has been told of it.
        let (active, deferred) = (engine.tools.len(), engine.deferred);
        let why = "first list of the session".to_owned();
        wire.sink.emit(Event::ToolsChanged { why, active, deferred });
    }
    if engine.deferred > 0 {
        tail.push(deferred_note(engine.deferred));
    }
    let note = fullness(engine);
    Equipped { tail, note }
}

/// What the model is told of a window that is nearly full: once per crossing and at the tail, since a note that changed
/// with every request would be paid every time.
fn fullness(engine: &mut Engine) -> Option<String> {
    let budget = engine.measure().0;
    let pressure = engine.limits.pressure(budget.used_tokens());
    engine.note_due &= (Pressure::Notice..Pressure::Compact).contains(&pressure);
    engine.note_due.then(|| context_note(budget.used_percentage() as u64))
}
