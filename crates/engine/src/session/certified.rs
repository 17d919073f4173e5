//! What requests after a compaction have to have word for word.

use throughline_compaction::StandingTexts;
use throughline_conversation::Certificate;

use super::Session;

impl Session {
    /// Gathers the open steps from the view. What the user has said is a part of it.
    pub(crate) fn restore_standing(&mut self) {
        self.standing = StandingTexts::default();
        if self.view.epoch() > 0 {
            self.standing.note(self.view.entries());
        }
    }

    /// The note with the standing texts that the view does not show.
    pub(crate) fn standing_note(&self) -> Option<String> {
        (self.view.epoch() > 0).then(|| self.standing.note_of_missing(&self.view, self.counter())).flatten()
    }

    /// What the view and these notes show of the standing texts; `None` before the first compaction. Where each of them stands
    /// is recorded with the first request after a compaction.
    pub(crate) fn certify(&self, notes: &[String]) -> Option<Certificate> {
        if self.view.epoch() == 0 {
            return None;
        }
        let certificate = self.standing.certify(&self.view, notes);
        let compacted = self.pending.compaction.is_some();
        Some(if compacted { certificate } else { Certificate { texts: Vec::new(), ..certificate } })
    }
}
