//! A lease as the server has it.

use std::collections::BTreeMap;

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, QueryResult, Value};
use serde_json::json;
use throughline_conversation::{Millis, SessionId};

use super::sql::{HOLD, HOLDER};
use crate::dialect::statement;
use crate::holder::Holder;

/// A lease, and what is known of its holder.
#[derive(Debug)]
pub(crate) struct FoundLease {
    pub(crate) holder: Holder,
    pub(crate) token: i64,
    /// It has not expired.
    pub(crate) is_valid: bool,
    /// The connection that renews it is there.
    pub(crate) is_alive: bool,
}

/// The lease of a session.
pub(crate) async fn find(
    connection: &impl ConnectionTrait,
    session: &SessionId,
) -> Result<Option<FoundLease>, DbErr> {
    Ok(find_all(connection, [session]).await?.remove(session))
}

/// The leases of sessions, of those that have one.
pub(crate) async fn find_all(
    connection: &impl ConnectionTrait,
    sessions: impl IntoIterator<Item = &SessionId>,
) -> Result<BTreeMap<SessionId, FoundLease>, DbErr> {
    let rows = connection.query_all_raw(statement(connection, HOLDER, [as_json(sessions)])).await?;
    rows.iter().map(|row| Ok((session_of(row)?, lease_of(row)?))).collect()
}

/// Sessions as a value of a statement.
pub(super) fn as_json<'a>(sessions: impl IntoIterator<Item = &'a SessionId>) -> Value {
    let ids: Vec<&str> = sessions.into_iter().map(SessionId::as_str).collect();
    json!(ids).to_string().into()
}

/// The session that is the first column of a row.
pub(super) fn session_of(row: &QueryResult) -> Result<SessionId, DbErr> {
    let id: String = row.try_get_by_index(0)?;
    SessionId::new(id).map_err(|error| DbErr::Type(error.to_string()))
}

fn lease_of(row: &QueryResult) -> Result<FoundLease, DbErr> {
    let pid: i64 = row.try_get_by_index(2)?;
    let host: String = row.try_get_by_index(3)?;
    let holder = Holder {
        pid: u32::try_from(pid).unwrap_or_default(),
        since: Millis(row.try_get_by_index(4)?),
        program: row.try_get_by_index(1)?,
        host: (!host.is_empty()).then_some(host),
    };
    let (token, is_valid) = (row.try_get_by_index(5)?, row.try_get_by_index(6)?);
    Ok(FoundLease { holder, token, is_valid, is_alive: row.try_get_by_index(7)? })
}

/// Returns true if the lease of a session has this token. It does until the transaction ends.
pub(crate) async fn holds(
    transaction: &DatabaseTransaction,
    session: &SessionId,
    token: i64,
) -> Result<bool, DbErr> {
    let values: [Value; 2] = [session.as_str().into(), token.into()];
    Ok(transaction.query_one_raw(statement(transaction, HOLD, values)).await?.is_some())
}
