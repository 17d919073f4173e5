//! The marks of a log, read before its messages: they say what of the log counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::dropped_item::DroppedItem;
use crate::edit::{Action, Edit, EditReason};
use crate::group::{Groups, Mark};
use crate::ids::{ExchangeId, Seq, Span};
use crate::record::{Record, RecordBody};

/// The combined effect of a log's marks.
///
/// A cover is out of date when a group in its range was hidden or restored since: its summary mentions messages that
/// are hidden now, or lacks restored ones. Such a cover is ignored, and its messages are shown until the next
/// compaction covers them again.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    pub(crate) groups: Groups,
    undone: BTreeSet<Seq>,
    /// When groups were hidden and when they came back, in order.
    changes: BTreeMap<ExchangeId, Vec<(Seq, bool)>>,
    /// The messages of each group; contiguous in the log.
    extents: BTreeMap<ExchangeId, Span>,
    /// What is shown instead of dropped items, by message and index.
    items: BTreeMap<(Seq, usize), String>,
    /// The newest mark.
    last: Option<Seq>,
}

impl Outline {
    /// Notes the next record.
    pub(crate) fn scan(&mut self, record: &Record) {
        let mark = match &record.body {
            RecordBody::Mark(mark) => mark,
            RecordBody::Message(_) | RecordBody::Removed(_) => {
                let new = Span::one(record.seq);
                self.extents.entry(record.exchange).or_insert(new).last = record.seq;
                return;
            }
            _ => return,
        };
        self.last = Some(record.seq);
        self.groups.set(mark);
        match mark {
            Mark::Group { exchange, status } => {
                self.changes.entry(*exchange).or_default().push((record.seq, status.is_hidden()));
            }
            Mark::Compaction { edit, undone: true } => {
                self.undone.insert(*edit);
            }
            Mark::Compaction { edit, undone: false } => {
                self.undone.remove(edit);
            }
            Mark::Item(item) => {
                let key = (item.message, item.part);
                match &item.shown {
                    Some(shown) => self.items.insert(key, shown.clone()),
                    None => self.items.remove(&key),
                };
            }
            Mark::Window { .. } | Mark::Pin(_) | Mark::Unpin { .. } => {}
        }
    }

    /// Returns true if there is any mark.
    pub(crate) fn any(&self) -> bool {
        self.last.is_some()
    }

    /// Returns true if the messages of a group are hidden.
    pub(crate) fn hides(&self, exchange: ExchangeId) -> bool {
        self.groups.status(exchange).is_hidden()
    }

    /// A message without its dropped items; `None` if it has none.
    pub(crate) fn without_items(&self, record: &Record) -> Option<Record> {
        let seq = record.seq;
        let dropped = self.items.range((seq, 0)..=(seq, usize::MAX));
        let mut changed: Option<Record> = None;
        for ((_, part), shown) in dropped {
            let record = changed.get_or_insert_with(|| record.clone());
            if let RecordBody::Message(said) = &mut record.body
                && let Some(block) = said.message.content.get_mut(*part)
            {
                DroppedItem::replace(block, shown);
            }
        }
        changed
    }

    /// The actions of an edit that are still in effect; `None` if it was undone, or made for a group window that has
    /// changed since.
    pub(crate) fn effective(&self, seq: Seq, edit: &Edit) -> Option<Edit> {
        let outdated = edit.reason == EditReason::Window && self.last.is_some_and(|last| last > seq);
        if outdated || self.undone.contains(&seq) {
            return None;
        }
        let current = |action: &&Action| match action {
            Action::Cover { span, .. } => !self.out_of_date(*span, seq),
            Action::ReplaceResult { .. } | Action::ReplaceInput { .. } | Action::ReplacePictures { .. } => {
                true
            }
        };
        let actions = edit.actions.iter().filter(current).cloned().collect();
        Some(Edit { reason: edit.reason.clone(), actions, strategies: edit.strategies.clone() })
    }

    fn out_of_date(&self, span: Span, made: Seq) -> bool {
        self.changes.iter().any(|(exchange, changes)| {
            let inside = self.extents.get(exchange).is_some_and(|extent| extent.meets(span));
            let before = changes.iter().take_while(|(at, _)| *at < made);
            let hidden_then = before.last().is_some_and(|(_, hidden)| *hidden);
            inside && hidden_then != self.hides(*exchange)
        })
    }
}
