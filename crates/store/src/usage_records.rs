//! The records that say what requests have used, of one session or of all.

use sea_orm::{EntityTrait, Value};
use throughline_continuity::LogError;
use throughline_conversation::{Millis, Record, SessionId};

use crate::database::statement;
use crate::entity::log::Entity;
use crate::row::record;
use crate::store::Store;

const SELECT: &str = include_str!("usage_records.sql");

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
        let values: [Value; 2] = [session.map(|session| session.as_str().to_owned()).into(), since.0.into()];
        let rows =
            Entity::find().from_raw_sql(statement(SELECT, values)).all(&self.database().connection).await;
        let rows = rows.map_err(|error| LogError::Other(self.database().fault(error).into()))?;
        Ok(rows
            .iter()
            .filter_map(|row| match record(row) {
                Ok(record) => Some(record),
                Err(error) => {
                    tracing::warn!(session = row.session_id, %error, "left a record out of the cost");
                    None
                }
            })
            .collect())
    }
}
