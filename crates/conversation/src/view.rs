//! The view: what the model sees of a session's log.

mod editing;
mod error;
mod marked;
mod pinned;
mod showing;

use std::borrow::Cow;
use std::sync::Arc;

use crate::document::Documents;
use crate::edit::{Action, Edit, EditReason};
use crate::group::Groups;
use crate::ids::{ExchangeId, Seq};
use crate::normalize::normalize_message;
use crate::origin::TargetModel;
use crate::record::{Record, RecordBody};
use crate::said::Said;
use crate::tokens::TokenCounter;
use crate::transcript::{Entry, Transcript};
use crate::validity::{Checker, Violation};

pub use error::ViewError;

/// The projection of a log up to some record.
///
/// ```text
/// record ──► native entry ──────────► edits ──► native entries ──► snapshot
///            as written                              │
///                                                 TargetModel (the current model)
///                                                    ▼
///                                              shown entries ────► request
/// ```
///
/// A message is stored in its *native* form and *shown* in the form that the [`TargetModel`] understands: messages of another
/// provider's model become plain text. Edits change the native form, so a message is shown natively again when its own
/// model reads again. What no provider accepts is normalized in both forms: calls without a name or with an input that is no
/// object, and blank texts. A message that says nothing has no entry.
///
/// Applying a message costs that message's length, applying an edit the length of the view. Tokens are the counter's own
/// figures, before calibration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    transcript: Transcript,
    /// All native entries; `None` if they equal the shown ones.
    native: Option<Vec<Entry>>,
    reader: Option<TargetModel>,
    tokens: u64,
    epoch: u64,
    last: Seq,
    checker: Checker,
    groups: Groups,
    documents: Documents,
    said: Said,
}

impl View {
    /// Creates a view of stored entries (a snapshot), up to the record `last`.
    #[must_use]
    pub fn from_entries(entries: Vec<Entry>, epoch: u64, last: Seq) -> Self {
        let mut view = Self { epoch, last, said: Said::of(&entries), ..Self::default() };
        view.show(entries);
        view
    }

    /// Creates a view with a reader of stored entries in native form, see [`View::native`].
    #[must_use]
    pub fn restored(
        mut entries: Vec<Entry>,
        reader: Option<TargetModel>,
        epoch: u64,
        last: Seq,
        counter: &dyn TokenCounter,
    ) -> Self {
        for entry in &mut entries {
            if let Cow::Owned(message) = normalize_message(&entry.message) {
                entry.tokens = counter.message(&message);
                entry.message = Arc::new(message);
            }
        }
        entries.retain(|entry| !entry.message.content.is_empty());
        let mut view = Self { epoch, last, reader, ..Self::default() };
        view.replace(entries, counter);
        view
    }

    /// Adds the groups and documents that were stored with the entries, and shows what is pinned.
    #[must_use]
    pub fn with(self, groups: Groups, documents: Documents, counter: &dyn TokenCounter) -> Self {
        let mut view = Self { groups, documents, ..self };
        if view.groups.pinned_texts().next().is_some() {
            view.replace(view.native().to_vec(), counter);
        }
        view
    }

    /// Adds what the user has said, which was stored with the entries or is that of an earlier form of this view.
    #[must_use]
    pub fn saying(self, said: Said) -> Self {
        Self { said, ..self }
    }

    /// What the user has said that stands, also where the view does not show it any more.
    #[must_use]
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// The status of groups.
    #[must_use]
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The session's documents.
    #[must_use]
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// The model that the view is rendered for; `None` if the log names none, and everything is shown in native form.
    #[must_use]
    pub fn reader(&self) -> Option<&TargetModel> {
        self.reader.as_ref()
    }

    /// The entries in native form, oldest first. A snapshot stores these.
    #[must_use]
    pub fn native(&self) -> &[Entry] {
        self.native.as_deref().unwrap_or_else(|| self.entries())
    }

    /// Returns this view with its tokens counted by another counter. Costs the length of the view.
    #[must_use]
    pub fn recounted(&self, counter: &dyn TokenCounter) -> Self {
        self.counted_for(self.reader.clone(), counter)
    }

    /// Returns the view for another target model at the same record, with the tokens of its counter. The epoch is
    /// unchanged: nothing has been edited. Costs the length of the view.
    #[must_use]
    pub fn seen_by(&self, reader: TargetModel, counter: &dyn TokenCounter) -> Self {
        self.counted_for(Some(reader), counter)
    }

    fn counted_for(&self, reader: Option<TargetModel>, counter: &dyn TokenCounter) -> Self {
        let mut entries = self.native().to_vec();
        for entry in &mut entries {
            entry.tokens = counter.message(&entry.message);
        }
        Self::restored(entries, reader, self.epoch, self.last, counter)
            .with(self.groups.clone(), self.documents.clone(), counter)
            .saying(self.said.clone())
    }

    /// The messages.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        self.transcript.entries()
    }

    /// Tokens of all messages, before calibration.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// How many edits and marks the log has had. While it stays the same, the messages only grow at the end.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The last record that the view includes; 0 if it is empty.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.last
    }

    /// Moves the view to a later record: the one that holds the edit which produced it.
    #[must_use]
    pub fn at(self, last: Seq) -> Self {
        Self { last: last.max(self.last), ..self }
    }

    /// The exchange of the last message; 0 without messages.
    #[must_use]
    pub fn exchange(&self) -> ExchangeId {
        self.entries().last().map_or(ExchangeId(0), |entry| entry.exchange)
    }

    /// Rules that a request of this view would break. Cheap: they are tracked with each message.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        self.checker.finish()
    }

    /// Returns true if a call of this id is in view, native or shown: another one must not have it. Costs the length of
    /// the view only while it holds messages of another provider.
    #[must_use]
    pub fn has_call(&self, id: &str) -> bool {
        let native = || self.native.iter().flatten().flat_map(|entry| entry.message.tool_calls());
        self.checker.knows_call(id) || native().any(|call| call.id == id)
    }

    /// Ids of calls that wait for a result.
    #[must_use]
    pub fn open_calls(&self) -> &[String] {
        self.checker.open_calls()
    }

    /// Applies the next record. Records that do not shape the view only move its place in the log.
    ///
    /// # Errors
    /// [`ViewError`] if the record is not a later one, an edit does not fit, or the record is a mark, which affects
    /// earlier records than a view covers. The view is unchanged.
    pub fn apply(&mut self, record: &Record, counter: &dyn TokenCounter) -> Result<(), ViewError> {
        if record.seq <= self.last {
            return Err(ViewError::OutOfOrder { last: self.last, found: record.seq });
        }
        match &record.body {
            RecordBody::Message(message) => self.push(record, message, counter),
            RecordBody::Edit(edit) => *self = self.edited(edit, counter)?,
            RecordBody::Model(model) => self.read_by(model.reader(), counter),
            RecordBody::Document(document) => {
                self.documents.take(record.seq, record.exchange, document, &self.groups);
            }
            RecordBody::Mark(_) => return Err(ViewError::NeedsLog(record.seq)),
            _ => {}
        }
        self.last = record.seq;
        Ok(())
    }

    /// Returns the view after an edit. Edits take effect only here, so a compaction that looks at its candidate sees what
    /// a resume will see.
    ///
    /// # Errors
    /// [`ViewError`] when the edit names something that is not in view.
    pub fn edited(&self, edit: &Edit, counter: &dyn TokenCounter) -> Result<Self, ViewError> {
        let entries = editing::edited(self.native().to_vec(), edit, self.last, &self.groups, counter)?;
        let said = self.said_after(edit, &entries);
        Ok(self.remade(entries, self.epoch + 1, counter).saying(said))
    }

    /// What the user has said after an edit that leaves these entries: a caller's list that was rewound takes its messages back.
    fn said_after(&self, edit: &Edit, entries: &[Entry]) -> Said {
        let mut said = self.said.clone();
        if edit.reason == EditReason::Rewound {
            for action in &edit.actions {
                if let Action::Cover { span, .. } = action {
                    said.forget(*span, entries);
                }
            }
        }
        said
    }

    /// Returns this view with other native entries.
    fn remade(&self, entries: Vec<Entry>, epoch: u64, counter: &dyn TokenCounter) -> Self {
        Self::restored(entries, self.reader.clone(), epoch, self.last, counter)
            .with(self.groups.clone(), self.documents.clone(), counter)
            .saying(self.said.clone())
    }
}
