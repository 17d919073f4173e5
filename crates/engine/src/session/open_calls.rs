//! Turns that were cut off: open calls and stop notes.

use throughline_continuity::{Part, is_stop_note, read_all, stop_note};
use throughline_conversation::{ExchangeId, RecordBody, SettledRecord, Source, continue_note};

use super::Session;
use crate::giving_up::closing;
use crate::turn_context::TurnContext;

impl Session {
    /// The results that an earlier process has recorded of the calls that are open. Without the log these calls were cut off.
    pub(crate) async fn settled_results(&self) -> Vec<SettledRecord> {
        let Some(last) = self.view.native().last().filter(|_| !self.view.open_calls().is_empty()) else {
            return Vec::new();
        };
        let log = self.log();
        let page = read_all(log.as_ref(), &self.id, last.span.last, Part::All).await.unwrap_or_default();
        let settled = page.records.into_iter().filter_map(|record| match record.body {
            RecordBody::Settled(settled) => Some(settled),
            _ => None,
        });
        settled.collect()
    }

    /// Answers the calls that a crash or a stop left open, so that providers accept the transcript: with these results, or with the
    /// error that they were cut off.
    pub(crate) fn close_open_calls(&mut self, turn: &TurnContext<'_>, settled: &[SettledRecord]) {
        let of =
            |id: &str| settled.iter().rfind(|one| one.result.call_id == id).map(|one| one.result.clone());
        if let Some(message) = closing(&self.view, of) {
            self.append_message(turn, message, Source::Engine);
        }
    }

    /// Begins a group behind hidden ones in which nothing is said yet. An answer alone would follow another message of the model once
    /// the group that it answers is hidden, too.
    pub(crate) fn begin_shown_group(&mut self, turn: &TurnContext<'_>) {
        let newest = self.view.native().last().map_or(ExchangeId(0), |entry| entry.exchange);
        if self.view.groups().hidden().any(|(group, _)| group > newest) {
            self.append_message(turn, continue_note(), Source::Engine);
        }
    }

    /// Tells the model that the turn was stopped here.
    pub(crate) fn note_stop(&mut self, turn: &TurnContext<'_>) {
        if !self.was_stopped() {
            self.append_message(turn, stop_note(), Source::Engine);
        }
    }

    /// Returns true if the view ends with a stop note.
    pub(crate) fn was_stopped(&self) -> bool {
        self.view.entries().last().is_some_and(is_stop_note)
    }
}
