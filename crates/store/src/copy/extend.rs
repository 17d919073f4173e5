//! A session that the other database has the beginning of: what is missing there is added.

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};
use throughline_conversation::SessionId;

use super::objects::Objects;
use super::rows::Rows;
use super::table::{Cell, TABLES};
use super::{CopyError, Entry, set_end};
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::store::Store;

const RESULT_IDS: &str = "SELECT id FROM tool_result_blobs WHERE session_id = ?";
/// The folder is that of the other computer, and stays.
const ENTRY: &str = "UPDATE sessions SET title = ?, model = ? WHERE id = ?";

/// Tables whose rows follow from the log: those of the longer one replace the others.
const DERIVED: [&str; 2] = ["session_contexts", "session_snapshots"];

/// Records and results that were added.
pub(super) struct Added {
    pub(super) records: u64,
    pub(super) results: u64,
}

/// A copy that adds to what is there.
pub(super) struct Extension<'a> {
    pub(super) from: &'a Store,
    pub(super) to: &'a Store,
    pub(super) session: &'a SessionId,
    pub(super) entry: &'a Entry,
    /// The last record of the other database.
    pub(super) there: i64,
}

impl Extension<'_> {
    /// Adds all or nothing.
    pub(super) async fn add(&self) -> Result<Added, CopyError> {
        let known = self.result_ids().await?;
        let mut objects = Objects::default();
        let (from, to) = (self.from.database(), self.to.database());
        let added = match objects.write(&TABLES, self.session, from, to, &known).await {
            Ok(()) => self.add_rows(&objects, &known).await,
            Err(error) => Err(error),
        };
        if added.is_err() {
            objects.abandon(to).await;
        }
        added
    }

    async fn result_ids(&self) -> Result<BTreeSet<String>, DatabaseError> {
        let target = self.to.database();
        let ids = statement(&target.connection, RESULT_IDS, [self.session.as_str().into()]);
        let rows = target.connection.query_all_raw(ids).await;
        let ids = rows.and_then(|rows| rows.iter().map(|row| row.try_get_by_index(0)).collect());
        ids.map_err(|error| target.fault(error))
    }

    async fn add_rows(&self, objects: &Objects, known: &BTreeSet<String>) -> Result<Added, CopyError> {
        let target = self.to.database();
        let fault = |error| target.fault(error);
        let rows = Rows { from: self.from, to: self.to, session: self.session, objects, known };
        let transaction = target.begin().await.map_err(fault)?;
        target.hold(&transaction, self.session).await?;
        let mut added = Added { records: 0, results: 0 };
        for table in &TABLES {
            match table.name {
                "log" => added.records = rows.add(&transaction, table, Cell::Number(self.there)).await?,
                "tool_result_blobs" => added.results = rows.add(&transaction, table, table.start()).await?,
                name if DERIVED.contains(&name) => {
                    let all = format!("DELETE FROM {name} WHERE session_id = ?");
                    let all = statement(&transaction, all, [self.session.as_str().into()]);
                    transaction.execute_raw(all).await.map_err(fault)?;
                    rows.add(&transaction, table, table.start()).await?;
                }
                // Owners and parents are those of the other database.
                _ => {}
            }
        }
        rows.take_objects(&transaction).await?;
        self.finish(&transaction).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(added)
    }

    async fn finish(&self, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
        let [title, _, model] = &self.entry.texts;
        let values: [Value; 3] = [title.as_str().into(), model.as_str().into(), self.session.as_str().into()];
        transaction.execute_raw(statement(transaction, ENTRY, values)).await?;
        set_end(transaction, self.session, self.entry.end).await
    }
}

/// The last record up to which both logs of a session are the same, byte for byte; 0: not even the first one is.
pub(super) async fn common_end(
    one: &Store,
    other: &Store,
    session: &SessionId,
) -> Result<i64, DatabaseError> {
    let Some(log) = TABLES.iter().find(|table| table.name == "log") else { return Ok(0) };
    let (mut after_one, mut after_other, mut last) = (log.start(), log.start(), 0);
    loop {
        let first = log.page(one.database(), session, &mut after_one).await?.unwrap_or_default();
        let second = log.page(other.database(), session, &mut after_other).await?.unwrap_or_default();
        for (row, same) in first.iter().zip(&second) {
            match row.get(1) {
                Some(Cell::Number(seq)) if row == same => last = *seq,
                _ => return Ok(last),
            }
        }
        if first.is_empty() || first.len() != second.len() {
            return Ok(last);
        }
    }
}
