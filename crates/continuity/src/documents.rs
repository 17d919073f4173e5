//! The documents of a session: how the model is told of them, how it is shown them, and what a response makes of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use throughline_conversation::{DocumentName, DocumentRecord, Documents, Source};

use crate::scratchpad::cleaned;
use crate::{SCRATCHPAD_CAP, Scratchpad, Signals, TooLarge, signals, signals_of_cut};

/// How the model keeps its scratchpad: a block of the system prompt.
pub const SCRATCHPAD_RULES: &str = include_str!("documents/scratchpad_rules.md").trim_ascii_end();

/// How the model reads the history.
const GUIDELINES: &str = include_str!("documents/history_guidelines.md");

/// Most bytes of STATE, when nothing else is set.
pub const STATE_CAP: usize = 4 * 1024;

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
        StateRule::WhenChanged => include_str!("documents/state_when_changed.md"),
        StateRule::EveryResponse => include_str!("documents/state_every_response.md"),
        StateRule::Off => "",
    };
    format!("{}\n\n{}", GUIDELINES.trim_end(), state).trim_end().to_owned()
}

/// What rides at the end of each request: STATE, then the scratchpad, each with a heading and a line that says whose words
/// they are. The same documents give the same texts. Empty documents give none.
#[must_use]
pub fn documents_note(documents: &Documents) -> Vec<String> {
    let note = |(name, revision): (DocumentName, &throughline_conversation::Revision)| {
        let form = match name {
            DocumentName::State => include_str!("documents/state_note.md"),
            DocumentName::Scratchpad => include_str!("documents/scratchpad_note.md"),
        };
        let form = form.trim_end().replace("{revision}", &revision.seq.to_string());
        form.replace("{text}", revision.text.trim())
    };
    documents.all().map(note).collect()
}

/// How large documents may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentCaps {
    /// Most bytes of the scratchpad.
    pub scratchpad: usize,
    /// Most bytes of STATE.
    pub state: usize,
}

impl Default for DocumentCaps {
    fn default() -> Self {
        Self { scratchpad: SCRATCHPAD_CAP, state: STATE_CAP }
    }
}

/// A response of the model, as far as documents are concerned.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// All its texts, joined by newlines.
    pub text: &'a str,
    /// Whether it was cut off, by its limit or by the user.
    pub cut: bool,
    /// The model that wrote it.
    pub model: &'a str,
    /// The documents that it was shown.
    pub shown: &'a Documents,
}

/// What a response makes of the documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Updates {
    /// New revisions, for the log. None for a document that stays as it is.
    pub records: Vec<DocumentRecord>,
    /// What was not taken and how to mend it, for the model. Each text once.
    pub complaints: Vec<String>,
}

/// The new revisions that a response asks for by its signals, see [`signals`]. `now` are the documents as they are: one
/// that a person has changed since the response was asked for keeps that person's words.
#[must_use]
pub fn updates(written: &Written<'_>, now: &Documents, caps: DocumentCaps) -> Updates {
    let Signals { scratchpad, state, malformed } =
        if written.cut { signals_of_cut(written.text) } else { signals(written.text) };
    let mut updates = Updates::default();
    let mut complaints: BTreeSet<String> = malformed.iter().map(ToString::to_string).collect();
    let mut take = |name: DocumentName, text: Option<String>, cap: usize| {
        let Some(text) = text.map(|text| cleaned(&text)) else { return };
        let person = now.get(name).is_some_and(|revision| revision.by == Source::User);
        if text == now.text(name) {
            return;
        }
        if person && now.revision(name) != written.shown.revision(name) {
            complaints.insert(format!(
                "the {name} was not taken, as the user has changed it in the meantime; go on from the one that you are \
                 shown"
            ));
        } else if text.len() > cap {
            complaints.insert(TooLarge { document: name, size: text.len(), cap }.to_string());
        } else {
            let by = Source::Model(written.model.to_owned());
            updates.records.push(DocumentRecord { name, text, by });
        }
    };
    take(DocumentName::State, state.map(|state| state.text), caps.state);
    take(DocumentName::Scratchpad, scratchpad, caps.scratchpad);
    updates.complaints = complaints.into_iter().collect();
    updates
}

/// A document as it comes out of a checkpoint or a file, freed of invisible characters. `None`: it is empty.
#[must_use]
pub fn restored_document(name: DocumentName, text: &str, by: Source) -> Option<DocumentRecord> {
    let text = Scratchpad::restored(text, usize::MAX).text().to_owned();
    (!text.is_empty()).then_some(DocumentRecord { name, text, by })
}

#[cfg(test)]
mod tests;
