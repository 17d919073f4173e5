//! Who may write a session that is on a server.
//!
//! A lock file of one machine says nothing to another machine, and a connection that breaks says nothing about its process.
//! So the right to write is a row that expires by the clock of the server and is renewed by a thread of its holder. A holder
//! that stalls can be replaced. Its token is then not that of the row any more, and every write names its token: what a
//! replaced holder writes is refused, however late it wakes up.

mod found;
mod keeper;
mod sql;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use throughline_conversation::SessionId;
use tokio::sync::{mpsc as commands, oneshot};

use crate::database_error::DatabaseError;
use crate::lock_error::LockError;
use crate::pool::ServerOptions;
use found::{find, holds};
use keeper::{Command, keep};

/// How long a process that ends waits for the server to take its leases back.
const FAREWELL: Duration = Duration::from_secs(3);

/// The tokens of this process, by session. One that was replaced stays until its holder lets go of it.
type Tokens = Arc<Mutex<BTreeMap<SessionId, i64>>>;

/// The leases of this process on one database.
#[derive(Debug)]
pub(crate) struct Leases {
    options: KeeperOptions,
    address: String,
    tokens: Tokens,
    keeper: OnceLock<Arc<Keeper>>,
}

/// The thread of the leases, as they and their list see it.
#[derive(Debug)]
struct Keeper {
    commands: commands::UnboundedSender<Command>,
    /// A lease was dropped, and no caller waits until it is given back.
    has_dropped: AtomicBool,
}

/// How the keeper connects. `Debug` shows nothing: there is a password in it.
struct KeeperOptions(ServerOptions);

impl std::fmt::Debug for KeeperOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
    }
}

/// The right to write a session, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    session: SessionId,
    /// `None`: it is given back.
    token: Option<i64>,
    tokens: Tokens,
    keeper: Arc<Keeper>,
}

impl Leases {
    pub(crate) fn new(options: ServerOptions, address: String) -> Self {
        let options = KeeperOptions(options);
        Self { options, address, tokens: Tokens::default(), keeper: OnceLock::new() }
    }

    /// The token of this process for a session; `None`: it has not locked it.
    pub(crate) fn token(&self, session: &SessionId) -> Option<i64> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).get(session).copied()
    }

    /// Takes the lease of a session. Waits for one whose holder has ended without giving it back, until it expires.
    pub(crate) async fn take(&self, session: &SessionId) -> Result<Lease, LockError> {
        let keeper = self.keeper()?;
        let (reply, answer) = oneshot::channel();
        let gone = || self.failed("the thread that renews leases has ended".into());
        keeper.commands.send(Command::Take { session: session.clone(), reply }).map_err(|_| gone())?;
        let token = answer.await.map_err(|_| gone())??;
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).insert(session.clone(), token);
        Ok(Lease { session: session.clone(), token: Some(token), tokens: Arc::clone(&self.tokens), keeper })
    }

    /// Returns true unless this process has locked the session and lost it. No other process takes it over before the
    /// transaction ends.
    pub(crate) async fn hold(
        &self,
        transaction: &DatabaseTransaction,
        session: &SessionId,
    ) -> Result<bool, DbErr> {
        match self.token(session) {
            Some(token) => holds(transaction, session, token).await,
            None => Ok(true),
        }
    }

    /// The error that names the process which has the session: it took it over from this one, or this one has not
    /// locked it.
    pub(crate) async fn other_holder(
        &self,
        connection: &impl ConnectionTrait,
        session: &SessionId,
    ) -> Result<Option<DatabaseError>, DbErr> {
        let found = find(connection, session).await?;
        let session = session.clone();
        Ok(match (self.token(&session), found) {
            (Some(own), Some(found)) if found.token == own => None,
            (Some(_), found) => {
                Some(DatabaseError::TakenOver { session, by: found.map(|found| Box::new(found.holder)) })
            }
            (None, Some(found)) if found.is_valid => {
                Some(DatabaseError::Elsewhere { session, by: Box::new(found.holder) })
            }
            (None, _) => None,
        })
    }

    fn keeper(&self) -> Result<Arc<Keeper>, LockError> {
        if let Some(keeper) = self.keeper.get() {
            return Ok(Arc::clone(keeper));
        }
        let (sender, receiver) = commands::unbounded_channel();
        let (options, address) = (self.options.0.clone(), self.address.clone());
        let thread = std::thread::Builder::new().name("leases".to_owned());
        // When two threads come here at once, the thread of the one that is late ends with its channel.
        thread.spawn(move || keep(options, &address, receiver)).map_err(|error| self.failed(error.into()))?;
        let new = || Arc::new(Keeper { commands: sender, has_dropped: AtomicBool::new(false) });
        Ok(Arc::clone(self.keeper.get_or_init(new)))
    }

    fn failed(&self, source: Box<dyn std::error::Error + Send + Sync>) -> LockError {
        LockError::Server(Box::new(DatabaseError::Other { path: PathBuf::from(&self.address), source }))
    }
}

impl Lease {
    /// Gives the lease back, and returns when another process can take it. On a server that does not answer, it expires.
    pub(crate) async fn give_back(mut self) {
        let (reply, answer) = oneshot::channel();
        if self.begin_return(Some(reply)) {
            // An error is a thread that has ended; then the lease expires.
            let _ = answer.await;
        }
    }

    /// `false`: it is returned already, or there is no thread to do it.
    fn begin_return(&mut self, reply: Option<oneshot::Sender<()>>) -> bool {
        let Some(token) = self.token.take() else { return false };
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.session);
        let command = Command::GiveBack { session: self.session.clone(), token, reply };
        self.keeper.commands.send(command).is_ok()
    }
}

impl Drop for Lease {
    /// Gives the lease back, and does not wait for it: the thread may have other tasks.
    fn drop(&mut self) {
        if self.begin_return(None) {
            self.keeper.has_dropped.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Keeper {
    /// Waits until the leases that were dropped are given back: the next program of the user may follow at once.
    fn drop(&mut self) {
        let (reply, answer) = mpsc::channel();
        if *self.has_dropped.get_mut() && self.commands.send(Command::Finish { reply }).is_ok() {
            // Without an answer they expire.
            let _ = answer.recv_timeout(FAREWELL);
        }
    }
}

#[cfg(test)]
mod tests;
