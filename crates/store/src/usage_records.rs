//! The records that say what requests have used, of one session or of all.

use sea_orm::{EntityTrait, Value};
use throughline_continuity::LogError;
use throughline_conversation::{Millis, Record, SessionId};

use crate::database::statement;
use crate::entity::log::Entity;
use crate::row::records;
use crate::store::Store;

const SELECT: &str = include_str!("usage_records.sql");

/// Records that are read at once: the texts of a long session's receipts take more room than the records.
const PAGE: i64 = 500;

impl Store {
    /// The receipts and side requests that were recorded since a time, with the records that name their models, session by
    /// session in order. `None`: of all sessions. Damaged records are left out.
    ///
    /// # Errors
    /// [`LogError`] if the database cannot be read.
    pub async fn usage_records(
        &self,
        session: Option<&SessionId>,
        since: Millis,
    ) -> Result<Vec<Record>, LogError> {
        let session = session.map(|session| session.as_str().to_owned());
        let (mut found, mut after) = (Vec::new(), (String::new(), 0));
        loop {
            let values: [Value; 5] =
                [session.clone().into(), since.0.into(), after.0.into(), after.1.into(), PAGE.into()];
            let rows =
                Entity::find().from_raw_sql(statement(SELECT, values)).all(&self.database().connection).await;
            let rows = rows.map_err(|error| LogError::Other(self.database().fault(error).into()))?;
            for (row, record) in rows.iter().zip(records(&rows)) {
                match record {
                    Ok(record) => found.push(record),
                    Err(error) => {
                        tracing::warn!(session = row.session_id, %error, "left a record out of the cost");
                    }
                }
            }
            match rows.into_iter().next_back() {
                Some(last) => after = (last.session_id, last.seq),
                None => return Ok(found),
            }
        }
    }
}
