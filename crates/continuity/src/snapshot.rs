//! A view that is kept, so that opening a session costs what is new.

use serde::{Deserialize, Serialize};
use throughline_conversation::{
    Documents, Entry, Groups, Millis, Said, Seq, SessionId, TargetModel, TokenCounter, View,
};
use throughline_text::fingerprint;

/// The view after a record of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The session.
    pub session: SessionId,
    /// The last record that the view has taken.
    pub covers: Seq,
    /// How many edits the view had.
    pub epoch: u64,
    /// Who reads the view, when the log says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader: Option<TargetModel>,
    /// The view's entries in the form that they were written in, oldest first.
    pub entries: Vec<Entry>,
    /// Which groups are shown.
    #[serde(default)]
    pub groups: Groups,
    /// The session's documents.
    #[serde(default)]
    pub documents: Documents,
    /// What the user has said that stands; `None` in a snapshot of a version that did not store it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Said>,
    /// Tokens of all entries, by the counter that was in use, before calibration.
    pub token_count: u64,
    /// When it was taken.
    pub at: Millis,
}

/// The snapshot of a view. It shares the messages with the view, so taking it is cheap.
#[must_use]
pub fn snapshot_of(session: &SessionId, view: &View, at: Millis) -> Snapshot {
    Snapshot {
        session: session.clone(),
        covers: view.last(),
        epoch: view.epoch(),
        reader: view.reader().cloned(),
        entries: view.native().to_vec(),
        groups: view.groups().clone(),
        documents: view.documents().clone(),
        said: Some(view.said().without_shown_request(view.native())),
        token_count: view.tokens(),
        at,
    }
}

impl Snapshot {
    /// The stored view. Tokens are counted again, because the counter may have changed.
    #[must_use]
    pub fn into_view(self, counter: &dyn TokenCounter) -> View {
        let mut entries = self.entries;
        for entry in &mut entries {
            entry.tokens = counter.message(&entry.message);
        }
        let said = self.said.map_or_else(|| Said::of(&entries), |said| said.with_shown_request(&entries));
        View::restored(entries, self.reader, self.epoch, self.covers, counter)
            .with(self.groups, self.documents, counter)
            .saying(said)
    }

    /// Returns true if a part of the view is missing that only the log has.
    pub(crate) fn lacks_said(&self) -> bool {
        self.said.is_none() && self.epoch > 0
    }

    /// Fingerprint of the whole content, as JSON. Costs the length of the snapshot.
    ///
    /// # Errors
    /// When the content cannot be written as JSON.
    pub fn digest(&self) -> Result<u64, serde_json::Error> {
        Ok(fingerprint(&serde_json::to_vec(self)?))
    }

    /// Why this cannot be a view of `session` as its log ends at `last`; `None` when it can.
    #[must_use]
    pub fn fault(&self, session: &SessionId, last: Seq) -> Option<String> {
        if self.session != *session {
            return Some(format!("the snapshot is of session {}", self.session));
        }
        if self.covers > last {
            return Some(format!(
                "the snapshot covers record {}, but the log ends with record {last}",
                self.covers
            ));
        }
        let mut before = Seq(0);
        for entry in &self.entries {
            if entry.span.first <= before || entry.span.last < entry.span.first {
                return Some(format!(
                    "the snapshot's entries are out of order at record {}",
                    entry.span.first
                ));
            }
            before = entry.span.last;
        }
        (before > self.covers)
            .then(|| format!("the snapshot holds record {before}, but covers only record {}", self.covers))
    }
}

#[cfg(test)]
mod tests;
