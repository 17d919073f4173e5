//! The marks of a log, read before its messages: they say what of the log counts.

use std::collections::{BTreeMap, BTreeSet};

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
    marked: BTreeMap<ExchangeId, Marked>,
    /// The newest mark.
    last: Option<Seq>,
}

/// A group that was ever marked.
#[derive(Debug, Default)]
struct Marked {
    /// Its messages in the log, which are contiguous.
    extent: Option<Span>,
    /// When it was hidden (true) and restored (false), in order.
    changes: Vec<(Seq, bool)>,
}

impl Outline {
    pub(crate) fn of(records: &[&Record]) -> Self {
        let mut outline = Self::default();
        for record in records {
            let RecordBody::Mark(mark) = &record.body else { continue };
            outline.last = Some(record.seq);
            outline.groups.set(mark);
            match mark {
                Mark::Group { exchange, status } => {
                    let marked = outline.marked.entry(*exchange).or_default();
                    marked.changes.push((record.seq, status.is_hidden()));
                }
                Mark::Compaction { edit, undone: true } => {
                    outline.undone.insert(*edit);
                }
                Mark::Compaction { edit, undone: false } => {
                    outline.undone.remove(edit);
                }
                Mark::Window { .. } => {}
            }
        }
        if !outline.marked.is_empty() {
            outline.measure(records);
        }
        outline
    }

    /// Returns true if there is any mark.
    pub(crate) fn any(&self) -> bool {
        self.last.is_some()
    }

    /// Where the messages of marked groups are.
    fn measure(&mut self, records: &[&Record]) {
        for record in records {
            if !matches!(record.body, RecordBody::Message(_) | RecordBody::Removed(_)) {
                continue;
            }
            if let Some(marked) = self.marked.get_mut(&record.exchange) {
                let first = marked.extent.map_or(record.seq, |extent| extent.first);
                marked.extent = Some(Span { first, last: record.seq });
            }
        }
    }

    /// Returns true if the messages of a group are hidden.
    pub(crate) fn hides(&self, exchange: ExchangeId) -> bool {
        self.groups.status(exchange).is_hidden()
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
        self.marked.iter().any(|(exchange, marked)| {
            let inside = marked.extent.is_some_and(|extent| extent.meets(span));
            let before = marked.changes.iter().take_while(|(at, _)| *at < made);
            let hidden_then = before.last().is_some_and(|(_, hidden)| *hidden);
            inside && hidden_then != self.hides(*exchange)
        })
    }
}
