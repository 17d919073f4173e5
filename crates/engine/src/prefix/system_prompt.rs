//! The system prompt in use, and its tokens.

use std::sync::Arc;

use throughline_conversation::{PromptRecord, RecordBody, SectionText, TokenCounter};

use super::Prefix;
use crate::session::Session;

/// Tokens of the system prompt, counted once per change.
#[derive(Debug, Clone, Default)]
pub(crate) struct SystemTokens {
    pub(crate) sections: Vec<u64>,
    pub(crate) base: u64,
    pub(crate) skills: u64,
}

impl Prefix {
    /// Uses a system prompt, and records it if it is another one. Returns true if it replaced one that was in use: then
    /// nothing that was measured before holds.
    pub(crate) fn set_system(&mut self, session: &mut Session, system: &Arc<[SectionText]>) -> bool {
        self.prompt_epoch = Some(session.view().epoch());
        if self.system == *system {
            return false;
        }
        let replaced = !self.system.is_empty();
        if replaced {
            let names: Vec<&str> = changed_sections(&self.system, system);
            let what = format!("system prompt changed: {}", names.join(", "));
            session.record_decision(
                "build_prompt",
                what,
                "its source changed; the cached prefix ends before it",
            );
        }
        self.restore_system(Arc::clone(system), session.counter());
        let sections = system.to_vec();
        session.record(RecordBody::Prompt(PromptRecord { sections }));
        replaced
    }

    /// Uses a system prompt that is in the log already.
    pub(crate) fn restore_system(&mut self, system: Arc<[SectionText]>, counter: &dyn TokenCounter) {
        let mut tokens = SystemTokens::default();
        for section in system.iter() {
            let count = counter.text(&section.text);
            tokens.sections.push(count);
            let part = if section.skill { &mut tokens.skills } else { &mut tokens.base };
            *part = part.saturating_add(count);
        }
        self.system_tokens = tokens;
        self.system = system;
        self.sent_system = None;
    }
}

fn changed_sections<'a>(old: &'a [SectionText], new: &'a [SectionText]) -> Vec<&'a str> {
    let added = new.iter().filter(|section| !old.contains(section));
    let gone = old.iter().filter(|section| !new.iter().any(|other| other.name == section.name));
    added.chain(gone).map(|section| section.name.as_str()).collect()
}
