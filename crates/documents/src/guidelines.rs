//! The blocks of the prompt about documents: how to write them, and how they read now.

use serde::{Deserialize, Serialize};
use throughline_conversation::{DocumentName, Entry, EntryKind, Revision, View};

/// How the model keeps its scratchpad: a block of the system prompt.
pub const SCRATCHPAD_RULES: &str = include_str!("guidelines/scratchpad_rules.md").trim_ascii_end();

/// How the model reads the history.
const GUIDELINES: &str = include_str!("guidelines/history_guidelines.md");

/// What the scratchpad says below [`COMPACTED_HISTORY`].
const COMPACTED_HISTORY_PLACE: &str =
    "The earlier messages are summarized under this heading at the start of the conversation.";

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

/// Where the notes about documents are in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotesPlace {
    /// Behind the last message.
    LastMessage,
    /// At the end of the system prompt.
    SystemPrompt,
}

/// How the history is to be read and STATE to be kept: a block of the system prompt.
#[must_use]
pub fn history_guidelines(rule: StateRule, notes: NotesPlace) -> String {
    let place = match notes {
        NotesPlace::LastMessage => "at the very end",
        NotesPlace::SystemPrompt => "at the end of these instructions",
    };
    let state = match rule {
        StateRule::WhenChanged => include_str!("guidelines/state_when_changed.md"),
        StateRule::EveryResponse => include_str!("guidelines/state_every_response.md"),
        StateRule::Off => "",
    };
    let reading = GUIDELINES.trim_end().replace("{place}", place);
    format!("{reading}\n\n{state}").trim_end().to_owned()
}

/// Heading of a summary that belongs to the scratchpad.
pub const COMPACTED_HISTORY: &str = "## Compacted History";

/// The notes about documents in each request: STATE, then the scratchpad, each with a heading and a line that says whose words
/// they are. Empty documents give no note. If the view has a summary under [`COMPACTED_HISTORY`], the scratchpad ends with
/// that heading and says where the summary is. Equal views give equal texts.
#[must_use]
pub fn documents_note(view: &View) -> Vec<String> {
    // It is in front of all that the model has said, where the user's request may stay before it. A search through a long view
    // would be made for each request.
    let is_front = |entry: &&Entry| !matches!(entry.kind, EntryKind::Assistant | EntryKind::Results);
    let compacted = view.entries().iter().take_while(is_front).any(is_compacted_history);
    let note = |(name, revision): (DocumentName, &Revision)| {
        let form = match name {
            DocumentName::State => include_str!("guidelines/state_note.md"),
            DocumentName::Scratchpad => include_str!("guidelines/scratchpad_note.md"),
        };
        let form = form.trim_end().replace("{revision}", &revision.seq.to_string());
        let text = form.replace("{text}", revision.text.trim());
        match name {
            DocumentName::Scratchpad if compacted => {
                format!("{text}\n\n{COMPACTED_HISTORY}\n{COMPACTED_HISTORY_PLACE}")
            }
            DocumentName::State | DocumentName::Scratchpad => text,
        }
    };
    view.documents().all().map(note).collect()
}

fn is_compacted_history(entry: &Entry) -> bool {
    entry.kind == EntryKind::Summary
        && entry.own_texts().next().is_some_and(|text| text.starts_with(COMPACTED_HISTORY))
}
