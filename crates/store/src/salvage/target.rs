//! The new database that is filled with what was saved.

use std::path::Path;

use rusqlite::{Connection, params};
use throughline_conversation::{ExchangeId, Millis, SessionId};
use throughline_memory::{MemoDraft, MemoOrigin, NoteRepository};

use super::found::{MemoRow, ResultRow, SessionRow};
use crate::dialect::RECORD_KEY;
use crate::encryption_key::KeyId;
use crate::entity::{log, snapshot};
use crate::open_error::OpenError;
use crate::store::Store;

pub(super) struct Target {
    store: Store,
    raw: Connection,
    memos: Vec<MemoRow>,
}

impl Target {
    /// Creates the database with its tables.
    pub(super) async fn create(path: &Path) -> Result<Self, OpenError> {
        let store = Store::open(path).await?;
        let failed = |source: rusqlite::Error| OpenError::Unwritable {
            path: path.to_path_buf(),
            source: std::io::Error::other(source),
        };
        let raw = Connection::open(path).map_err(failed)?;
        // Rows come in the order of the file, so a record may come before its session.
        raw.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL; BEGIN").map_err(failed)?;
        Ok(Self { store, raw, memos: Vec::new() })
    }

    /// Begins the next transaction, so that the write-ahead log stays small.
    pub(super) fn begin(&self) -> rusqlite::Result<()> {
        self.raw.execute_batch("COMMIT; BEGIN")
    }

    pub(super) fn record(&self, row: &log::Model) -> rusqlite::Result<()> {
        let Ok(payload) = std::str::from_utf8(&row.payload) else { return Ok(()) };
        let sql = "INSERT OR IGNORE INTO log (session_id, seq, kind, exchange, at, digest, payload) \
                   VALUES (?, ?, ?, ?, ?, ?, ?)";
        let values = params![row.session_id, row.seq, row.kind, row.exchange, row.at, row.digest, payload];
        self.raw.prepare_cached(sql)?.execute(values).map(drop)
    }

    pub(super) fn result(&self, row: &ResultRow) -> rusqlite::Result<()> {
        let sql = "INSERT OR IGNORE INTO tool_result_blobs \
                   (id, session_id, tool_name, content, byte_size, created_at, object) VALUES (?, ?, ?, ?, ?, ?, ?)";
        let values =
            params![row.id, row.session, row.tool, row.content, row.size, row.created_at, row.object];
        self.raw.prepare_cached(sql)?.execute(values).map(drop)
    }

    pub(super) fn snapshot(&self, row: &snapshot::Model) -> rusqlite::Result<()> {
        let Ok(messages) = std::str::from_utf8(&row.messages) else { return Ok(()) };
        let sql = "INSERT OR IGNORE INTO session_snapshots \
                   (session_id, covers, epoch, messages, token_count, digest, created_at) \
                   VALUES (?, ?, ?, ?, ?, ?, ?)";
        let values = params![
            row.session_id,
            row.covers,
            row.epoch,
            messages,
            row.token_count,
            row.digest,
            row.created_at
        ];
        self.raw.prepare_cached(sql)?.execute(values).map(drop)
    }

    /// Records the key that values are encrypted with.
    pub(super) fn key(&self, key: KeyId) -> rusqlite::Result<()> {
        self.raw.prepare_cached(RECORD_KEY)?.execute([key.to_string()]).map(drop)
    }

    pub(super) fn memo(&mut self, row: MemoRow) {
        self.memos.push(row);
    }

    /// Lists a session. One whose own entry is lost is listed with its records' time and without a title.
    pub(super) fn session(&self, id: &str, row: Option<&SessionRow>, end: i64) -> rusqlite::Result<()> {
        let insert = "INSERT OR IGNORE INTO sessions (id, title, workspace, model, created_at) \
                      VALUES (?1, ?2, ?3, ?4, coalesce(?5, (SELECT min(at) FROM log WHERE session_id = ?1), 0))";
        let text = |field: fn(&SessionRow) -> &String| row.map_or("", |row| field(row).as_str());
        let values = params![
            id,
            text(|row| &row.title),
            text(|row| &row.workspace),
            text(|row| &row.model),
            row.map(|row| row.created_at)
        ];
        self.raw.prepare_cached(insert)?.execute(values)?;
        let end_sql = "UPDATE sessions SET last_seq = ?2, last_check = -?2 WHERE id = ?1";
        self.raw.prepare_cached(end_sql)?.execute(params![id, end]).map(drop)
    }

    /// Writes what is left, removes rows that belong to no session, and returns the number of memos.
    pub(super) async fn finish(self) -> Result<usize, OpenError> {
        let Self { store, raw, memos, .. } = self;
        let failed = |source: rusqlite::Error| OpenError::Unwritable {
            path: store.path().to_path_buf(),
            source: std::io::Error::other(source),
        };
        raw.execute_batch(include_str!("orphans.sql")).map_err(failed)?;
        drop(raw);
        let notes = store.notes();
        let mut saved = 0;
        for row in memos {
            let origin = MemoOrigin {
                workspace: row.workspace,
                session: row.session.and_then(|id| SessionId::new(id).ok()),
                exchange: row.exchange.map(|number| ExchangeId(number.unsigned_abs())),
            };
            if let Ok(draft) = MemoDraft::new(&row.content, &row.tags, origin, Millis(row.created_at)) {
                saved += usize::from(notes.save(&draft).await.is_ok());
            }
        }
        store.close().await.map_err(OpenError::Database)?;
        Ok(saved)
    }
}
