//! Permanent deletion of a turn.

use std::collections::BTreeSet;

use throughline_continuity::SessionDirectory as _;
use throughline_conversation::{ExchangeId, GroupStatus, Record, RecordBody, Source, View};
use throughline_groups::{Change, mark};
use throughline_memory::{NoteRepository as _, Removal};

use crate::display::{headline, plain};
use crate::error::Result;
use crate::handle::{SessionHandle, SessionLog, SessionWriter};
use crate::session::TITLE_CHARS;

/// What a deletion removed.
#[derive(Debug, Clone, PartialEq)]
pub struct Deletion {
    /// The turn.
    pub turn: ExchangeId,
    /// Records whose content was overwritten.
    pub records: usize,
    /// Stored results that were deleted.
    pub results: usize,
    /// Memos that were deleted.
    pub memos: usize,
    /// The new title of the session, if the old one was made of the turn.
    pub title: Option<String>,
    /// Turns that quote a deleted result. Their text stays.
    pub repeated_in: BTreeSet<ExchangeId>,
    /// The write-ahead log was overwritten. `false`: another process has the database open, so deleted bytes may remain
    /// there; a later deletion of the same turn overwrites them.
    pub overwritten: bool,
    /// What the model sees now.
    pub view: View,
}

impl SessionHandle {
    /// Deletes a turn permanently: its records, its stored results, the snapshot, the summaries that cover it, its memos, a
    /// title that was made of it, and the bytes of all of them in the write-ahead log. The caller holds the lock.
    ///
    /// The log comes last: until it is changed, deleting the turn again finds everything that is left.
    ///
    /// # Errors
    /// The session has no such turn, or the storage failed. Then delete the turn again.
    pub async fn delete_turn(&self, writer: &mut SessionWriter<'_>, turn: ExchangeId) -> Result<Deletion> {
        let log = self.log().await?;
        // What cannot be done is refused before anything is deleted.
        mark(&log.records, Change::Remove(turn))?;
        let store = &self.storage.store;
        let memos = store.notes().remove(&Removal::Exchange(self.session.clone(), turn)).await?;
        let title = self.replace_title(&log, turn).await?;
        let changed = self.change_log(writer, Change::Remove(turn)).await?;
        let deleted = changed.deleted.unwrap_or_default();
        Ok(Deletion {
            turn,
            records: deleted.records,
            results: deleted.results,
            memos: memos.len(),
            title,
            repeated_in: deleted.repeated_in,
            overwritten: store.checkpoint().await?,
            view: changed.view,
        })
    }

    /// Replaces the session's title if it was made of the turn. Returns the new one.
    async fn replace_title(&self, log: &SessionLog, turn: ExchangeId) -> Result<Option<String>> {
        let sessions = self.storage.store.sessions();
        let Some(info) = sessions.get(&self.session).await? else { return Ok(None) };
        let stem = info.title.trim_end_matches('…');
        let mut own = log.records.iter().filter(|record| record.exchange == turn).filter_map(user_text);
        if stem.is_empty() || !own.any(|text| plain(&text).contains(stem)) {
            return Ok(None);
        }
        let other = log.records.iter().find_map(|record| {
            let live = log.view.groups().status(record.exchange) == GroupStatus::Live;
            if live && record.exchange != turn { user_text(record) } else { None }
        });
        let title = headline(&other.unwrap_or_default(), TITLE_CHARS);
        sessions.rename(&self.session, &title).await?;
        Ok(Some(title))
    }
}

/// The user's message in a record.
fn user_text(record: &Record) -> Option<String> {
    match &record.body {
        RecordBody::Message(message) if message.source == Source::User => Some(message.message.text()),
        _ => None,
    }
}
