//! Step 1: the system prompt, static parts first.
//!
//! Static sections are read at a new user message and after a compaction, never inside a tool loop: a changed system
//! prompt makes the whole conversation behind it cold. A source may be stricter and withhold changes until a
//! compaction. Sections that change all the time go to the tail of the request.

use throughline_prompt::BuiltPrompt;

use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::tail::TailNotes;

/// The prompt is built.
#[derive(Debug)]
pub(crate) struct Prompted {
    /// Notes for the end of this request.
    pub(crate) tail: TailNotes,
}

pub(crate) async fn build_prompt(step: &mut StepContext<'_>) -> Prompted {
    let built = read_sections(step).await;
    let EngineState { session, prefix, tail, .. } = &mut *step.state;
    let is_due = prefix.is_prompt_due(session);
    let notes = tail.notes(built.tail.clone());
    if is_due {
        show(step.state, &built);
    }
    Prompted { tail: notes }
}

/// Builds the system prompt again if the view was compacted since: the next request is cold in any case. In the request
/// after it, a changed section would make everything cold a second time.
pub(crate) async fn renew_prompt(step: &mut StepContext<'_>) {
    let EngineState { session, prefix, .. } = &*step.state;
    if prefix.has_older_prompt(session) {
        let built = read_sections(step).await;
        show(step.state, &built);
    }
}

fn show(state: &mut EngineState, built: &BuiltPrompt) {
    let EngineState { session, window, prefix, .. } = state;
    if prefix.set_system(session, &built.system) {
        window.drop_anchor();
    }
}

async fn read_sections(step: &mut StepContext<'_>) -> BuiltPrompt {
    let StepContext { state: EngineState { session, prefix, model, .. }, turn } = step;
    prefix.read_sections(session, turn, model.settings.placement).await
}
