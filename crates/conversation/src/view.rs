//! The view: what the model sees of a session's log.

mod editing;
mod marked;

use std::sync::Arc;

use crate::{
    Checker, Documents, Edit, Entry, EntryKind, ExchangeId, Groups, MessageRecord, Reader, Record,
    RecordBody, Seq, Source, Span, TokenCounter, Transcript, Violation, foreign, formed,
};

/// The projection of a log up to some record.
///
/// Taking a message costs that message's length. Taking an edit costs the length of the view. Tokens are the
/// counter's own figures, before calibration.
///
/// A call that names no tool, or whose input is no object, is shown in a form that providers take: logs have such calls, and
/// no request with one would ever be answered.
///
/// Messages are shown in the form that the reader understands: those of another provider's model as plain text, see
/// [`Reader`]. The form that they were written in is kept beside it, and edits are made to that one, so it is there
/// again when its model reads again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    transcript: Transcript,
    /// All entries in the form that they were written in, while that differs from what is shown.
    native: Option<Vec<Entry>>,
    reader: Option<Reader>,
    tokens: u64,
    epoch: u64,
    last: Seq,
    checker: Checker,
    groups: Groups,
    documents: Documents,
}

/// An edit that does not fit the view it is applied to. The view is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// No call or result of this id is in view.
    #[error("the edit names call {0}, which is not in view")]
    UnknownCall(String),
    /// The stretch holds no entry, or cuts through one.
    #[error("the edit covers records {first} to {last}, which are no whole entries of the view", first = .0.first, last = .0.last)]
    NotWhole(Span),
    /// A record is not the one that comes next.
    #[error("record {found} follows record {last}; the log must be read in order")]
    OutOfOrder {
        /// The last record that the view has.
        last: Seq,
        /// The record that was given.
        found: Seq,
    },
    /// The record changes what is shown of earlier records: the view has to be made anew, from the whole log.
    #[error("record {0} reaches back in the log; the view must be made anew from all of it")]
    NeedsLog(Seq),
}

impl View {
    /// A view of entries that were kept elsewhere (a snapshot), up to the record `last`.
    #[must_use]
    pub fn from_entries(entries: Vec<Entry>, epoch: u64, last: Seq) -> Self {
        let mut view = Self { epoch, last, ..Self::default() };
        view.show(entries);
        view
    }

    /// The same for a view with a reader. Entries come in the form that they were written in, see [`View::native`].
    #[must_use]
    pub fn restored(
        mut entries: Vec<Entry>,
        reader: Option<Reader>,
        epoch: u64,
        last: Seq,
        counter: &dyn TokenCounter,
    ) -> Self {
        for entry in &mut entries {
            if let Some(message) = formed(&entry.message) {
                entry.tokens = counter.message(&message);
                entry.message = Arc::new(message);
            }
        }
        let mut view = Self { epoch, last, reader, ..Self::default() };
        view.replace(entries, counter);
        view
    }

    /// The same view with these groups and documents, as they were kept beside its entries.
    #[must_use]
    pub fn with(self, groups: Groups, documents: Documents) -> Self {
        Self { groups, documents, ..self }
    }

    /// Which groups are shown.
    #[must_use]
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The session's documents as they are now.
    #[must_use]
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// Who reads it. `None`: the log does not say, and everything is shown as it was written.
    #[must_use]
    pub fn reader(&self) -> Option<&Reader> {
        self.reader.as_ref()
    }

    /// The entries in the form that they were written in, oldest first. This is what a snapshot keeps.
    #[must_use]
    pub fn native(&self) -> &[Entry] {
        self.native.as_deref().unwrap_or_else(|| self.entries())
    }

    /// The same view with its tokens counted by another counter. Costs the length of the view.
    #[must_use]
    pub fn recounted(&self, counter: &dyn TokenCounter) -> Self {
        self.counted_for(self.reader.clone(), counter)
    }

    /// What another reader would be shown at this place of the log, with the tokens of its counter. The epoch is left
    /// as it is: nothing has changed yet. Costs the length of the view.
    #[must_use]
    pub fn seen_by(&self, reader: Reader, counter: &dyn TokenCounter) -> Self {
        self.counted_for(Some(reader), counter)
    }

    fn counted_for(&self, reader: Option<Reader>, counter: &dyn TokenCounter) -> Self {
        let mut entries = self.native().to_vec();
        for entry in &mut entries {
            entry.tokens = counter.message(&entry.message);
        }
        Self::restored(entries, reader, self.epoch, self.last, counter)
            .with(self.groups.clone(), self.documents.clone())
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

    /// The last record that the view has taken. 0: none.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.last
    }

    /// The same view, placed at a later record: the one that holds the edit which made it.
    #[must_use]
    pub fn at(self, last: Seq) -> Self {
        Self { last: last.max(self.last), ..self }
    }

    /// The exchange of the last message. 0: none.
    #[must_use]
    pub fn exchange(&self) -> ExchangeId {
        self.entries().last().map_or(ExchangeId(0), |entry| entry.exchange)
    }

    /// Rules that a request of this view would break. Costs nothing: they are tracked as messages come.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        self.checker.finish()
    }

    /// Whether a call of this id is in view, in whatever form: another one must not have it. Costs the length of the
    /// view only while messages of another provider are in it.
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

    /// Takes the next record. Records that do not shape the view only move its place in the log.
    ///
    /// # Errors
    /// [`ViewError`] when the record is not a later one, an edit does not fit, or the record is a mark, which reaches
    /// back further than a view can. The view is unchanged.
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

    /// The view as it would be after an edit. This is the one place where edits take effect: a compaction
    /// that looks at its candidate sees just what a resume will see.
    ///
    /// # Errors
    /// [`ViewError`] when the edit names something that is not in view.
    pub fn edited(&self, edit: &Edit, counter: &dyn TokenCounter) -> Result<Self, ViewError> {
        let entries = editing::edited(self.native().to_vec(), edit, self.last, counter)?;
        Ok(self.remade(entries, self.epoch + 1, counter))
    }

    /// This view with other entries, in the form that they were written in.
    fn remade(&self, entries: Vec<Entry>, epoch: u64, counter: &dyn TokenCounter) -> Self {
        Self::restored(entries, self.reader.clone(), epoch, self.last, counter)
            .with(self.groups.clone(), self.documents.clone())
    }

    /// Another model reads from here on. When that changes a message in view, it counts as an edit: what a provider
    /// has cached of the old form is of no use any more.
    fn read_by(&mut self, reader: Reader, counter: &dyn TokenCounter) {
        if self.reader.as_ref() == Some(&reader) {
            return;
        }
        let old = self.transcript.clone();
        self.reader = Some(reader);
        self.replace(self.native().to_vec(), counter);
        if self.transcript.len() == old.common_prefix(&self.transcript) {
            self.transcript = old;
        } else {
            self.epoch += 1;
        }
    }

    /// Takes entries in the form that they were written in.
    fn replace(&mut self, entries: Vec<Entry>, counter: &dyn TokenCounter) {
        let shown = self.reader.as_ref().and_then(|reader| foreign::shown(&entries, reader, counter));
        match shown {
            Some(shown) => {
                self.show(shown);
                self.native = Some(entries);
            }
            None => {
                self.show(entries);
                self.native = None;
            }
        }
    }

    fn show(&mut self, entries: Vec<Entry>) {
        self.checker = Checker::default();
        self.tokens = 0;
        for entry in &entries {
            self.checker.push(&entry.message);
            self.tokens = self.tokens.saturating_add(entry.tokens);
        }
        self.transcript = Transcript::from_entries(entries);
    }

    fn push(&mut self, record: &Record, said: &MessageRecord, counter: &dyn TokenCounter) {
        let kind = match (EntryKind::of(&said.message), &said.source) {
            (EntryKind::User, Source::User) => EntryKind::User,
            (EntryKind::User, _) => EntryKind::Notice,
            (kind, _) => kind,
        };
        let before = self.native().last();
        let origin = match kind {
            EntryKind::Assistant => self.reader.as_ref().map(|reader| Arc::clone(&reader.origin)),
            EntryKind::Results => before.and_then(|entry| entry.origin.clone()),
            _ => None,
        };
        let message = formed(&said.message).unwrap_or_else(|| said.message.clone());
        let entry = Entry {
            span: Span::one(record.seq),
            exchange: record.exchange,
            kind,
            origin,
            tokens: counter.message(&message),
            message: Arc::new(message),
        };
        let reader = self.reader.as_ref();
        let shown = reader.and_then(|reader| foreign::entry_for(&entry, before, reader, counter));
        if shown.is_some() && self.native.is_none() {
            self.native = Some(self.entries().to_vec());
        }
        let shown = match (&mut self.native, shown) {
            (Some(native), shown) => {
                native.push(entry.clone());
                shown.unwrap_or(entry)
            }
            (None, _) => entry,
        };
        self.checker.push(&shown.message);
        self.tokens = self.tokens.saturating_add(shown.tokens);
        self.transcript.push(shown);
    }
}
