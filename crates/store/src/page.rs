//! Reading a page of a log around its damage.
//!
//! A page is read with one statement. If that fails, or has not found every record, the page is read record by record:
//! what SQLite cannot reach is listed, and the others are returned.

use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, QueryFilter, QueryOrder, Value};
use throughline_continuity::{LogError, LogPage, Part, Unreadable};
use throughline_conversation::{Record, Seq, SessionId};

use crate::database_error::DatabaseError;
use crate::dialect::{Dialect, statement};
use crate::end::{end, first_after, newest};
use crate::entity::log;
use crate::message_log::{SeaMessageLog, is_row_of, of_session};
use crate::row::{kinds_of, record, records};

/// Maximum number of records of a page.
const PAGE: i64 = 250;
/// Maximum number of records that are looked for one by one when nothing in the log can be read.
const LOST_AT_ONCE: i64 = 1_000_000;

const MISSING: &str = "missing";
const UNREACHABLE: &str = "its part of the database is damaged";
const COUNT: &str = "SELECT count(DISTINCT seq) FROM log WHERE session_id = ? AND seq > ? AND seq <= ?";

impl SeaMessageLog {
    /// The page that begins after a place.
    pub(crate) async fn page(
        &self,
        session: &SessionId,
        after: i64,
        part: Part,
    ) -> Result<LogPage, LogError> {
        let end = end(&self.database, session).await.map_err(|error| self.failed(error))?;
        let upto = after.saturating_add(PAGE).min(end);
        let mut page = LogPage::default();
        if after < end {
            page = match self.in_one_piece(session, after, upto, part).await {
                Ok(Some(page)) => page,
                Ok(None) => self.one_by_one(session, after, upto, part).await?,
                Err(error) if self.is_busy(&error) => return Err(self.failed(error)),
                Err(_) => self.one_by_one(session, after, upto, part).await?,
            };
            page.next = (upto < end).then(|| place(upto));
            if page.records.is_empty() && page.next.is_some() && is_lost(&page, after, upto) {
                self.skip_gap(session, upto, end, &mut page).await;
            }
        }
        if page.next.is_none()
            && let Ok(newest) = newest(&self.database, session).await
            && newest.unwrap_or(0) < end
        {
            page.unreadable.push(Unreadable::all(place(newest.unwrap_or(0)).next(), place(end), MISSING));
        }
        Ok(page)
    }

    /// The newest record of a kind, without the index.
    pub(crate) async fn newest_by_reading(
        &self,
        session: &SessionId,
        kind: &str,
    ) -> Result<Option<Record>, LogError> {
        let (mut found, mut after) = (None, 0);
        loop {
            let page = self.page(session, after, Part::All).await?;
            let newest = page.records.into_iter().rfind(|record| record.body.kind() == kind);
            found = newest.or(found);
            match page.next.and_then(|next| i64::try_from(next.0).ok()) {
                Some(next) if next > after => after = next,
                _ => return Ok(found),
            }
        }
    }

    /// `None`: records are missing.
    async fn in_one_piece(
        &self,
        session: &SessionId,
        after: i64,
        upto: i64,
        part: Part,
    ) -> Result<Option<LogPage>, DbErr> {
        let (rows, count) = match self.rows_at_once(session, after, upto, part) {
            Some(found) => found,
            None => self.rows_by_pool(session, after, upto, part).await?,
        };
        // Damage of a key makes two rows share a place: then the number is right and a record is missing.
        let in_order = rows.iter().is_sorted_by(|one, next| one.seq < next.seq);
        let own = rows.iter().all(|row| row.session_id == session.as_str());
        if count != upto - after || !in_order || !own {
            return Ok(None);
        }
        let mut page = LogPage::default();
        rows.iter().zip(records(&rows)).for_each(|(row, record)| add(&mut page, row, record));
        Ok(Some(page))
    }

    /// The rows of a page, and how many rows its range has, on the caller's own thread. `None`: that cannot be done.
    fn rows_at_once(
        &self,
        session: &SessionId,
        after: i64,
        upto: i64,
        part: Part,
    ) -> Option<(Vec<log::Model>, i64)> {
        self.database.writer()?.rows(session, after, upto, kinds_of(part))
    }

    /// The same by the pool.
    async fn rows_by_pool(
        &self,
        session: &SessionId,
        after: i64,
        upto: i64,
        part: Part,
    ) -> Result<(Vec<log::Model>, i64), DbErr> {
        let mut rows =
            of_session(session).filter(log::Column::Seq.gt(after)).filter(log::Column::Seq.lte(upto));
        let kinds = kinds_of(part);
        if let Some(kinds) = kinds {
            rows = rows.filter(log::Column::Kind.is_in(kinds.iter().copied()));
        }
        let rows = rows.order_by_asc(log::Column::Seq).all(&self.database.connection).await?;
        if kinds.is_none() {
            let count = rows.len() as i64;
            return Ok((rows, count));
        }
        let values: [Value; 3] = [session.as_str().into(), after.into(), upto.into()];
        let row = self
            .database
            .connection
            .query_one_raw(statement(&self.database.connection, COUNT, values))
            .await?;
        let count = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
        Ok((rows, count))
    }

    async fn one_by_one(
        &self,
        session: &SessionId,
        after: i64,
        upto: i64,
        part: Part,
    ) -> Result<LogPage, LogError> {
        let mut page = LogPage::default();
        for seq in after + 1..=upto {
            let row = of_session(session).filter(log::Column::Seq.eq(seq)).one(&self.database.connection);
            match row.await.map(|row| row.filter(|row| is_row_of(row, session, seq))) {
                Ok(Some(row)) if is_unknown_or_of(part, &row) => {
                    add(&mut page, &row, record(&row));
                }
                Ok(Some(_)) => {}
                Ok(None) => page.unreadable.push(Unreadable::one(place(seq), MISSING)),
                Err(error) if self.is_busy(&error) => return Err(self.failed(error)),
                Err(_) => page.unreadable.push(Unreadable::one(place(seq), UNREACHABLE)),
            }
        }
        Ok(page)
    }

    /// Continues a page on which nothing was left at the next record that is left.
    async fn skip_gap(&self, session: &SessionId, upto: i64, end: i64, page: &mut LogPage) {
        let next = match first_after(&self.database, session, upto).await {
            Ok(Some(next)) if next <= end => next,
            Ok(_) => end + 1,
            Err(_) if end - upto > LOST_AT_ONCE => end + 1,
            Err(_) => return,
        };
        if next > upto + 1 {
            page.unreadable.push(Unreadable::all(place(upto + 1), place(next - 1), MISSING));
        }
        page.next = (next <= end).then(|| place(next - 1));
    }

    /// Returns true if the page can be read at another time.
    fn is_busy(&self, error: &DbErr) -> bool {
        let is_server = self.database.dialect() == Dialect::Postgres;
        DatabaseError::is_busy(error) || is_server && !DatabaseError::is_damage(error)
    }
}

fn add(page: &mut LogPage, row: &log::Model, record: Result<Record, LogError>) {
    match record {
        Ok(record) => page.records.push(record),
        Err(LogError::Damaged { seq, why }) => page.unreadable.push(Unreadable::one(seq, why)),
        Err(error) => page.unreadable.push(Unreadable::one(place(row.seq), error.to_string())),
    }
}

/// A row of unknown kind may have been of the part.
fn is_unknown_or_of(part: Part, row: &log::Model) -> bool {
    kinds_of(part).is_none_or(|kinds| kinds.contains(&row.kind.as_str())) || record(row).is_err()
}

fn is_lost(page: &LogPage, after: i64, upto: i64) -> bool {
    let lost: u64 = page.unreadable.iter().map(|lost| lost.span.records()).sum();
    i64::try_from(lost).is_ok_and(|lost| lost == upto - after)
}

fn place(seq: i64) -> Seq {
    Seq(seq.unsigned_abs())
}
