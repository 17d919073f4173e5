//! Permanent deletion of a turn: everything that holds its content, or nothing.

use std::collections::BTreeSet;

use throughline_compaction::pictures_in;
use throughline_continuity::{LogError, SessionDirectory, is_title_of, title_of};
use throughline_conversation::{
    ExchangeId, GroupStatus, Image, Millis, Record, RecordBody, ResultRef, SessionId, Source, View,
    project_readable,
};
use throughline_groups::{Purge, purge, removal};
use throughline_memory::{NoteRepository, Removal};
use throughline_resultstore::StoreError;

use crate::engine::ContextEngine;
use crate::engine_tools;
use crate::operation::Operation;
use crate::session_change::{ChangeError, SessionPorts, append_mark, read_log, save_snapshot};

/// What else holds content of a session's turns. [`MessageLog::redact`](throughline_continuity::MessageLog::redact) comes
/// last and erases deleted bytes of its own files; ports that keep other files erase theirs.
#[derive(Debug, Clone, Copy)]
pub struct DerivedPorts<'a> {
    /// The memos of all sessions.
    pub notes: &'a dyn NoteRepository,
    /// The list of sessions, which has the titles.
    pub sessions: &'a dyn SessionDirectory,
}

/// What a permanent deletion removed.
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
    /// The view after the deletion.
    pub view: View,
}

/// Deletes a turn permanently from a session that no agent has open: its records, its stored results, the snapshot, the
/// summaries that cover it, lines of documents that only it wrote, its memos, and a title that was made of it.
///
/// The turn is hidden first and its records are overwritten last, so that a repeated deletion completes one that was
/// interrupted.
///
/// # Errors
/// [`ChangeError`]. A refusal changes nothing. After a failure of the storage, delete the turn again.
pub async fn delete_turn(
    ports: &SessionPorts<'_>,
    derived: &DerivedPorts<'_>,
    turn: ExchangeId,
    at: Millis,
) -> Result<Deletion, ChangeError> {
    let mut records = read_log(ports).await?;
    let mark = removal(&records, turn)?;
    let hidden = append_mark(ports, &mut records, mark, at).await?;
    purge_turn(ports, derived, turn, records, &hidden.view, at).await
}

/// Deletes what a turn has left that is hidden. `hidden`: the view without it.
async fn purge_turn(
    ports: &SessionPorts<'_>,
    derived: &DerivedPorts<'_>,
    turn: ExchangeId,
    mut records: Vec<Record>,
    hidden: &View,
    at: Millis,
) -> Result<Deletion, ChangeError> {
    let memos = derived.notes.remove(&Removal::Exchange(ports.session.clone(), turn)).await?;
    let title = replace_title(ports.session, derived.sessions, &records, hidden, turn).await?;
    let Purge { redacted, results: named, repeated_in } = purge(&records, turn, &engine_tools::retrieval());
    if let Err(error) = ports.snapshots.remove(ports.session).await {
        return Err(LogError::Other(error.into()).into());
    }
    let overwritten = redacted.len();
    for new in &redacted {
        let place = records.binary_search_by_key(&new.seq, |old| old.seq);
        if let Some(old) = place.ok().and_then(|place| records.get_mut(place)) {
            old.clone_from(new);
        }
    }
    // Only the texts name their pictures, so these go first.
    let pictures = lone_pictures(ports, &named, &records).await?;
    let mut results = 0;
    for id in pictures.iter().chain(&named) {
        results += usize::from(ports.results.remove(ports.session, id).await?);
    }
    ports.log.redact(ports.session, &redacted).await?;

    // Documents of later turns may have contained lines of this one.
    let (view, _) = project_readable(&records, ports.counter);
    save_snapshot(ports, &view, at).await;
    Ok(Deletion { turn, records: overwritten, results, memos: memos.len(), title, repeated_in, view })
}

/// The stored pictures that these results name and no record that is left shows.
async fn lone_pictures(
    ports: &SessionPorts<'_>,
    results: &[ResultRef],
    left: &[Record],
) -> Result<BTreeSet<ResultRef>, StoreError> {
    let mut lone: Vec<(ResultRef, Image)> = Vec::new();
    for id in results {
        let Some(text) = ports.results.get(ports.session, id).await? else { continue };
        for name in pictures_in(&String::from_utf8_lossy(&text.content)) {
            let Some(stored) = ports.results.get(ports.session, &name).await? else { continue };
            let image = std::str::from_utf8(&stored.content).ok().and_then(Image::from_data_url);
            lone.extend(image.map(|image| (name, image)));
        }
    }
    for record in left {
        let RecordBody::Message(said) = &record.body else { continue };
        for shown in said.message.pictures() {
            lone.retain(|(_, image)| image != shown);
        }
    }
    Ok(lone.into_iter().map(|(name, _)| name).collect())
}

/// Replaces the session's title if it was made of the turn: by that of the first turn in view. Returns the new one.
async fn replace_title(
    session: &SessionId,
    sessions: &dyn SessionDirectory,
    records: &[Record],
    view: &View,
    turn: ExchangeId,
) -> Result<Option<String>, ChangeError> {
    let Some(info) = sessions.get(session).await? else { return Ok(None) };
    let mut own = records.iter().filter(|record| record.exchange == turn).filter_map(user_text);
    if !own.any(|text| is_title_of(&info.title, &text)) {
        return Ok(None);
    }
    let in_view = |record: &&Record| view.groups().status(record.exchange) == GroupStatus::Live;
    let other = records.iter().filter(in_view).find_map(user_text);
    let title = title_of(&other.unwrap_or_default());
    sessions.rename(session, &title).await?;
    Ok(Some(title))
}

/// The user's message in a record.
fn user_text(record: &Record) -> Option<String> {
    match &record.body {
        RecordBody::Message(message) if message.source == Source::User => {
            Some(message.message.request_text())
        }
        _ => None,
    }
}

impl Operation<'_> {
    /// Deletes a turn of the open session permanently; see [`delete_turn`].
    ///
    /// # Errors
    /// As [`delete_turn`].
    pub async fn delete_turn(
        &mut self,
        turn: ExchangeId,
        derived: &DerivedPorts<'_>,
    ) -> Result<Deletion, ChangeError> {
        let (log, mut records) = self.whole_log().await?;
        let mark = removal(&records, turn)?;
        let hidden = self.write_change(log.as_ref(), &mut records, mark).await?;
        self.engine.forget_notes();
        let (ports, at) = (self.engine.ports(log.as_ref()), self.engine.state.session.now());
        let deleted = purge_turn(&ports, derived, turn, records, &hidden.view, at).await?;
        self.engine.show(deleted.view.clone());
        self.engine.state.session.want_snapshot(false);
        self.engine.forget_notes();
        Ok(deleted)
    }
}

impl ContextEngine {
    /// Drops the notes of the next requests and texts of the next receipt: they may quote the deleted turn, and must not be shown or
    /// recorded any more.
    fn forget_notes(&mut self) {
        self.state.tail.clear();
        self.state.session.forget_receipt_texts();
        self.state.session.progress_mut().failure = None;
    }
}
