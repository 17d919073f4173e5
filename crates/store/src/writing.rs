//! Writing what belongs to a session: only while this process has its lease, if it is on a server and was locked.

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use throughline_conversation::SessionId;

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::link::Link;

/// Where the rows of a session are written. Nothing is there before [`done`](Self::done).
pub(crate) enum Writing<'a> {
    /// One statement by itself.
    Free(&'a Link),
    /// A transaction. No process takes the lease over before it ends.
    Leased(DatabaseTransaction),
}

impl Writing<'_> {
    /// Finishes the writing.
    pub(crate) async fn done(self) -> Result<(), DbErr> {
        match self {
            Self::Free(_) => Ok(()),
            Self::Leased(transaction) => transaction.commit().await,
        }
    }
}

impl Database {
    /// The token of this process for a session; `None`: it has not locked it, or the database is a file.
    pub(crate) fn token(&self, session: &SessionId) -> Option<i64> {
        self.leases.as_ref()?.token(session)
    }

    /// Begins to write one row of a session.
    pub(crate) async fn writing(&self, session: &SessionId) -> Result<Writing<'_>, DatabaseError> {
        if self.token(session).is_none() {
            return Ok(Writing::Free(&self.connection));
        }
        let transaction = self.begin().await.map_err(|error| self.fault(error))?;
        self.hold(&transaction, session).await?;
        Ok(Writing::Leased(transaction))
    }

    /// Fails if this process has locked a session and lost it. Until the transaction ends, no other one takes it over.
    pub(crate) async fn hold(
        &self,
        transaction: &DatabaseTransaction,
        session: &SessionId,
    ) -> Result<(), DatabaseError> {
        let Some(leases) = &self.leases else { return Ok(()) };
        let is_held = leases.hold(transaction, session).await.map_err(|error| self.fault(error))?;
        if is_held { Ok(()) } else { self.check_lease(session).await }
    }

    /// Fails if another process has a session: it was taken over from this one, or this one has not locked it.
    pub(crate) async fn check_lease(&self, session: &SessionId) -> Result<(), DatabaseError> {
        let Some(leases) = &self.leases else { return Ok(()) };
        let other = leases.other_holder(&self.connection, session).await;
        match other.map_err(|error| self.fault(error))? {
            None => Ok(()),
            Some(other) => Err(other),
        }
    }
}

#[async_trait]
impl ConnectionTrait for Writing<'_> {
    fn get_database_backend(&self) -> DbBackend {
        match self {
            Self::Free(link) => link.get_database_backend(),
            Self::Leased(transaction) => transaction.get_database_backend(),
        }
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        match self {
            Self::Free(link) => link.execute_raw(statement).await,
            Self::Leased(transaction) => transaction.execute_raw(statement).await,
        }
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        match self {
            Self::Free(link) => link.execute_unprepared(sql).await,
            Self::Leased(transaction) => transaction.execute_unprepared(sql).await,
        }
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        match self {
            Self::Free(link) => link.query_one_raw(statement).await,
            Self::Leased(transaction) => transaction.query_one_raw(statement).await,
        }
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        match self {
            Self::Free(link) => link.query_all_raw(statement).await,
            Self::Leased(transaction) => transaction.query_all_raw(statement).await,
        }
    }
}
