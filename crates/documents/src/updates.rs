//! The revisions that a response makes of the documents.

use std::collections::BTreeSet;

use throughline_conversation::{DocumentName, DocumentRecord, Documents, Source};

use crate::scratchpad::{SCRATCHPAD_CAP, TooLarge, cleaned};
use crate::signals::{Signals, signals, signals_of_cut};

/// Maximum bytes of STATE, when nothing else is set.
pub const STATE_CAP: usize = 4 * 1024;

/// How large documents may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentCaps {
    /// Maximum bytes of the scratchpad.
    pub scratchpad: usize,
    /// Maximum bytes of STATE.
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
    /// It was cut off, by its limit or by the user.
    pub cut: bool,
    /// The model that wrote it.
    pub model: &'a str,
    /// The documents that it was shown.
    pub shown: &'a Documents,
}

/// The revisions that a response makes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Updates {
    /// New revisions, for the log. An unchanged document has none.
    pub records: Vec<DocumentRecord>,
    /// Rejected signals and how to fix them, for the model. Each text once.
    pub complaints: Vec<String>,
}

/// The revisions that remove control and invisible characters from stored documents, for a session that is resumed. A clean
/// document has none.
#[must_use]
pub fn cleaned_documents(documents: &Documents) -> Vec<DocumentRecord> {
    let changed = documents.all().filter_map(|(name, revision)| {
        let text = cleaned(&revision.text);
        (text != revision.text).then(|| DocumentRecord { name, text, by: revision.by.clone() })
    });
    changed.collect()
}

/// The new revisions that a response asks for by its signals, see [`signals`]. `now` are the current documents: one
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
                "the {name} was not taken, as the user has changed it in the meantime; continue from the one that you are \
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

#[cfg(test)]
mod tests;
