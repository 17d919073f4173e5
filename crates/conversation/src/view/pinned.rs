//! How a view shows pinned texts where the messages that they are from are covered, shortened or hidden.
//!
//! Only the shown form has them. The native form and the log are unchanged, so a pin costs nothing while its message is
//! in full view, and an undone pin leaves nothing behind.

use std::sync::Arc;

use crate::group::Groups;
use crate::ids::{Seq, Span};
use crate::message::{ContentBlock, Message};
use crate::pin::{PinnedText, is_pinned_note, pinned_note};
use crate::tokens::TokenCounter;
use crate::transcript::{Entry, EntryKind};
use crate::view::View;

/// Entries with the pinned texts that they lack, of messages up to the record `last`; `None` if they lack none.
pub(super) fn with_pins(
    entries: &[Entry],
    groups: &Groups,
    last: Seq,
    counter: &dyn TokenCounter,
) -> Option<Vec<Entry>> {
    let mut texts: Vec<&PinnedText> = groups.pinned_texts().filter(|pinned| pinned.message <= last).collect();
    if texts.is_empty() {
        return None;
    }
    texts.sort_by_key(|pinned| pinned.message);
    let (held, lost): (Vec<_>, Vec<_>) = texts.into_iter().partition(|pinned| {
        let at = entries.partition_point(|entry| entry.span.last < pinned.message);
        entries.get(at).is_some_and(|entry| entry.span.first <= pinned.message)
    });
    let mut changed = !lost.is_empty();
    let mut shown = Vec::with_capacity(entries.len() + 1);
    for entry in entries {
        let own: Vec<&PinnedText> =
            held.iter().copied().filter(|pinned| entry.span.holds(Span::one(pinned.message))).collect();
        let pinned = entry_with_pins(entry, &own, counter);
        changed |= pinned.is_some();
        shown.push(pinned.unwrap_or_else(|| entry.clone()));
    }
    for pinned in lost {
        let at = shown.partition_point(|entry| entry.span.last < pinned.message);
        let exchange = groups.exchange_of(pinned);
        let message = Message::user(pinned_note(&[pinned]));
        let tokens = counter.message(&message);
        let (span, kind) = (Span::one(pinned.message), EntryKind::Notice);
        shown.insert(at, Entry { span, exchange, kind, origin: None, message: Arc::new(message), tokens });
    }
    changed.then_some(shown)
}

/// An entry with a note of those of its pinned texts that it does not show; `None` if it shows all.
pub(super) fn entry_with_pins(
    entry: &Entry,
    pinned: &[&PinnedText],
    counter: &dyn TokenCounter,
) -> Option<Entry> {
    // Texts of the model are shown verbatim, or not at all.
    let hidden = |pinned: &&&PinnedText| entry.kind != EntryKind::Assistant && !shows(entry, &pinned.text);
    let hidden: Vec<&PinnedText> = pinned.iter().filter(hidden).copied().collect();
    if hidden.is_empty() {
        return None;
    }
    let mut message = entry.message.as_ref().clone();
    let note = ContentBlock::Text { text: pinned_note(&hidden) };
    match entry.kind {
        // A summary may end with the user's last request, which stays last.
        EntryKind::Summary => message.content.insert(0, note),
        // Results come first in their message.
        _ => message.content.push(note),
    }
    let tokens = counter.message(&message);
    Some(Entry { message: Arc::new(message), tokens, ..entry.clone() })
}

/// Returns true if an entry other than a summary has the text. A few words of it in a summary are not the text in its place.
fn shows(entry: &Entry, text: &str) -> bool {
    let mut results = entry.message.tool_results();
    entry.kind != EntryKind::Summary
        && (entry.message.texts().any(|said| said.contains(text))
            || results.any(|result| result.content.contains(text)))
}

impl View {
    /// Returns true if the result of a call is pinned as a whole: no edit replaces it. Costs the length of the view if
    /// anything is pinned.
    #[must_use]
    pub fn pins_result(&self, call_id: &str) -> bool {
        let pinned = |entry: &Entry| {
            let mut results = entry.message.tool_results().filter(|result| result.call_id == call_id);
            results.any(|result| self.groups.pins_whole(entry.span.first, &result.content))
        };
        !self.groups.pins().is_empty() && self.native().iter().any(pinned)
    }
}

impl Entry {
    /// Its texts without a note of pinned texts.
    pub fn own_texts(&self) -> impl Iterator<Item = &str> {
        self.message.texts().filter(|text| !is_pinned_note(text))
    }

    /// Returns true if it has nothing but pinned texts: it covers no record, and no edit can cover it alone.
    #[must_use]
    pub fn is_pinned_note(&self) -> bool {
        self.kind == EntryKind::Notice && self.message.texts().any(is_pinned_note)
    }
}
