//! The built prompt, and the plain one.

use std::sync::Arc;

use throughline_conversation::SectionText;

use crate::section::PromptSection;

/// What the builder makes of sections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuiltPrompt {
    /// The sections of the system prompt in wire order. None is empty.
    pub system: Arc<[SectionText]>,
    /// Notes for the end of this request's last message, in order. None is empty.
    pub tail: Vec<String>,
    /// Byte offsets in [`BuiltPrompt::prompt`] where a stable prefix ends: behind the base, behind the project's
    /// rules, behind memory, and behind skills where they are cacheable. Strictly increasing.
    pub breakpoints: Vec<usize>,
}

impl BuiltPrompt {
    /// What stands between two sections.
    pub(crate) const GLUE: &str = "\n\n";

    /// The system prompt as one text: its sections with a blank line between them.
    #[must_use]
    pub fn prompt(&self) -> String {
        let texts: Vec<&str> = self.system.iter().map(|section| section.text.as_str()).collect();
        texts.join(Self::GLUE)
    }
}

/// The fallback that needs no order and no cache: everything as one section, as it comes, without breakpoints.
///
/// Dynamic sections are included, so the model misses nothing.
#[must_use]
pub fn concatenate(sections: &[PromptSection]) -> BuiltPrompt {
    let texts: Vec<String> = sections.iter().filter_map(PromptSection::cleaned).collect();
    let whole = (!texts.is_empty()).then(|| SectionText {
        name: "prompt".to_owned(),
        text: texts.join(BuiltPrompt::GLUE),
        cacheable: false,
        skill: false,
    });
    BuiltPrompt { system: whole.into_iter().collect(), ..BuiltPrompt::default() }
}
