//! Step 5: which tool descriptions the model sees.

use throughline_deferral::deferred_note;

use super::s4_compact::Fitted;
use crate::Event;
use crate::engine::{Engine, Wire};

/// The tools are chosen.
#[derive(Debug)]
pub(crate) struct Equipped {
    pub(crate) tail: Vec<String>,
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
    Equipped { tail }
}
