//! Marks that fit: groups, compactions, windows and pins.

use throughline_conversation::{
    Action, Edit, EditReason, Entry, EntryKind, ExchangeId, GroupStatus, Mark, Pin, RecordBody,
};

use super::maker::Maker;

impl Maker {
    /// Groups and compactions come and go.
    pub(super) fn mark(&mut self) {
        let group = ExchangeId(self.below(self.exchange.0 + 2));
        let mark = match self.below(11) {
            0 | 1 => self.newest_live().map(|group| group_mark(group, GroupStatus::Undone)),
            2 => self.hidden().map(|group| group_mark(group, GroupStatus::Live)),
            3 | 4 => self.shown(group).map(|group| group_mark(group, GroupStatus::Dropped)),
            5 => self.compactions.pop().map(|edit| {
                self.undone.push(edit);
                Mark::Compaction { edit, undone: true }
            }),
            6 => self.undone.pop().map(|edit| {
                self.compactions.push(edit);
                Mark::Compaction { edit, undone: false }
            }),
            7 => Some(Mark::Window { groups: None }),
            8 => Some(Mark::Window { groups: Some(1 + self.below(4) as u32) }),
            9 => self.view.groups().pins().first().map(|pin| Mark::Unpin { number: pin.number }),
            _ => self.pin(),
        };
        match mark {
            Some(mark) => {
                self.add(RecordBody::Mark(mark));
                self.narrow();
            }
            None => self.note(),
        }
    }

    /// Pins what an earlier message said, or the start of it.
    fn pin(&mut self) -> Option<Mark> {
        let messages = self.records.iter().filter_map(|record| match &record.body {
            RecordBody::Message(said) => Some((record.exchange, Pin::texts_of(record.seq, said))),
            _ => None,
        });
        let said: Vec<_> = messages.filter(|(_, texts)| !texts.is_empty()).collect();
        let at = self.below(said.len().max(1) as u64) as usize;
        let (exchange, mut texts) = said.into_iter().nth(at)?;
        if let Some(first) = texts.first_mut().filter(|_| self.below(2) == 0) {
            first.text.truncate(first.text.char_indices().nth(9).map_or(first.text.len(), |(at, _)| at));
        }
        let number = self.records.len() as u32;
        Some(Mark::Pin(Pin { number, exchange, texts }))
    }

    fn shown(&self, group: ExchangeId) -> Option<ExchangeId> {
        let exists = (1..=self.exchange.0).contains(&group.0);
        (exists && !self.view.groups().status(group).is_hidden()).then_some(group)
    }

    fn newest_live(&self) -> Option<ExchangeId> {
        (1..=self.exchange.0).rev().find_map(|group| self.shown(ExchangeId(group)))
    }

    fn hidden(&self) -> Option<ExchangeId> {
        self.view.groups().hidden().last().map(|(group, _)| group)
    }

    /// Hides the messages that the window does not show.
    pub(super) fn narrow(&mut self) {
        let Some(oldest) = self.view.groups().oldest_shown(self.view.exchange()) else { return };
        let old = |entry: &&Entry| entry.kind != EntryKind::Summary && entry.exchange < oldest;
        let cover = |entry: &Entry| Action::Cover { span: entry.span, summary: None, note: None };
        let actions: Vec<Action> = self.view.native().iter().filter(old).map(cover).collect();
        if !actions.is_empty() {
            let strategies = vec!["window".to_owned()];
            self.add(RecordBody::Edit(Edit { reason: EditReason::Window, actions, strategies }));
        }
    }
}

fn group_mark(exchange: ExchangeId, status: GroupStatus) -> Mark {
    Mark::Group { exchange, status }
}
