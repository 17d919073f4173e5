//! The view of a log with marks: hidden groups and undone compactions.

use std::collections::HashSet;

use super::{View, ViewError, editing};
use crate::edit::{Action, Edit};
use crate::group::Groups;
use crate::ids::Span;
use crate::outline::Outline;
use crate::record::{Record, RecordBody};
use crate::tokens::TokenCounter;

impl View {
    /// An empty view of a log with these groups.
    pub(crate) fn under(groups: &Groups) -> Self {
        Self { groups: groups.clone(), ..Self::default() }
    }

    /// Applies the next record of a log whose marks are known.
    pub(crate) fn apply_under(
        &mut self,
        record: &Record,
        outline: &Outline,
        counter: &dyn TokenCounter,
    ) -> Result<(), ViewError> {
        match &record.body {
            RecordBody::Message(_) if outline.hides(record.exchange) => {}
            RecordBody::Mark(_) => self.epoch += 1,
            // The deletion of a mark leaves it a change of the view: one epoch never has two contents.
            RecordBody::Removed(removed) if removed.was == RecordBody::MARK => self.epoch += 1,
            RecordBody::Edit(edit) => {
                let effective = outline.effective(record.seq, edit);
                self.epoch += 1;
                if let Some(edit) = effective {
                    self.apply_visible(&edit, counter)?;
                }
            }
            RecordBody::Message(_) => {
                let changed = outline.without_items(record);
                return self.apply(changed.as_ref().unwrap_or(record), counter);
            }
            _ => return self.apply(record, counter),
        }
        if record.seq <= self.last {
            return Err(ViewError::OutOfOrder { last: self.last, found: record.seq });
        }
        self.last = record.seq;
        Ok(())
    }

    /// Applies the actions whose calls and ranges are in view. The others were made when more was in view.
    fn apply_visible(&mut self, edit: &Edit, counter: &dyn TokenCounter) -> Result<(), ViewError> {
        let mut entries = self.native().to_vec();
        let epoch = self.epoch;
        let one =
            |action: Action| Edit { reason: edit.reason.clone(), actions: vec![action], strategies: vec![] };
        let (covers, others): (Vec<_>, Vec<_>) =
            edit.actions.iter().cloned().partition(|action| matches!(action, Action::Cover { .. }));
        for cover in covers.into_iter().map(one) {
            match editing::edited(entries.clone(), &cover, self.last, &self.groups, counter) {
                Ok(covered) => {
                    self.said = self.said_after(&cover, &covered);
                    entries = covered;
                }
                Err(ViewError::NotWhole(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let calls: HashSet<&str> = entries
            .iter()
            .flat_map(|entry| entry.message.tool_calls().map(|call| call.id.as_str()))
            .collect();
        let there = |action: &Action| match action {
            Action::ReplaceResult { call_id, .. } | Action::ReplaceInput { call_id, .. } => {
                calls.contains(call_id.as_str())
            }
            Action::ReplacePictures { message, .. } => {
                entries.iter().any(|entry| entry.span == Span::one(*message))
            }
            Action::Cover { .. } => false,
        };
        let actions = others.into_iter().filter(there).collect();
        let rest = Edit { reason: edit.reason.clone(), actions, strategies: vec![] };
        let entries = editing::edited(entries, &rest, self.last, &self.groups, counter)?;
        *self = self.remade(entries, epoch, counter);
        Ok(())
    }
}
