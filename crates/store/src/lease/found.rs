//! A lease as the server has it.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};
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
    let holder = statement(connection, HOLDER, [session.as_str().into()]);
    let Some(row) = connection.query_one_raw(holder).await? else { return Ok(None) };
    let pid: i64 = row.try_get_by_index(1)?;
    let host: String = row.try_get_by_index(2)?;
    let holder = Holder {
        pid: u32::try_from(pid).unwrap_or_default(),
        since: Millis(row.try_get_by_index(3)?),
        program: row.try_get_by_index(0)?,
        host: (!host.is_empty()).then_some(host),
    };
    let (token, is_valid) = (row.try_get_by_index(4)?, row.try_get_by_index(5)?);
    Ok(Some(FoundLease { holder, token, is_valid, is_alive: row.try_get_by_index(6)? }))
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
