//! The connections of a database. A statement whose connection broke is sent again by another one.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult,
    Statement, TransactionOptions, TransactionTrait,
};

use crate::dialect::Dialect;
use crate::dialect::sqlstate::{is_broken, is_conflict, is_full};

/// How long a server that does not answer is tried again.
const PATIENCE: Duration = Duration::from_secs(20);
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Maximum number of tries of what other transactions were in the way of.
pub(crate) const CONFLICTS: u32 = 8;
/// How long an outage is put down to a full disk.
const FULL: Duration = Duration::from_secs(120);
/// How long a server that did not answer within the patience is not asked again.
const REST: Duration = Duration::from_secs(5);

/// A pool of connections.
///
/// To a server, it sends a statement again when the connection broke, whether or not the first try was carried out. That is
/// safe for every statement that this crate sends outside a transaction: a row that is there is noticed, or
/// replaced by the same one. A statement that the server undid because of another transaction is sent again, too; whole
/// transactions that only read and write are repeated by [`repeat`](Self::repeat).
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pool: DatabaseConnection,
    /// The last failure, while the server is given up. Then a statement is tried once, and for a while not at all: a program
    /// that stores little by little would otherwise wait each time.
    away: Arc<Mutex<Option<(Instant, DbErr)>>>,
    /// The last time that the server had no room, until something succeeds.
    full: Arc<Mutex<Option<(Instant, DbErr)>>>,
}

impl Link {
    pub(crate) fn new(pool: DatabaseConnection) -> Self {
        Self { pool, away: Arc::default(), full: Arc::default() }
    }

    /// The same with the reason of an outage: a server without room for its write-ahead log says so in answer to a write, and
    /// stops. Then the room is what its user must hear of, not the outage.
    fn explained<T>(&self, done: Result<T, DbErr>) -> Result<T, DbErr> {
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        match &done {
            Ok(_) => *full = None,
            Err(error) if is_full(error) => *full = Some((Instant::now(), error.clone())),
            Err(error) if is_broken(error) => {
                if let Some((_, why)) = full.as_ref().filter(|(at, _)| at.elapsed() < FULL) {
                    return Err(why.clone());
                }
            }
            Err(_) => {}
        }
        done
    }

    /// The pool, which sends nothing again.
    pub(crate) fn pool(&self) -> &DatabaseConnection {
        &self.pool
    }

    /// Begins a transaction.
    pub(crate) async fn begin(&self, options: TransactionOptions) -> Result<DatabaseTransaction, DbErr> {
        self.again(|| self.pool.begin_with_options(options)).await
    }

    /// Does work, again while the connection breaks or another transaction is in the way, up to the limits.
    ///
    /// # Errors
    /// The last error; or that of an outage for which the server has just been given up.
    pub(crate) async fn again<T, F>(&self, mut work: impl FnMut() -> F) -> Result<T, DbErr>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        let mut retry = self.retry()?;
        loop {
            match work().await {
                Err(error) if retry.again(&error).await => {}
                done => return self.explained(done),
            }
        }
    }

    /// Does work that begins a transaction and commits it, again while other transactions conflict with it, up to a limit. Nothing of the try before was carried out then. A connection that breaks ends it: its commit may have arrived.
    pub(crate) async fn repeat<T, E, F>(&self, mut work: impl FnMut() -> F) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>>,
        E: Conflict,
    {
        let mut conflicts = Conflicts::default();
        loop {
            match work().await {
                Err(error) if conflicts.again(error.database()).await => {}
                done => return done,
            }
        }
    }

    /// Further tries of a statement.
    ///
    /// # Errors
    /// The server has just been given up, for this reason.
    fn retry(&self) -> Result<Retry, DbErr> {
        if Dialect::of(&self.pool) == Dialect::Sqlite {
            return Ok(Retry::new(None, &self.away));
        }
        let mut away = self.away.lock().unwrap_or_else(PoisonError::into_inner);
        let until = match away.as_ref() {
            Some((at, error)) if at.elapsed() < REST => return self.explained(Err(error.clone())),
            Some(_) => Instant::now(),
            None => Instant::now() + PATIENCE,
        };
        *away = None;
        Ok(Retry::new(Some(until), &self.away))
    }
}

/// Further tries, with growing pauses between them.
#[derive(Debug)]
struct Retry {
    /// `None`: there are none.
    until: Option<Instant>,
    pause: Duration,
    away: Arc<Mutex<Option<(Instant, DbErr)>>>,
    conflicts: Conflicts,
}

/// Tries of what other transactions were in the way of, with growing pauses between them.
#[derive(Debug, Default)]
pub(crate) struct Conflicts {
    tried: u32,
}

impl Conflicts {
    /// Waits, if the error is that of a transaction that was undone because of another one, and there is another try.
    async fn again(&mut self, error: Option<&DbErr>) -> bool {
        let Some(error) = error.filter(|error| is_conflict(error)) else { return false };
        self.tried += 1;
        if self.tried >= CONFLICTS {
            return false;
        }
        tracing::debug!(%error, "another transaction was in the way; trying again");
        tokio::time::sleep(FIRST_PAUSE * self.tried).await;
        true
    }
}

/// An error that may be one of the database.
pub(crate) trait Conflict {
    /// The error of the database, if it is one.
    fn database(&self) -> Option<&DbErr>;
}

impl Conflict for DbErr {
    fn database(&self) -> Option<&DbErr> {
        Some(self)
    }
}

impl Retry {
    fn new(until: Option<Instant>, away: &Arc<Mutex<Option<(Instant, DbErr)>>>) -> Self {
        Self { until, pause: FIRST_PAUSE, away: Arc::clone(away), conflicts: Conflicts::default() }
    }

    /// Waits, if the error is a broken connection and there is time for another try, or if another transaction was in the way.
    async fn again(&mut self, error: &DbErr) -> bool {
        if self.conflicts.again(Some(error)).await {
            return true;
        }
        let Some(until) = self.until.filter(|_| is_broken(error)) else { return false };
        if Instant::now() + self.pause >= until {
            *self.away.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), error.clone()));
            return false;
        }
        tracing::warn!(%error, "the connection to the database broke; trying again");
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        true
    }
}

#[async_trait]
impl ConnectionTrait for Link {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.again(|| self.pool.execute_raw(statement.clone())).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.again(|| self.pool.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.again(|| self.pool.query_one_raw(statement.clone())).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.again(|| self.pool.query_all_raw(statement.clone())).await
    }
}

#[cfg(test)]
mod tests;
