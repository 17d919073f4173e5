//! Reading the sections of the system prompt from their sources.

use throughline_prompt::{BuiltPrompt, DynamicPlacement, PromptBuilder, PromptSection, SectionError};

use super::Prefix;
use crate::session::Session;
use crate::turn_context::TurnContext;

impl Prefix {
    /// Returns true if the next request may have another system prompt: at a new user message and after a change of epoch.
    pub(crate) fn is_prompt_due(&self, session: &Session) -> bool {
        session.is_fresh_turn() || self.prompt_epoch != Some(session.view().epoch())
    }

    /// Returns true if the view was compacted since the sources were renewed.
    pub(crate) fn has_older_prompt(&self, session: &Session) -> bool {
        self.compactions_seen != session.compactions()
    }

    /// Reads the sections of all sources, which are renewed after a compaction.
    pub(crate) async fn read_sections(
        &mut self,
        session: &mut Session,
        turn: &TurnContext<'_>,
        placement: DynamicPlacement,
    ) -> BuiltPrompt {
        if self.has_older_prompt(session) {
            self.compactions_seen = session.compactions();
            self.sources.iter().for_each(|source| source.renew());
        }
        let mut builder = PromptBuilder::new(placement);
        for source in &self.sources {
            let name = source.name();
            let sections = match source.sections().await {
                Ok(sections) => {
                    self.last_sections.insert(name, sections.clone());
                    sections
                }
                Err(error) => fallback(session, turn, &error, self.last_sections.get(&name), &name),
            };
            sections.into_iter().for_each(|section| {
                builder.add(section);
            });
        }
        builder.build()
    }
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
