//! Step 2: how full the window is, by component.

use throughline_budget::{ContextBudget, Pressure, warn_line};

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
    let tail = prompted.tail;
    let rose = engine.gate.observe(pressure);
    if rose == Some(Pressure::Warn) {
        let line = warn_line(used, engine.window);
        engine.tell(wire, "measure", line, "usage crossed the warn threshold upwards");
    }
    let told = engine.limits.notice.is_some();
    if told && rose.is_some_and(|rose| (Pressure::Notice..Pressure::Compact).contains(&rose)) {
        // It is told behind the compaction, which may make it untrue.
        engine.note_due = true;
    }
    engine.count_tail(&tail);
    Sized { tail, budget, upper: engine.upper() }
}
