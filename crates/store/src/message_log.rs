//! The log in SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use throughline_continuity::{LogError, MessageLog, Part};
use throughline_conversation::{Record, Seq, SessionId};

use crate::append::{MOST, append};
use crate::database::Database;
use crate::entity::{log, session};
use crate::fault::is_foreign_key;
use crate::redact::{RedactError, redact};
use crate::row::{Row, VIEW_KINDS, record};

/// Records read at a time, so that a long log is not in memory twice.
const PAGE: u64 = 1_000;

/// Keeps the log of every session.
#[derive(Debug, Clone)]
pub struct SeaMessageLog {
    database: Arc<Database>,
}

impl SeaMessageLog {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    async fn append_rows(&self, session: &SessionId, rows: &[Row]) -> Result<bool, DbErr> {
        if rows.len() <= MOST {
            if let Some(appended) = self.database.writer().and_then(|writer| writer.append(session, rows)) {
                return Ok(appended);
            }
            return append(&self.database.connection, session, rows).await;
        }
        let transaction = self.database.begin().await?;
        for chunk in rows.chunks(MOST) {
            if !append(&transaction, session, chunk).await? {
                transaction.rollback().await?;
                return Ok(false);
            }
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// The log did not end right before the first row. Either the rows are there already, all or the first
    /// ones, because an earlier try was cut off after it was kept; or somebody else has written.
    async fn append_again(&self, session: &SessionId, rows: &[Row]) -> Result<(), LogError> {
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

    fn failed(&self, error: DbErr) -> LogError {
        let fault = self.database.fault(error);
        if fault.is_unwritable() { LogError::Full(fault.to_string()) } else { LogError::Other(fault.into()) }
    }
}

fn of_session(session: &SessionId) -> sea_orm::Select<log::Entity> {
    log::Entity::find().filter(log::Column::SessionId.eq(session.as_str()))
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
            Ok(true) => Ok(()),
            Ok(false) => self.append_again(session, &rows).await,
            Err(error) if is_foreign_key(&error) => Err(LogError::NoSession(session.clone())),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn read(&self, session: &SessionId, after: Seq, part: Part) -> Result<Vec<Record>, LogError> {
        let Ok(mut after) = i64::try_from(after.0) else {
            return Ok(Vec::new());
        };
        let mut records = Vec::new();
        loop {
            let mut page = of_session(session).filter(log::Column::Seq.gt(after));
            if part == Part::View {
                page = page.filter(log::Column::Kind.is_in(VIEW_KINDS));
            }
            let page = page.order_by_asc(log::Column::Seq).limit(PAGE).all(&self.database.connection).await;
            let page = page.map_err(|error| self.failed(error))?;
            for row in &page {
                if part == Part::All && row.seq != after.saturating_add(1) {
                    let seq = Seq(after.saturating_add(1).unsigned_abs());
                    return Err(LogError::Damaged { seq, why: "it is missing".to_owned() });
                }
                after = row.seq;
                records.push(record(row)?);
            }
            if (page.len() as u64) < PAGE {
                return Ok(records);
            }
        }
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        let newest: Option<i64> = of_session(session)
            .select_only()
            .column(log::Column::Seq)
            .order_by_desc(log::Column::Seq)
            .limit(1)
            .into_tuple()
            .one(&self.database.connection)
            .await
            .map_err(|error| self.failed(error))?;
        if let Some(seq) = newest {
            return Ok(Seq(seq.unsigned_abs()));
        }
        let known = session::Entity::find_by_id(session.as_str()).one(&self.database.connection).await;
        match known.map_err(|error| self.failed(error))? {
            Some(_) => Ok(Seq(0)),
            None => Err(LogError::NoSession(session.clone())),
        }
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        // The place first, out of the index alone. Asked for the whole row at once, SQLite reads the log
        // backwards from its end instead, which takes the longer the rarer the kind is.
        let place: Option<i64> = of_session(session)
            .select_only()
            .column(log::Column::Seq)
            .filter(log::Column::Kind.eq(kind))
            .order_by_desc(log::Column::Seq)
            .limit(1)
            .into_tuple()
            .one(&self.database.connection)
            .await
            .map_err(|error| self.failed(error))?;
        let Some(place) = place else {
            return Ok(None);
        };
        let row = of_session(session).filter(log::Column::Seq.eq(place)).one(&self.database.connection).await;
        row.map_err(|error| self.failed(error))?.as_ref().map(record).transpose()
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        let rows = records.iter().map(Row::of).collect::<Result<Vec<Row>, LogError>>()?;
        match redact(&self.database, session, &rows).await {
            Ok(()) => Ok(()),
            Err(RedactError::Missing(seq)) => {
                Err(LogError::Conflict { expected: self.last(session).await?, found: seq })
            }
            Err(RedactError::Database(error)) => Err(self.failed(error)),
            Err(error @ (RedactError::Left(_) | RedactError::InUse)) => Err(LogError::Other(error.into())),
        }
    }
}
