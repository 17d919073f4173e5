//! The log in the database.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use throughline_continuity::{LogError, LogPage, MessageLog, Part};
use throughline_conversation::{Record, Seq, SessionId};

use crate::append::{MAX_ROWS, append};
use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::end::end;
use crate::entity::{log, session};
use crate::fault::is_foreign_key;
use crate::redact::{RedactError, redact};
use crate::row::{Row, record};

/// Stores the log of every session.
#[derive(Debug, Clone)]
pub struct SeaMessageLog {
    pub(crate) database: Arc<Database>,
}

impl SeaMessageLog {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// `false`: the log does not end right before the first row, or another process has the session.
    async fn append_rows(&self, session: &SessionId, rows: &[Row]) -> Result<bool, DbErr> {
        let token = self.database.token(session);
        if rows.len() <= MAX_ROWS {
            if let Some(appended) = self.database.writer().and_then(|writer| writer.append(session, rows)) {
                return Ok(appended);
            }
            return append(&self.database.connection, session, rows, token).await;
        }
        self.database.connection.again(|| self.append_many(session, rows, token)).await
    }

    async fn append_many(
        &self,
        session: &SessionId,
        rows: &[Row],
        token: Option<i64>,
    ) -> Result<bool, DbErr> {
        let transaction = self.database.begin().await?;
        for chunk in rows.chunks(MAX_ROWS) {
            if !append(&transaction, session, chunk, token).await? {
                transaction.rollback().await?;
                return Ok(false);
            }
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// The log did not end right before the first row. Either the rows are there already, all or the first
    /// ones, because an earlier try was cut off after it was stored; or another process has written.
    async fn append_again(&self, session: &SessionId, rows: &[Row]) -> Result<(), LogError> {
        self.database.check_lease(session).await.map_err(log_error)?;
        let last = self.last(session).await?;
        let first = rows.first().map_or(0, |row| row.seq);
        let found = Seq(first.unsigned_abs());
        let conflict = LogError::Conflict { expected: last.next(), found };
        if first < 1 || found > last {
            return Err(conflict);
        }
        let there = self.rows_after(session, first - 1, rows.len() + 1).await?;
        let same = |(row, there): (&Row, &log::Model)| {
            (row.seq, row.kind, row.exchange, row.at, row.digest, row.payload.as_bytes())
                == (there.seq, there.kind.as_str(), there.exchange, there.at, there.digest, &*there.payload)
        };
        if there.len() > rows.len() || !rows.iter().zip(&there).all(same) {
            return Err(conflict);
        }
        let new = rows.get(there.len()..).unwrap_or(&[]);
        match self.append_rows(session, new).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(conflict),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn rows_after(
        &self,
        session: &SessionId,
        after: i64,
        most: usize,
    ) -> Result<Vec<log::Model>, LogError> {
        let rows = of_session(session)
            .filter(log::Column::Seq.gt(after))
            .order_by_asc(log::Column::Seq)
            .limit(most as u64)
            .all(&self.database.connection);
        rows.await.map_err(|error| self.failed(error))
    }

    pub(crate) fn failed(&self, error: DbErr) -> LogError {
        log_error(self.database.fault(error))
    }
}

/// What an error means to the log.
pub(crate) fn log_error(fault: DatabaseError) -> LogError {
    if fault.is_unwritable() { LogError::Full(fault.to_string()) } else { LogError::Other(fault.into()) }
}

pub(crate) fn of_session(session: &SessionId) -> sea_orm::Select<log::Entity> {
    log::Entity::find().filter(log::Column::SessionId.eq(session.as_str()))
}

/// Where a damaged key breaks the order of the rows, SQLite may answer with another row than the one asked for.
pub(crate) fn is_row_of(row: &log::Model, session: &SessionId, seq: i64) -> bool {
    row.session_id == session.as_str() && row.seq == seq
}

/// The first place that breaks the row of places.
fn gap(records: &[Record]) -> Option<LogError> {
    records.windows(2).find_map(|pair| match pair {
        [one, two] if two.seq != one.seq.next() => {
            Some(LogError::Conflict { expected: one.seq.next(), found: two.seq })
        }
        _ => None,
    })
}

#[async_trait]
impl MessageLog for SeaMessageLog {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        if let Some(gap) = gap(records) {
            return Err(gap);
        }
        let rows = records.iter().map(Row::of).collect::<Result<Vec<Row>, LogError>>()?;
        match self.append_rows(session, &rows).await {
            Ok(true) => {}
            Ok(false) => self.append_again(session, &rows).await?,
            Err(error) if is_foreign_key(&error) => return Err(LogError::NoSession(session.clone())),
            Err(error) => return Err(self.failed(error)),
        }
        // Only now: a file that is removed during the write is noticed too.
        self.database.check_place().map_err(|gone| LogError::Full(gone.to_string()))
    }

    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError> {
        match i64::try_from(after.0) {
            Ok(after) => self.page(session, after, part).await,
            Err(_) => Ok(LogPage::default()),
        }
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        let end = end(&self.database, session).await.map_err(|error| self.failed(error))?;
        if end > 0 {
            return Ok(Seq(end.unsigned_abs()));
        }
        let known = session::Entity::find_by_id(session.as_str()).one(&self.database.connection).await;
        match known.map_err(|error| self.failed(error))? {
            Some(_) => Ok(Seq(0)),
            None => Err(LogError::NoSession(session.clone())),
        }
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        // The place first, out of the index alone. For the whole row at once, SQLite reads the log backwards from its
        // end instead, which takes the longer the rarer the kind is.
        let place: Result<Option<i64>, DbErr> = of_session(session)
            .select_only()
            .column(log::Column::Seq)
            .filter(log::Column::Kind.eq(kind))
            .order_by_desc(log::Column::Seq)
            .limit(1)
            .into_tuple()
            .one(&self.database.connection)
            .await;
        let place = match place {
            Ok(Some(place)) => place,
            Ok(None) => return Ok(None),
            Err(error) if DatabaseError::is_damage(&error) => {
                return self.newest_by_reading(session, kind).await;
            }
            Err(error) => return Err(self.failed(error)),
        };
        let row = of_session(session).filter(log::Column::Seq.eq(place)).one(&self.database.connection).await;
        match row {
            Ok(Some(row)) if !is_row_of(&row, session, place) => self.newest_by_reading(session, kind).await,
            Ok(row) => row.as_ref().map(record).transpose(),
            Err(error) if DatabaseError::is_damage(&error) => self.newest_by_reading(session, kind).await,
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        let rows = records.iter().map(Row::of).collect::<Result<Vec<Row>, LogError>>()?;
        match redact(&self.database, session, &rows).await {
            Ok(()) => Ok(()),
            Err(RedactError::Missing(seq)) => {
                Err(LogError::Conflict { expected: self.last(session).await?, found: seq })
            }
            Err(RedactError::Database(error)) => Err(self.failed(error)),
            Err(RedactError::Lease(error)) => Err(log_error(error)),
            Err(error @ (RedactError::Left(_) | RedactError::ObjectsLeft(_) | RedactError::InUse)) => {
                Err(LogError::Other(error.into()))
            }
        }
    }
}
