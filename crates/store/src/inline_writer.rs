//! Fast path for small appends and for pages of the log; anything unusual falls back to the pool.
//!
//! The pool behind SeaORM gives every statement to a thread of its own and waits for its answer. Where waking a
//! thread is slow, as in small virtual machines, that costs several times the write itself. A step's few records
//! are therefore written here, by a connection that the caller's own thread uses, and the pages of a log, of which each row
//! would be handed over, are read here. A busy database, a full disk or an unknown session is left to the pool, whose
//! path reports what is wrong.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior, params};
use throughline_conversation::SessionId;

use crate::dialect::end_sql::end_sql;
use crate::durability::Durability;
use crate::entity::log::Model;
use crate::row::Row;

const END: &str = concat!("SELECT ", end_sql!("?1"));
const INSERT: &str =
    "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) VALUES (?, ?, ?, ?, ?, ?, ?)";

const PAGE: &str = "SELECT seq, kind, exchange, at, digest, payload, session_id FROM log \
                    WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq";

/// A connection for small appends and for pages of the log, used on the thread of the caller.
#[derive(Debug)]
pub(crate) struct InlineWriter {
    connection: Mutex<Option<Connection>>,
    /// A commit waits for the disk. Such appends are left to the pool, because the caller's thread has other work.
    is_durable: bool,
}

impl InlineWriter {
    /// Opens a second connection to a database that has its tables already. `None`: it cannot be opened,
    /// and everything goes through the pool.
    pub(crate) fn open(path: &Path, durability: Durability) -> Option<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).ok()?;
        connection.pragma_update(None, "synchronous", durability.synchronous()).ok()?;
        // Where `fsync` alone leaves bytes in the cache of the disk (macOS).
        connection.pragma_update(None, "fullfsync", durability == Durability::Full).ok()?;
        connection.pragma_update(None, "foreign_keys", true).ok()?;
        connection.pragma_update(None, "temp_store", "MEMORY").ok()?;
        // What moves from page to page here must leave nothing behind: see `redact`.
        connection.pragma_update(None, "secure_delete", "ON").ok()?;
        // It never waits: the caller's thread has other work.
        connection.busy_timeout(Duration::ZERO).ok()?;
        let is_durable = durability == Durability::Full;
        Some(Self { connection: Mutex::new(Some(connection)), is_durable })
    }

    /// Closes the connection. From now on everything goes through the pool.
    pub(crate) fn close(&self) {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Appends rows that continue the log, all or none. `Some(false)`: the log does not end right before the
    /// first of them. `None`: nothing was changed; use the pool.
    pub(crate) fn append(&self, session: &SessionId, rows: &[Row]) -> Option<bool> {
        let first = rows.first().filter(|_| !self.is_durable)?;
        // A panic cannot leave a transaction behind: it is rolled back when it is dropped.
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = connection.as_mut()?;
        let mut write = || -> rusqlite::Result<bool> {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            {
                let mut end = transaction.prepare_cached(END)?;
                let end: i64 = end.query_row([session.as_str()], |row| row.get(0))?;
                if end != first.seq - 1 {
                    return Ok(false);
                }
                let mut insert = transaction.prepare_cached(INSERT)?;
                for row in rows {
                    insert.execute(params![
                        session.as_str(),
                        row.seq,
                        row.kind,
                        row.exchange,
                        row.at,
                        row.digest,
                        row.payload
                    ])?;
                }
            }
            transaction.commit()?;
            Ok(true)
        };
        write().ok()
    }

    /// The rows of a page of the log with these kinds, in order (`None`: all), and how many rows the page has. `None`: use
    /// the pool, whose path also handles damage, such as a row with the number of another one.
    pub(crate) fn rows(
        &self,
        session: &SessionId,
        after: i64,
        upto: i64,
        kinds: Option<&[&str]>,
    ) -> Option<(Vec<Model>, i64)> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut page = connection.as_ref()?.prepare_cached(PAGE).ok()?;
        let row = |row: &rusqlite::Row<'_>| {
            let is_own = row.get_ref(6)?.as_bytes()? == session.as_str().as_bytes();
            let model = Model {
                session_id: session.as_str().to_owned(),
                seq: row.get(0)?,
                kind: row.get(1)?,
                exchange: row.get(2)?,
                at: row.get(3)?,
                digest: row.get(4)?,
                payload: Vec::new(),
            };
            // The text of a row that is not asked for is not read either.
            let is_wanted = kinds.is_none_or(|kinds| kinds.contains(&model.kind.as_str()));
            let payload = if is_wanted { row.get_ref(5)?.as_bytes()?.to_vec() } else { Vec::new() };
            Ok((model.seq, is_own, is_wanted.then_some(Model { payload, ..model })))
        };
        let (mut wanted, mut count) = (Vec::new(), 0);
        for row in page.query_map(params![session.as_str(), after, upto], row).ok()? {
            count += 1;
            let (seq, is_own, row) = row.ok()?;
            if !is_own || seq != after + count {
                return None;
            }
            wanted.extend(row);
        }
        Some((wanted, count))
    }
}

#[cfg(test)]
mod tests;
