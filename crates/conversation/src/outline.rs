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
/// are hidden now, or lacks restored ones. The same holds for a group that the window hid when the cover was made, and that a
/// later mark shows. Such a cover is ignored, and its messages are shown until the next compaction covers them again.
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
    /// Groups whose messages the window has hidden, now or earlier.
    narrowed: BTreeSet<ExchangeId>,
    /// The groups in the range of a compaction's covers that the window hid when it was made.
    lacking: BTreeMap<Seq, Vec<(Span, ExchangeId)>>,
    /// The newest group, here and at the newest mark.
    newest: ExchangeId,
    newest_marked: ExchangeId,
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
                self.newest = self.newest.max(record.exchange);
                return;
            }
            RecordBody::Edit(edit) => return self.scan_edit(record.seq, edit),
            _ => return,
        };
        self.last = Some(record.seq);
        self.newest_marked = self.newest;
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

    /// Notes which groups the window hides, and what a compaction under it cannot tell of.
    fn scan_edit(&mut self, made: Seq, edit: &Edit) {
        let Some(oldest) = self.groups.oldest_shown(self.newest) else { return };
        let covers = edit.actions.iter().filter_map(|action| match action {
            Action::Cover { span, .. } => Some(*span),
            _ => None,
        });
        let extents = &self.extents;
        let within =
            |span: Span| extents.iter().filter(move |(_, own)| own.meets(span)).map(|(group, _)| *group);
        if edit.reason == EditReason::Window {
            self.narrowed.extend(covers.flat_map(within));
        } else if edit.is_compaction() {
            let hidden = |group: &ExchangeId| *group < oldest && self.narrowed.contains(group);
            let lacking: Vec<(Span, ExchangeId)> =
                covers.flat_map(|span| within(span).filter(hidden).map(move |group| (span, group))).collect();
            self.lacking.insert(made, lacking);
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

    /// Returns true if a group is shown that the window hid when this cover was made.
    fn lacks_shown(&self, span: Span, made: Seq) -> bool {
        let oldest = self.groups.oldest_shown(self.newest_marked);
        let shows = |group: ExchangeId| !self.hides(group) && oldest.is_none_or(|oldest| group >= oldest);
        let lacking = self.lacking.get(&made).map(Vec::as_slice).unwrap_or_default();
        // No mark after the cover: what the window hid then it still hides.
        self.last.is_some_and(|last| last > made)
            && lacking.iter().any(|(own, group)| *own == span && shows(*group))
    }

    fn out_of_date(&self, span: Span, made: Seq) -> bool {
        self.lacks_shown(span, made)
            || self.changes.iter().any(|(exchange, changes)| {
                let inside = self.extents.get(exchange).is_some_and(|extent| extent.meets(span));
                let before = changes.iter().take_while(|(at, _)| *at < made);
                let hidden_then = before.last().is_some_and(|(_, hidden)| *hidden);
                inside && hidden_then != self.hides(*exchange)
            })
    }
}
