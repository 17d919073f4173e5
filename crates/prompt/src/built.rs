//! The built prompt.

use std::sync::Arc;

use throughline_conversation::SectionText;

/// The result of [`PromptBuilder::build`](crate::PromptBuilder::build).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BuiltPrompt {
    /// The sections of the system prompt in wire order. None is empty.
    pub system: Arc<[SectionText]>,
    /// Notes for the end of this request's last message, in order. None is empty.
    pub tail: Vec<String>,
    /// Byte offsets in [`BuiltPrompt::prompt`] where a stable prefix ends: after the base, after the project's
    /// rules, after memory, and after skills where they are cacheable. Strictly increasing.
    pub breakpoints: Vec<usize>,
}

impl BuiltPrompt {
    /// The separator of sections.
    pub(crate) const GLUE: &str = "\n\n";

    /// The system prompt as one text: its sections with a blank line between them.
    #[must_use]
    pub fn prompt(&self) -> String {
        let texts: Vec<&str> = self.system.iter().map(|section| section.text.as_str()).collect();
        texts.join(Self::GLUE)
    }
}
