//! One section of the prompt, and how seldom it changes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// How seldom a section changes. The order is that of the prompt: what changes least comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stability {
    /// The product's own instructions: change with a release.
    Base,
    /// Rules of the project, for example `AGENTS.md`: change with the project.
    Project,
    /// Memory across sessions: changes rarely, between sessions.
    Memory,
    /// Fragments of active skills: change when a skill comes or goes.
    Skill,
    /// The model's working documents: change in the middle of a session.
    Scratchpad,
    /// Notes about this one request.
    Status,
}

impl Stability {
    /// Returns true if such sections change during a session, so that nothing cached may follow them.
    #[must_use]
    pub fn is_dynamic(self) -> bool {
        self >= Self::Scratchpad
    }
}

/// A text for the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptSection {
    /// A name for people, not sent. Two sections may share one (rules files of two folders): both are sent.
    pub name: String,
    /// The text. A section without any but white space is left out of the prompt.
    pub content: String,
    /// How seldom it changes.
    pub stability: Stability,
    /// Whether the section itself may be part of a cached prefix. Without effect on a dynamic section.
    pub cacheable: bool,
}

impl PromptSection {
    /// A section that is cacheable exactly when it is not dynamic and no skill.
    #[must_use]
    pub fn new(name: impl Into<String>, content: impl Into<String>, stability: Stability) -> Self {
        let cacheable = stability < Stability::Skill;
        Self { name: name.into(), content: content.into(), stability, cacheable }
    }

    /// The product's own instructions.
    #[must_use]
    pub fn base(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self::new(name, content, Stability::Base)
    }

    /// Rules of the project.
    #[must_use]
    pub fn project(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self::new(name, content, Stability::Project)
    }

    /// Memory across sessions.
    #[must_use]
    pub fn memory(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self::new(name, content, Stability::Memory)
    }

    /// A fragment of a skill. It is worth caching when the skill stays active for many requests.
    #[must_use]
    pub fn skill(name: impl Into<String>, content: impl Into<String>, cacheable: bool) -> Self {
        Self { cacheable, ..Self::new(name, content, Stability::Skill) }
    }

    /// A working document of the model: scratchpad, state.
    #[must_use]
    pub fn scratchpad(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self::new(name, content, Stability::Scratchpad)
    }

    /// A note about this one request.
    #[must_use]
    pub fn status(name: impl Into<String>, content: impl Into<String>) -> Self {
        Self::new(name, content, Stability::Status)
    }

    /// The text as sent: no control characters except newline and tab, no blank lines before it and no white
    /// space after it. `None` if nothing is left.
    ///
    /// Control characters come from terminals and broken files; providers refuse some of them, and a model can
    /// be misled by text that a person does not see.
    pub(crate) fn cleaned(&self) -> Option<String> {
        let text: Cow<'_, str> = if may_have_controls(&self.content) {
            let plain = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t');
            self.content.chars().filter(plain).collect::<String>().into()
        } else {
            self.content.as_str().into()
        };
        let text = text.trim_end();
        let blank = text.len() - text.trim_start().len();
        // The white space in front of the first line that has text stays.
        let lines = text.get(..blank).and_then(|blank| blank.rfind('\n')).map_or(0, |end| end + 1);
        let text = text.get(lines..).unwrap_or_default();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// Returns false for a text without control characters but newline and tab. Every prompt is looked at before each request,
/// so this reads bytes: `0xC2` begins the control characters behind ASCII, and some others.
fn may_have_controls(text: &str) -> bool {
    let suspect = |byte: u8| (byte < b' ' && byte != b'\n' && byte != b'\t') || byte == 0x7f || byte == 0xc2;
    text.bytes().fold(false, |found, byte| found | suspect(byte))
}
