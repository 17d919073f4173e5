//! Puts sections in order.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use throughline_conversation::SectionText;

use crate::built::BuiltPrompt;
use crate::section::{PromptSection, Stability};

/// Where dynamic sections go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DynamicPlacement {
    /// To the end of the request's last message. A change there leaves the whole prefix warm.
    #[default]
    LastUser,
    /// To the end of the system prompt. Each change makes all messages cold; for models that follow notes only
    /// there.
    SystemTail,
}

impl DynamicPlacement {
    /// Adds texts that change from request to request: to the end of the system prompt, as sections that are never cached, or
    /// to the notes behind the last message. Returns the system prompt of the request and its notes.
    #[must_use]
    pub fn place(self, system: &Arc<[SectionText]>, texts: Vec<String>) -> (Arc<[SectionText]>, Vec<String>) {
        if self == Self::LastUser || texts.is_empty() {
            return (Arc::clone(system), texts);
        }
        let dynamic = texts.into_iter().enumerate().map(|(index, text)| SectionText {
            name: format!("dynamic {}", index + 1),
            text,
            cacheable: false,
            skill: false,
        });
        (system.iter().cloned().chain(dynamic).collect(), Vec::new())
    }
}

/// Collects sections in any order and builds the prompt.
///
/// Equal sections added in equal order give equal bytes. Names are labels: adding a second section of a name
/// keeps both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptBuilder {
    placement: DynamicPlacement,
    sections: Vec<PromptSection>,
}

impl PromptBuilder {
    /// A builder without sections.
    #[must_use]
    pub fn new(placement: DynamicPlacement) -> Self {
        Self { placement, sections: Vec::new() }
    }

    /// Takes a section.
    pub fn add(&mut self, section: PromptSection) {
        self.sections.push(section);
    }

    /// The prompt: by stability, and by order of adding within one stability. Empty sections are left out,
    /// control characters other than newline and tab are removed.
    ///
    /// [`SectionText::cacheable`] says whether the *prefix* that ends with a section may be cached, so a section
    /// after one that may not is never cacheable.
    #[must_use]
    pub fn build(&self) -> BuiltPrompt {
        let mut ordered: Vec<&PromptSection> = self.sections.iter().collect();
        ordered.sort_by_key(|section| section.stability);

        let mut prompt = BuiltPrompt::default();
        let mut system: Vec<SectionText> = Vec::new();
        let mut ends: Vec<(Stability, usize)> = Vec::new();
        let mut stable_so_far = true;
        let mut bytes = 0;
        for section in ordered {
            let Some(text) = section.cleaned() else { continue };
            let dynamic = section.stability.is_dynamic();
            if dynamic && self.placement == DynamicPlacement::LastUser {
                prompt.tail.push(text);
                continue;
            }
            stable_so_far &= section.cacheable && !dynamic;
            bytes += if system.is_empty() { 0 } else { BuiltPrompt::GLUE.len() } + text.len();
            if stable_so_far {
                ends.push((section.stability, bytes));
            }
            let skill = section.stability == Stability::Skill;
            system.push(SectionText { name: section.name.clone(), text, cacheable: stable_so_far, skill });
        }
        prompt.system = system.into();
        prompt.breakpoints = last_of_each(&ends);
        prompt
    }
}

/// The last end of each stability: several project files share one breakpoint.
fn last_of_each(ends: &[(Stability, usize)]) -> Vec<usize> {
    ends.chunk_by(|(a, _), (b, _)| a == b).filter_map(|same| same.last()).map(|(_, end)| *end).collect()
}

#[cfg(test)]
mod tests;
