//! The messages, documents and summaries of a session that may have some words, found by the database.

use std::fmt::Write as _;

use sea_orm::{DbErr, EntityTrait, Value};
use throughline_continuity::LogError;
use throughline_conversation::{Record, Seq, SessionId};

use crate::dialect::{Dialect, statement};
use crate::entity::log::Entity;
use crate::row::records;
use crate::store::Store;

const SELECT: &str = "SELECT session_id, seq, kind, exchange, at, digest, payload FROM log \
                      WHERE session_id = ?1 AND kind IN ('message', 'document', 'edit') AND seq > ?2";

/// Records that are read at once.
const PAGE: i64 = 250;

/// Maximum number of words that the database looks for; the caller looks for all.
const WORDS: usize = 8;

impl Store {
    /// The messages, revisions of documents and edits after a record that may have all of these words, whatever the case of
    /// their letters: at least those that have them, oldest first. The caller looks into them. An empty page is the end. Damaged records are left out.
    ///
    /// The database compares words of ASCII letters and digits, which are the same in JSON, and leaves the others to the caller.
    ///
    /// # Errors
    /// [`LogError`] if the database cannot be read.
    pub async fn records_that_may_have(
        &self,
        session: &SessionId,
        words: &[String],
        after: Seq,
    ) -> Result<Vec<Record>, LogError> {
        let failed = |error: DbErr| LogError::Other(self.database().fault(error).into());
        let connection = &self.database().connection;
        let dialect = Dialect::of(connection);
        let mut sql = SELECT.to_owned();
        let mut values: Vec<Value> =
            vec![session.as_str().into(), i64::try_from(after.0).unwrap_or(i64::MAX).into()];
        for word in words.iter().filter(|word| is_plain(word)).take(WORDS) {
            values.push(format!("%{word}%").into());
            let (like, folded) = dialect.payload_like(values.len());
            let folded = if word.contains(['k', 'i', 'K', 'I']) { folded } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(sql, " AND ({like}{folded})");
        }
        values.push(PAGE.into());
        let _ = write!(sql, " ORDER BY seq LIMIT ?{}", values.len());
        let rows = Entity::find().from_raw_sql(statement(connection, sql, values)).all(connection).await;
        let rows = rows.map_err(failed)?;
        let mut found = Vec::with_capacity(rows.len());
        for record in records(&rows) {
            match record {
                Ok(record) => found.push(record),
                Err(error) => tracing::warn!(%session, %error, "left a record out of a search"),
            }
        }
        if found.is_empty()
            && let Some(last) = rows.last()
        {
            // A whole page is damaged: what follows it counts.
            let last = Seq(u64::try_from(last.seq).unwrap_or(u64::MAX));
            return Box::pin(self.records_that_may_have(session, words, last)).await;
        }
        Ok(found)
    }
}

/// Returns true for a word that JSON writes unchanged, and that has no sign of a pattern.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
