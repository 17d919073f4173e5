//! How a view keeps the native and the shown form of its entries in step.

use std::sync::Arc;

use crate::foreign;
use crate::ids::Span;
use crate::normalize::normalize_message;
use crate::origin::TargetModel;
use crate::record::{MessageRecord, Record, Source};
use crate::tokens::TokenCounter;
use crate::transcript::{Entry, EntryKind, Transcript};
use crate::validity::Checker;
use crate::view::View;
use crate::view::pinned::{entry_with_pins, with_pins};

impl View {
    /// Changes the target model. If that changes a message in view, it counts as an edit: the provider's cache of the
    /// old form is useless.
    pub(super) fn read_by(&mut self, reader: TargetModel, counter: &dyn TokenCounter) {
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

    /// Replaces all entries, given in native form.
    pub(super) fn replace(&mut self, entries: Vec<Entry>, counter: &dyn TokenCounter) {
        let shown = self.reader.as_ref().and_then(|reader| foreign::shown(&entries, reader, counter));
        let pinned = with_pins(shown.as_deref().unwrap_or(&entries), &self.groups, self.last, counter);
        match pinned.or(shown) {
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

    pub(super) fn show(&mut self, entries: Vec<Entry>) {
        self.checker = Checker::default();
        self.tokens = 0;
        for entry in &entries {
            self.checker.push(&entry.message);
            self.tokens = self.tokens.saturating_add(entry.tokens);
        }
        self.transcript = Transcript::from_entries(entries);
    }

    pub(super) fn push(&mut self, record: &Record, said: &MessageRecord, counter: &dyn TokenCounter) {
        let message = normalize_message(&said.message);
        if message.content.is_empty() {
            return;
        }
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
        let message = message.into_owned();
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
        self.said.take(&entry);
        let own: Vec<_> = self.groups.pinned_texts().filter(|pinned| pinned.message == record.seq).collect();
        let shown = entry_with_pins(shown.as_ref().unwrap_or(&entry), &own, counter).or(shown);
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
