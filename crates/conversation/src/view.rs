//! The view: what the model sees of a session's log.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::{
    Action, Checker, ContentBlock, Edit, Entry, EntryKind, ExchangeId, Message, MessageRecord, Record,
    RecordBody, Seq, Source, Span, TokenCounter, Transcript, Violation,
};

/// The projection of a log up to some record.
///
/// Taking a message costs that message's length. Taking an edit costs the length of the view. Tokens are the
/// counter's own figures, before calibration.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    transcript: Transcript,
    tokens: u64,
    epoch: u64,
    last: Seq,
    checker: Checker,
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
}

impl View {
    /// A view of entries that were kept elsewhere (a snapshot), up to the record `last`.
    #[must_use]
    pub fn from_entries(entries: Vec<Entry>, epoch: u64, last: Seq) -> Self {
        let mut view = Self { epoch, last, ..Self::default() };
        view.replace(entries);
        view
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

    /// How many edits were applied. While it stays the same, the messages only grow at the end.
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

    /// Ids of calls that wait for a result.
    #[must_use]
    pub fn open_calls(&self) -> &[String] {
        self.checker.open_calls()
    }

    /// Takes the next record. Records that do not shape the view only move its place in the log.
    ///
    /// # Errors
    /// [`ViewError`] when the record is not a later one, or an edit does not fit. The view is unchanged.
    pub fn apply(&mut self, record: &Record, counter: &dyn TokenCounter) -> Result<(), ViewError> {
        if record.seq <= self.last {
            return Err(ViewError::OutOfOrder { last: self.last, found: record.seq });
        }
        match &record.body {
            RecordBody::Message(message) => self.push(record, message, counter),
            RecordBody::Edit(edit) => *self = self.edited(edit, counter)?,
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
        let mut entries = self.entries().to_vec();
        let mut inputs = HashMap::new();
        let mut results = HashMap::new();
        for action in &edit.actions {
            match action {
                Action::ReplaceResult { call_id, text, .. } => {
                    results.insert(call_id.as_str(), text.as_str());
                }
                Action::ReplaceInput { call_id, input, .. } => {
                    inputs.insert(call_id.as_str(), input);
                }
                // A stretch that reaches into the future would swallow records that are still to come.
                Action::Cover { span, .. } if span.last > self.last => {
                    return Err(ViewError::NotWhole(*span));
                }
                Action::Cover { span, summary } => cover(&mut entries, *span, summary.as_deref(), counter)?,
            }
        }
        replace_blocks(&mut entries, inputs, results, counter)?;
        let mut view = Self { epoch: self.epoch + 1, last: self.last, ..Self::default() };
        view.replace(entries);
        Ok(view)
    }

    fn replace(&mut self, entries: Vec<Entry>) {
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
        let tokens = counter.message(&said.message);
        self.checker.push(&said.message);
        self.tokens = self.tokens.saturating_add(tokens);
        let message = Arc::new(said.message.clone());
        self.transcript.push(Entry {
            span: Span::one(record.seq),
            exchange: record.exchange,
            kind,
            message,
            tokens,
        });
    }
}

fn cover(
    entries: &mut Vec<Entry>,
    span: Span,
    summary: Option<&str>,
    counter: &dyn TokenCounter,
) -> Result<(), ViewError> {
    let first = entries.iter().position(|entry| entry.span.meets(span)).ok_or(ViewError::NotWhole(span))?;
    let covered = entries.iter().skip(first).take_while(|entry| entry.span.meets(span));
    let (mut count, mut exchange) = (0, ExchangeId(0));
    for entry in covered {
        if !span.holds(entry.span) {
            return Err(ViewError::NotWhole(span));
        }
        count += 1;
        exchange = entry.exchange;
    }
    let stand_in = summary.map(|text| {
        let message = Message::user(text);
        let tokens = counter.message(&message);
        Entry { span, exchange, kind: EntryKind::Summary, message: Arc::new(message), tokens }
    });
    entries.splice(first..first + count, stand_in);
    Ok(())
}

fn replace_blocks(
    entries: &mut [Entry],
    mut inputs: HashMap<&str, &Value>,
    mut results: HashMap<&str, &str>,
    counter: &dyn TokenCounter,
) -> Result<(), ViewError> {
    for entry in entries.iter_mut() {
        let named = |block: &ContentBlock| match block {
            ContentBlock::ToolCall(call) => inputs.contains_key(call.id.as_str()),
            ContentBlock::ToolResult(result) => results.contains_key(result.call_id.as_str()),
            _ => false,
        };
        if !entry.message.content.iter().any(named) {
            continue;
        }
        let mut message = entry.message.as_ref().clone();
        for block in &mut message.content {
            match block {
                ContentBlock::ToolCall(call) => {
                    if let Some(input) = inputs.remove(call.id.as_str()) {
                        call.input = input.clone();
                    }
                }
                ContentBlock::ToolResult(result) => {
                    if let Some(text) = results.remove(result.call_id.as_str()) {
                        text.clone_into(&mut result.content);
                        result.images.clear();
                    }
                }
                _ => {}
            }
        }
        entry.tokens = counter.message(&message);
        entry.message = Arc::new(message);
    }
    let left = inputs.into_keys().chain(results.into_keys()).min();
    left.map_or(Ok(()), |id| Err(ViewError::UnknownCall(id.to_owned())))
}
