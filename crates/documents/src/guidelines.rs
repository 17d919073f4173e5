//! The blocks of the prompt about documents: how to write them, and how they read now.

use serde::{Deserialize, Serialize};
use throughline_conversation::{DocumentName, Documents, Revision};

/// How the model keeps its scratchpad: a block of the system prompt.
pub const SCRATCHPAD_RULES: &str = include_str!("guidelines/scratchpad_rules.md").trim_ascii_end();

/// How the model reads the history.
const GUIDELINES: &str = include_str!("guidelines/history_guidelines.md");

/// When the model writes STATE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateRule {
    /// Only when it has changed: costs fewer tokens.
    #[default]
    WhenChanged,
    /// At the end of every response.
    EveryResponse,
    /// Never.
    Off,
}

/// How the history is to be read and STATE to be kept: a block of the system prompt.
#[must_use]
pub fn history_guidelines(rule: StateRule) -> String {
    let state = match rule {
        StateRule::WhenChanged => include_str!("guidelines/state_when_changed.md"),
        StateRule::EveryResponse => include_str!("guidelines/state_every_response.md"),
        StateRule::Off => "",
    };
    format!("{}\n\n{}", GUIDELINES.trim_end(), state).trim_end().to_owned()
}

/// What rides at the end of each request: STATE, then the scratchpad, each with a heading and a line that says whose words
/// they are. The same documents give the same texts. Empty documents give none.
#[must_use]
pub fn documents_note(documents: &Documents) -> Vec<String> {
    let note = |(name, revision): (DocumentName, &Revision)| {
        let form = match name {
            DocumentName::State => include_str!("guidelines/state_note.md"),
            DocumentName::Scratchpad => include_str!("guidelines/scratchpad_note.md"),
        };
        let form = form.trim_end().replace("{revision}", &revision.seq.to_string());
        form.replace("{text}", revision.text.trim())
    };
    documents.all().map(note).collect()
}
