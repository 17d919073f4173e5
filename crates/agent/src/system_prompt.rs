//! The system prompt that is in use, and what it costs.

use std::sync::Arc;

use throughline_conversation::{PromptRecord, RecordBody, SectionText};

use crate::engine::Engine;

/// Tokens of the system prompt, counted once per change.
#[derive(Debug, Clone, Default)]
pub(crate) struct SystemTokens {
    pub(crate) sections: Vec<u64>,
    pub(crate) base: u64,
    pub(crate) skills: u64,
}

impl Engine {
    /// Takes a system prompt. Equal sections keep the list that is in use, so nothing is counted again.
    pub(crate) fn set_system(&mut self, system: &Arc<[SectionText]>) {
        if self.system == *system {
            return;
        }
        if !self.system.is_empty() {
            let names: Vec<&str> = changed_sections(&self.system, system);
            let what = format!("system prompt changed: {}", names.join(", "));
            self.decide("build_prompt", what, "its source changed; the cached prefix ends before it");
            self.meter.drop_anchor();
        }
        self.restore_system(Arc::clone(system));
        let sections = system.to_vec();
        self.journal.add(self.exchange, RecordBody::Prompt(PromptRecord { sections }));
    }

    /// Takes a system prompt that the log has already.
    pub(crate) fn restore_system(&mut self, system: Arc<[SectionText]>) {
        let mut tokens = SystemTokens::default();
        for section in system.iter() {
            let count = self.parts.counter.text(&section.text);
            tokens.sections.push(count);
            let part = if section.skill { &mut tokens.skills } else { &mut tokens.base };
            *part = part.saturating_add(count);
        }
        self.system_tokens = tokens;
        self.system = system;
    }
}

fn changed_sections<'a>(old: &'a [SectionText], new: &'a [SectionText]) -> Vec<&'a str> {
    let differs = |section: &&SectionText, others: &[SectionText]| !others.contains(section);
    let added = new.iter().filter(|section| differs(section, old));
    let gone = old.iter().filter(|section| !new.iter().any(|other| other.name == section.name));
    added.chain(gone).map(|section| section.name.as_str()).collect()
}
