//! Permanent deletion of a turn in the data folder.

use std::path::Path;

use throughline_agent::{Deletion, DerivedPorts, delete_turn};
use throughline_continuity::{ContextStore as _, SessionDirectory as _};
use throughline_conversation::{ExchangeId, Millis, Record, RecordBody, ResultRef, Source};
use throughline_groups::removal;

use crate::error::{Attempt as _, Result};
use crate::handle::{SessionHandle, SessionWriter};
use crate::input_history::InputHistory;
use crate::session_id::now;
use crate::side_file::COMPACTED_VIEW;

/// What stored results name as their tool that are parts of a conversation which a compaction has left out.
const CONVERSATION: &str = "conversation";

impl SessionHandle {
    /// Deletes a turn permanently: its records, its stored results, the snapshot, the stored contexts of the session, what
    /// compactions of another agent have stored of it, the summaries that cover it, lines of
    /// documents that only it wrote, its memos, a title that was made of it, its lines of the input history, and the bytes
    /// of all of them in the database and its write-ahead log. The caller holds the lock.
    ///
    /// # Errors
    /// The session has no such turn, which changes nothing; or the storage failed, or another program reads the database.
    /// Then delete the turn again.
    pub async fn delete_turn(&self, writer: &mut SessionWriter<'_>, turn: ExchangeId) -> Result<Deletion> {
        let storage = &self.storage;
        let records = storage.records(&self.session).await?;
        // An unknown turn is refused before anything is deleted.
        removal(&records, turn)?;
        self.remove_inputs(records.iter().filter(|record| record.exchange == turn)).await?;
        let contexts = storage.store.contexts().remove(&self.session).await;
        contexts.attempt(|| format!("could not delete the contexts of session {}", self.session))?;
        let mut derived_results = 0;
        for view in self.compacted_away(&records, turn).await? {
            derived_results += usize::from(storage.results().remove(&self.session, &view).await?);
        }
        let (notes, sessions) = (storage.store.notes(), storage.store.sessions());
        let derived = DerivedPorts { notes: &notes, sessions: &sessions };
        let mut deleted = match writer {
            SessionWriter::Agent(agent, sink) => agent.delete_turn(turn, &derived, *sink).await?,
            SessionWriter::Handle => {
                let stored = self.stored_ports();
                delete_turn(&stored.ports(self), &derived, turn, now()).await?
            }
        };
        storage.erase_deleted().await?;
        deleted.results += derived_results;
        Ok(deleted)
    }

    /// What compactions of another agent have stored: the views that they continue, which are made of all turns, and since the turn
    /// began the parts of the conversation that left its window. No edit of the session names those.
    async fn compacted_away(&self, records: &[Record], turn: ExchangeId) -> Result<Vec<ResultRef>> {
        let edits: Vec<String> = records
            .iter()
            .filter(|record| matches!(record.body, RecordBody::Edit(_)))
            .filter_map(|record| serde_json::to_string(&record.body).ok())
            .collect();
        let is_named = |id: &ResultRef| edits.iter().any(|edit| edit.contains(id.as_str()));
        let begun = records.iter().find(|record| record.exchange == turn).map_or(Millis(0), |first| first.at);
        let results = self.storage.results().list(&self.session).await?;
        let away = results.into_iter().filter(|result| {
            result.tool == COMPACTED_VIEW
                || result.tool == CONVERSATION && result.at >= begun && !is_named(&result.id)
        });
        Ok(away.map(|result| result.id).collect())
    }

    /// Removes all messages of the session from the input history of its workspace.
    ///
    /// # Errors
    /// The log or the input history cannot be read, or the history cannot be written.
    pub async fn delete_inputs(&self) -> Result<()> {
        if !InputHistory::exists(self.storage.folder.root()) {
            return Ok(());
        }
        let records = self.storage.records(&self.session).await?;
        self.remove_inputs(records.iter()).await
    }

    /// Removes the user's messages among these records from the input history of the session's workspace.
    async fn remove_inputs(&self, records: impl Iterator<Item = &Record>) -> Result<()> {
        let Some(info) = self.storage.store.sessions().get(&self.session).await? else { return Ok(()) };
        InputHistory::new(self.storage.folder.root(), Path::new(&info.workspace))
            .remove(&user_messages(records))
    }
}

/// What the user wrote in these records.
pub(crate) fn user_messages<'r>(records: impl Iterator<Item = &'r Record>) -> Vec<String> {
    let messages = records.filter_map(|record| match &record.body {
        RecordBody::Message(message) if message.source == Source::User => {
            Some(message.message.request_text())
        }
        _ => None,
    });
    messages.collect()
}
