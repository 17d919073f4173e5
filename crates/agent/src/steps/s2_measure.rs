//! Step 2: how full the window is, by component.

use throughline_budget::{ContextBudget, Pressure, warn_line};
use throughline_prompt::context_note;

use super::s1_build_prompt::Prompted;
use crate::Event;
use crate::engine::{Engine, Wire};

/// The window is measured.
#[derive(Debug)]
pub(crate) struct Sized {
    pub(crate) tail: Vec<String>,
    pub(crate) budget: ContextBudget,
    /// A cautious upper bound of the tokens in use.
    pub(crate) upper: u64,
}

pub(crate) fn measure(prompted: Prompted, engine: &mut Engine, wire: &Wire<'_>) -> Sized {
    let budget = engine.measure().0;
    let used = budget.used_tokens();
    let pressure = engine.limits.pressure(used);
    wire.sink.emit(Event::Window { figures: budget.window_figures(), pressure: pressure.name() });
    let mut tail = prompted.tail;
    let rose = engine.gate.observe(pressure);
    if rose == Some(Pressure::Warn) {
        let line = warn_line(used, engine.window);
        engine.tell(wire, "measure", line, "usage crossed the warn threshold upwards");
    }
    let told = engine.limits.notice.is_some();
    if told && rose.is_some_and(|rose| (Pressure::Notice..Pressure::Compact).contains(&rose)) {
        // Once per crossing and at the tail: a note that changed with every request would be paid every time.
        let note = context_note(percent(&budget));
        wire.sink.emit(Event::Note(note.clone()));
        engine.decide("measure", "context note at the tail", "usage crossed the notice threshold upwards");
        tail.push(note);
    }
    engine.count_tail(&tail);
    Sized { tail, budget, upper: engine.upper() }
}

fn percent(budget: &ContextBudget) -> u64 {
    budget.used_tokens().saturating_mul(100).checked_div(budget.effective_window()).unwrap_or(100)
}
