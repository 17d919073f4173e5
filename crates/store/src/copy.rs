//! Copying sessions and memos from one database to another, byte for byte.
//!
//! A session is copied in one transaction, so none is ever there in part. Then both are read again, and their digests are
//! compared. A content in an object store is read from there, and written to that of the copy. Encrypted values are copied
//! unchanged: they are bound to their table, session and name, which stay the same, so the other database must have the same key.
//!
//! Of a session that is there already, the records are compared, byte for byte. If all that is there is its beginning, it gets the rest;
//! results that are there are not read again.

mod copy_error;
mod extend;
mod memos;
mod objects;
mod rows;
mod table;

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::{Dialect, statement};
use crate::fault::is_taken;
use crate::store::Store;
use extend::{Added, Extension, common_end};
use objects::{Objects, bring_in};
use rows::Rows;
use table::{Digest, TABLES};

pub use copy_error::CopyError;
pub use memos::CopiedMemos;

/// What became of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopiedSession {
    /// It was copied, with this many records and stored results.
    Copied {
        /// Records.
        records: u64,
        /// Stored results.
        results: u64,
    },
    /// The other database had its beginning, and got these that were missing.
    Extended {
        /// Records.
        records: u64,
        /// Stored results.
        results: u64,
    },
    /// The other database had all its records already, byte for byte.
    Same,
}

/// What the other database has of a session.
enum There {
    Nothing,
    /// Its records up to this one.
    Beginning(i64),
    All,
}

const SESSION: &str =
    "SELECT title, workspace, model, created_at, coalesce(last_seq, 0) FROM sessions WHERE id = ?";
const INSERT_SESSION: &str =
    "INSERT INTO sessions (id, title, workspace, model, created_at) VALUES (?, ?, ?, ?, ?)";

impl Store {
    /// Copies a session to another database: its entry, records, stored results, contexts and snapshot. If its beginning is there, only
    /// what is missing. The caller has the locks of the session in both databases.
    ///
    /// # Errors
    /// [`CopyError`]. The other database has what it had before then.
    pub async fn copy_session(&self, session: &SessionId, to: &Store) -> Result<CopiedSession, CopyError> {
        let entry = self.entry(session).await?;
        self.copy_key(to).await?;
        match self.found_in(to, session, &entry).await? {
            There::Nothing => {}
            There::All => return Ok(CopiedSession::Same),
            There::Beginning(there) => {
                let Added { records, results } =
                    Extension { from: self, to, session, entry: &entry, there }.add().await?;
                return Ok(CopiedSession::Extended { records, results });
            }
        }
        let mut objects = Objects::default();
        let copied =
            match objects.write(&TABLES, session, self.database(), to.database(), &BTreeSet::new()).await {
                Ok(()) => self.copy_rows(session, &entry, to, &objects).await,
                Err(error) => Err(error),
            };
        if copied.is_err() {
            objects.abandon(to.database()).await;
        }
        let counts = copied?;
        let own = digest(self, session).await?;
        let is_whole = self::entry(to.database(), session).await?.as_ref() == Some(&entry);
        if !is_whole || digest(to, session).await? != own {
            let to_name = to.path().display().to_string();
            // The error says that it is removed; a copy that stays is found by the next try.
            let _ = to.sessions().remove(session).await;
            return Err(CopyError::Differs { session: session.clone(), to: to_name });
        }
        let [records, results, ..] = counts;
        Ok(CopiedSession::Copied { records, results })
    }

    /// Fails as [`copy_session`](Self::copy_session) does where the other database has another session of this name, or another
    /// continuation.
    ///
    /// # Errors
    /// [`CopyError`]. Nothing is changed in any case.
    pub async fn check_copy(&self, session: &SessionId, to: &Store) -> Result<(), CopyError> {
        self.found_in(to, session, &self.entry(session).await?).await.map(drop)
    }

    async fn entry(&self, session: &SessionId) -> Result<Entry, CopyError> {
        entry(self.database(), session).await?.ok_or_else(|| CopyError::NoSession(session.clone()))
    }

    /// What another database has of a session.
    async fn found_in(&self, to: &Store, session: &SessionId, entry: &Entry) -> Result<There, CopyError> {
        let Some(there) = self::entry(to.database(), session).await? else { return Ok(There::Nothing) };
        let common = common_end(self, to, session).await?;
        let (session, to) = (session.clone(), to.path().display().to_string());
        if there.created != entry.created || common == 0 && there.end > 0 {
            return Err(CopyError::Taken { session, to });
        }
        match (common == there.end, common == entry.end) {
            (true, true) => Ok(There::All),
            (true, false) => Ok(There::Beginning(there.end)),
            (false, true) => {
                Err(CopyError::Longer { session, to, more: (there.end - common).unsigned_abs() })
            }
            (false, false) => Err(CopyError::Diverged { session, to, common }),
        }
    }

    async fn copy_rows(
        &self,
        session: &SessionId,
        entry: &Entry,
        to: &Store,
        objects: &Objects,
    ) -> Result<[u64; TABLES.len()], CopyError> {
        let target = to.database();
        let fault = |error| target.fault(error);
        let transaction = target.begin().await.map_err(fault)?;
        target.hold(&transaction, session).await?;
        match transaction.execute_raw(statement(&transaction, INSERT_SESSION, entry.values(session))).await {
            Err(error) if is_taken(&error) => {
                let to = to.path().display().to_string();
                return Err(CopyError::Taken { session: session.clone(), to });
            }
            inserted => inserted.map_err(fault)?,
        };
        let rows = Rows { from: self, to, session, objects, known: &BTreeSet::new() };
        let mut counts = [0; TABLES.len()];
        for (table, count) in TABLES.iter().zip(&mut counts) {
            *count = rows.add(&transaction, table, table.start()).await?;
        }
        rows.take_objects(&transaction).await?;
        set_end(&transaction, session, entry.end).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(counts)
    }

    /// Records the key of this database in another one.
    async fn copy_key(&self, to: &Store) -> Result<(), CopyError> {
        let Some(own) = self.recorded_key().await? else { return Ok(()) };
        let target = to.database();
        let record = statement(&target.connection, target.dialect().record_key(), [own.to_string().into()]);
        target.connection.execute_raw(record).await.map_err(|error| target.fault(error))?;
        match to.recorded_key().await? {
            Some(other) if other != own => {
                Err(CopyError::OtherKey { to: to.path().display().to_string(), other, own })
            }
            _ => Ok(()),
        }
    }
}

/// The entry of a session in the list.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    texts: [String; 3],
    created: i64,
    end: i64,
}

impl Entry {
    fn values(&self, session: &SessionId) -> Vec<Value> {
        let texts = self.texts.iter().map(|text| text.as_str().into());
        [session.as_str().into()].into_iter().chain(texts).chain([self.created.into()]).collect()
    }
}

async fn entry(database: &Database, session: &SessionId) -> Result<Option<Entry>, DatabaseError> {
    let fault = |error| database.fault(error);
    let connection = &database.connection;
    let row = connection.query_one_raw(statement(connection, SESSION, [session.as_str().into()])).await;
    let Some(row) = row.map_err(fault)? else { return Ok(None) };
    let text = |at| row.try_get_by_index(at).map_err(fault);
    let texts = [text(0)?, text(1)?, text(2)?];
    let created = row.try_get_by_index(3).map_err(fault)?;
    Ok(Some(Entry { texts, created, end: row.try_get_by_index(4).map_err(fault)? }))
}

/// Where the log ends is stored apart from the records.
async fn set_end(transaction: &DatabaseTransaction, session: &SessionId, end: i64) -> Result<(), DbErr> {
    let sql = match Dialect::of(transaction) {
        Dialect::Sqlite => "UPDATE sessions SET last_seq = ?1, last_check = -?1 WHERE id = ?2",
        Dialect::Postgres => "UPDATE sessions SET last_seq = ?1 WHERE id = ?2",
    };
    let values: [Value; 2] = [end.into(), session.as_str().into()];
    transaction.execute_raw(statement(transaction, sql, values)).await.map(drop)
}

/// The digest of all rows of a session.
async fn digest(store: &Store, session: &SessionId) -> Result<[u8; 32], CopyError> {
    let mut digest = Digest::default();
    for table in &TABLES {
        let mut after = table.start();
        while let Some(rows) = table.page(store.database(), session, &mut after).await? {
            for mut row in rows {
                bring_in(store.database(), session, &mut row).await?;
                digest.add(table.name, &row);
            }
        }
    }
    Ok(digest.finish())
}
