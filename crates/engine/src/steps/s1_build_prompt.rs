//! Step 1: the system prompt, static parts first.
//!
//! Static sections are read at a new user message and after a compaction, never inside a tool loop: a changed system
//! prompt makes the whole conversation behind it cold. A source may be stricter and withhold changes until a
//! compaction. Sections that change all the time go to the tail of the request.

use throughline_prompt::{BuiltPrompt, PromptBuilder, PromptSection, SectionError};

use crate::session::Session;
use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::tail::TailNotes;
use crate::turn_context::TurnContext;

/// The prompt is built.
#[derive(Debug)]
pub(crate) struct Prompted {
    /// Notes for the end of this request.
    pub(crate) tail: TailNotes,
}

pub(crate) async fn build_prompt(step: &mut StepContext<'_>) -> Prompted {
    let built = read_sections(step).await;
    let EngineState { session, prefix, tail, .. } = &mut *step.state;
    let is_due = session.fresh_turn || prefix.prompt_epoch != Some(session.view.epoch());
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
    if prefix.compactions_seen != session.compactions {
        let built = read_sections(step).await;
        show(step.state, &built);
    }
}

fn show(state: &mut EngineState, built: &BuiltPrompt) {
    let EngineState { session, window, prefix, .. } = state;
    if prefix.set_system(session, &built.system) {
        window.drop_anchor();
    }
    prefix.prompt_epoch = Some(session.view.epoch());
}

async fn read_sections(step: &mut StepContext<'_>) -> BuiltPrompt {
    let StepContext { state: EngineState { session, prefix, model, .. }, turn } = step;
    if prefix.compactions_seen != session.compactions {
        prefix.compactions_seen = session.compactions;
        prefix.sources.iter().for_each(|source| source.renew());
    }
    let mut builder = PromptBuilder::new(model.settings.placement);
    for source in &prefix.sources {
        let name = source.name();
        let sections = match source.sections().await {
            Ok(sections) => {
                prefix.last_sections.insert(name, sections.clone());
                sections
            }
            Err(error) => fallback(session, turn, &error, prefix.last_sections.get(&name), &name),
        };
        sections.into_iter().for_each(|section| {
            builder.add(section);
        });
    }
    builder.build()
}

/// The sections of a source that failed. Its last sections are still true while it is only unavailable, and they keep
/// the cached prefix warm.
fn fallback(
    session: &mut Session,
    turn: &TurnContext<'_>,
    error: &SectionError,
    last: Option<&Vec<PromptSection>>,
    name: &str,
) -> Vec<PromptSection> {
    match (error, last) {
        (SectionError::Unavailable { .. }, Some(last)) => {
            let fallback = format!("section source {name:?} is shown unchanged");
            session.degrade(turn, "prompt", &fallback, error);
            last.clone()
        }
        _ => {
            let fallback = format!("section source {name:?} is left out");
            session.degrade(turn, "prompt", &fallback, error);
            Vec::new()
        }
    }
}
