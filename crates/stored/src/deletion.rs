//! Permanent deletion of a turn in the data folder.

use std::path::Path;

use throughline_agent::{Deletion, DerivedPorts, delete_turn};
use throughline_continuity::{ContextStore as _, SessionDirectory as _};
use throughline_conversation::{ExchangeId, Record, RecordBody, ResultRef, Source};
use throughline_groups::removal;

use crate::error::{Attempt as _, Result};
use crate::handle::{SessionHandle, SessionWriter};
use crate::input_history::InputHistory;
use crate::session_id::now;
use crate::side_file::COMPACTED_VIEW;

impl SessionHandle {
    /// Deletes a turn permanently: its records, its stored results, the snapshot, the stored contexts and
    /// compacted views of the session, the summaries that cover it, lines of
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
        for view in self.compacted_views().await? {
            storage.results().remove(&self.session, &view).await?;
        }
        let (notes, sessions) = (storage.store.notes(), storage.store.sessions());
        let derived = DerivedPorts { notes: &notes, sessions: &sessions };
        let deleted = match writer {
            SessionWriter::Agent(agent, sink) => agent.delete_turn(turn, &derived, *sink).await?,
            SessionWriter::Handle => {
                let stored = self.stored_ports();
                delete_turn(&stored.ports(self), &derived, turn, now()).await?
            }
        };
        storage.erase_deleted().await?;
        Ok(deleted)
    }

    /// The views that compactions of another agent continue: they are made of all turns.
    async fn compacted_views(&self) -> Result<Vec<ResultRef>> {
        let results = self.storage.results().list(&self.session).await?;
        let views = results.into_iter().filter(|result| result.tool == COMPACTED_VIEW);
        Ok(views.map(|result| result.id).collect())
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
        let messages: Vec<String> = records
            .filter_map(|record| match &record.body {
                RecordBody::Message(message) if message.source == Source::User => {
                    Some(message.message.text())
                }
                _ => None,
            })
            .collect();
        InputHistory::new(self.storage.folder.root(), Path::new(&info.workspace)).remove(&messages)
    }
}
