//! Snapshots in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{ConnectionTrait as _, DbErr, EntityTrait, Value};
use serde::{Deserialize, Serialize};
use throughline_continuity::{Snapshot, SnapshotError, SnapshotStore};
use throughline_conversation::{
    Documents, Entry as ViewEntry, Groups, Millis, Said, Seq, SessionId, TargetModel,
};
use throughline_text::fingerprint;

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::entity::snapshot::{Entity, Model};
use crate::fault::is_foreign_key;
use crate::json;
use crate::sealed::RowName;

const SAVE: &str = "\
    INSERT INTO session_snapshots (session_id, covers, epoch, messages, token_count, digest, created_at) \
    VALUES (?, ?, ?, ?, ?, ?, ?) \
    ON CONFLICT (session_id) DO UPDATE SET covers = excluded.covers, epoch = excluded.epoch, \
    messages = excluded.messages, token_count = excluded.token_count, digest = excluded.digest, \
    created_at = excluded.created_at";

/// Keeps the newest snapshot of each session.
#[derive(Debug, Clone)]
pub struct SeaSnapshotStore {
    database: Arc<Database>,
}

impl SeaSnapshotStore {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// The row of a snapshot. Its digest is that of the encrypted text, so that damage is known without the key.
    async fn row(&self, snapshot: &Snapshot) -> Result<Model, SnapshotError> {
        let row = row(snapshot)?;
        let messages = String::from_utf8(row.messages).map_err(|error| SnapshotError::Other(error.into()))?;
        let sealed = self.database.seal_text(row_name(&snapshot.session), messages).await;
        let messages = sealed.map_err(|error| SnapshotError::Other(error.into()))?.into_bytes();
        let mut row = Model { messages, ..row };
        row.digest = digest(&row);
        Ok(row)
    }

    fn snapshot(&self, session: &SessionId, row: Model) -> Result<Snapshot, SnapshotError> {
        if !is_intact(&row) {
            return Err(SnapshotError::Damaged("its content does not match its digest".to_owned()));
        }
        let messages = self.database.unseal_text(row_name(session), row.messages);
        let messages = messages.map_err(|error| SnapshotError::Other(error.into()))?;
        snapshot(session, &Model { messages, ..row })
    }

    fn failed(&self, error: DbErr) -> SnapshotError {
        snapshot_error(self.database.fault(error))
    }
}

fn snapshot_error(fault: DatabaseError) -> SnapshotError {
    if fault.is_unwritable() {
        SnapshotError::Full(fault.to_string())
    } else {
        SnapshotError::Other(fault.into())
    }
}

fn row_name(session: &SessionId) -> RowName<'_> {
    RowName { table: "session_snapshots", session: session.as_str(), name: "" }
}

/// What the column `messages` holds before encryption.
#[derive(Serialize)]
struct Written<'a> {
    reader: Option<&'a TargetModel>,
    entries: &'a [ViewEntry],
    groups: &'a Groups,
    documents: &'a Documents,
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<&'a Said>,
}

/// The same after reading.
#[derive(Deserialize)]
struct Kept {
    reader: Option<TargetModel>,
    entries: Vec<ViewEntry>,
    #[serde(default)]
    groups: Groups,
    #[serde(default)]
    documents: Documents,
    #[serde(default)]
    said: Option<Said>,
}

/// Fingerprint of a row's other columns.
fn digest(row: &Model) -> i64 {
    let figures =
        format!("{} {} {} {} {}\n", row.session_id, row.covers, row.epoch, row.token_count, row.created_at);
    // Two fingerprints, so that the long text need not be copied behind the figures.
    (fingerprint(figures.as_bytes()).rotate_left(1) ^ fingerprint(&row.messages)).cast_signed()
}

/// The row without encryption, and without a digest.
fn row(snapshot: &Snapshot) -> Result<Model, SnapshotError> {
    let number = |number: u64| i64::try_from(number).map_err(|error| SnapshotError::Other(error.into()));
    let Snapshot { entries, groups, documents, .. } = snapshot;
    let reader = snapshot.reader.as_ref();
    let messages =
        serde_json::to_vec(&Written { reader, entries, groups, documents, said: snapshot.said.as_ref() });
    let messages = messages.map_err(|error| SnapshotError::Other(error.into()))?;
    Ok(Model {
        session_id: snapshot.session.as_str().to_owned(),
        covers: number(snapshot.covers.0)?,
        epoch: number(snapshot.epoch)?,
        messages,
        token_count: number(snapshot.token_count)?,
        digest: 0,
        created_at: snapshot.at.0,
    })
}

/// Returns true if a row is unchanged since it was written.
pub(crate) fn is_intact(row: &Model) -> bool {
    digest(row) == row.digest
}

fn snapshot(session: &SessionId, row: &Model) -> Result<Snapshot, SnapshotError> {
    let kept = json::parse(&row.messages).map_err(|error| SnapshotError::Damaged(error.to_string()))?;
    let Kept { reader, entries, groups, documents, said } = kept;
    Ok(Snapshot {
        session: session.clone(),
        covers: Seq(row.covers.unsigned_abs()),
        epoch: row.epoch.unsigned_abs(),
        reader,
        entries,
        groups,
        documents,
        said,
        token_count: row.token_count.unsigned_abs(),
        at: Millis(row.created_at),
    })
}

#[async_trait]
impl SnapshotStore for SeaSnapshotStore {
    async fn save(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        let row = self.row(snapshot).await?;
        let messages = String::from_utf8(row.messages).map_err(|error| SnapshotError::Other(error.into()))?;
        let values: [Value; 7] = [
            row.session_id.into(),
            row.covers.into(),
            row.epoch.into(),
            self.database.dialect().text(messages),
            row.token_count.into(),
            row.digest.into(),
            row.created_at.into(),
        ];
        let writing = self.database.writing(&snapshot.session).await.map_err(snapshot_error)?;
        match writing.execute_raw(statement(&writing, SAVE, values)).await {
            Ok(_) => {
                writing.done().await.map_err(|error| self.failed(error))?;
                self.database.check_place().map_err(|gone| SnapshotError::Full(gone.to_string()))
            }
            Err(error) if is_foreign_key(&error) => Err(SnapshotError::NoSession(snapshot.session.clone())),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn load(&self, session: &SessionId) -> Result<Option<Snapshot>, SnapshotError> {
        let row = Entity::find_by_id(session.as_str()).one(&self.database.connection).await;
        let row = row.map_err(|error| self.failed(error))?;
        row.map(|row| self.snapshot(session, row)).transpose()
    }

    async fn remove(&self, session: &SessionId) -> Result<(), SnapshotError> {
        let removed = Entity::delete_by_id(session.as_str()).exec(&self.database.connection).await;
        removed.map(|_| ()).map_err(|error| self.failed(error))
    }
}
