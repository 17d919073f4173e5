//! The thread that takes, renews and gives back leases.
//!
//! It has a runtime and a connection of its own, so a program that is busy renews in time, and a pool that is full delays
//! nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait as _, DbErr, Value};
use throughline_conversation::SessionId;
use tokio::sync::{mpsc as commands, oneshot};

use super::found::find;
use super::sql::{FORGET, GIVE_BACK, RENEW, TAKE};
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::holder::Holder;
use crate::link::Link;
use crate::lock_error::LockError;
use crate::pool::{ServerOptions, pool};

/// How long a lease is valid after it was renewed last.
const VALID: Duration = Duration::from_secs(10);
/// Between two renewals.
const RENEWAL: Duration = Duration::from_secs(3);
/// Between two looks at a lease whose holder has ended.
const LOOK: Duration = Duration::from_millis(250);

/// How long after its end a lease is removed that was not taken since. Until then its holder may come back, as a laptop that
/// slept does, and continue.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);
/// Between two removals of such leases.
const REMOVAL: Duration = Duration::from_secs(60 * 60);

/// What the keeper is asked to do.
#[derive(Debug)]
pub(super) enum Command {
    /// Take a lease, and answer with its token.
    Take { session: SessionId, reply: oneshot::Sender<Result<i64, LockError>> },
    /// Give a lease back, and answer when that is done.
    GiveBack { session: SessionId, token: i64, reply: GivenBack },
}

/// Who waits until a lease is given back.
#[derive(Debug)]
pub(super) enum GivenBack {
    /// A task.
    Async(oneshot::Sender<()>),
    /// A thread.
    Blocking(mpsc::Sender<()>),
}

impl GivenBack {
    /// Answers. A task or thread that has stopped waiting needs no answer.
    fn send(self) {
        match self {
            Self::Async(reply) => drop(reply.send(())),
            Self::Blocking(reply) => drop(reply.send(())),
        }
    }
}

/// Runs until all senders of commands are dropped.
pub(super) fn keep(options: ServerOptions, address: &str, commands: commands::UnboundedReceiver<Command>) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    runtime.block_on(async {
        // Only a runtime can make a pool.
        let link = Link::new(pool(options.named("throughline lease"), 1));
        Keeper {
            link,
            address: Path::new(address),
            held: BTreeMap::new(),
            waiting: Vec::new(),
            removed: None,
        }
        .run(commands)
        .await;
    });
}

/// A process that waits for the lease of one that has ended.
struct Waiting {
    session: SessionId,
    until: Instant,
    reply: oneshot::Sender<Result<i64, LockError>>,
}

struct Keeper<'a> {
    link: Link,
    address: &'a Path,
    /// The tokens that are renewed.
    held: BTreeMap<SessionId, i64>,
    waiting: Vec<Waiting>,
    /// When leases that expired long ago were removed last.
    removed: Option<Instant>,
}

impl Keeper<'_> {
    async fn run(mut self, mut commands: commands::UnboundedReceiver<Command>) {
        let mut renewal = tokio::time::Instant::now() + RENEWAL;
        loop {
            let look = if self.waiting.is_empty() {
                renewal
            } else {
                renewal.min(tokio::time::Instant::now() + LOOK)
            };
            tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => self.carry_out(command).await,
                    None => return,
                },
                () = tokio::time::sleep_until(look) => {}
            }
            if tokio::time::Instant::now() >= renewal {
                self.renew().await;
                renewal = tokio::time::Instant::now() + RENEWAL;
            }
            self.look().await;
            if self.removed.is_none_or(|at| at.elapsed() >= REMOVAL) {
                self.forget().await;
                self.removed = Some(Instant::now());
            }
        }
    }

    async fn carry_out(&mut self, command: Command) {
        match command {
            Command::Take { session, reply } => {
                let until = Instant::now() + VALID * 2;
                self.waiting.push(Waiting { session, until, reply });
            }
            Command::GiveBack { session, token, reply } => {
                self.held.remove(&session);
                self.give_back(&session, token).await;
                reply.send();
            }
        }
    }

    async fn give_back(&self, session: &SessionId, token: i64) {
        let values: [Value; 2] = [session.as_str().into(), token.into()];
        if let Err(error) = self.link.execute_raw(statement(&self.link, GIVE_BACK, values)).await {
            tracing::warn!(%session, %error, "a lease could not be given back; it expires");
        }
    }

    /// Removes the leases of processes that have crashed and whose sessions were not opened since.
    async fn forget(&self) {
        let age: [Value; 1] = [FORGOTTEN.as_secs_f64().into()];
        if let Err(error) = self.link.execute_raw(statement(&self.link, FORGET, age)).await {
            tracing::warn!(%error, "old leases could not be removed");
        }
    }

    async fn renew(&mut self) {
        let mut replaced = Vec::new();
        for (session, token) in &self.held {
            let values: [Value; 3] = [session.as_str().into(), (*token).into(), seconds().into()];
            match self.link.execute_raw(statement(&self.link, RENEW, values)).await {
                Ok(renewed) if renewed.rows_affected() == 0 => replaced.push(session.clone()),
                Ok(_) => {}
                Err(error) => tracing::warn!(%session, %error, "a lease could not be renewed"),
            }
        }
        for session in replaced {
            tracing::warn!(%session, "another process has taken the session over");
            self.held.remove(&session);
        }
    }

    /// Tries every lease that is waited for.
    async fn look(&mut self) {
        for waiting in std::mem::take(&mut self.waiting) {
            if waiting.reply.is_closed() {
                continue;
            }
            match self.take(&waiting).await {
                Ok(Some(token)) => {
                    self.held.insert(waiting.session.clone(), token);
                    if waiting.reply.send(Ok(token)).is_err() {
                        // The caller has stopped waiting.
                        self.held.remove(&waiting.session);
                        self.give_back(&waiting.session, token).await;
                    }
                }
                Ok(None) => self.waiting.push(waiting),
                Err(error) => drop(waiting.reply.send(Err(error))),
            }
        }
    }

    /// `None`: its holder has ended, and it has not expired yet.
    async fn take(&self, waiting: &Waiting) -> Result<Option<i64>, LockError> {
        let failed = |error: DbErr| LockError::Server(DatabaseError::of_server(error, self.address).into());
        let own = Holder::this_process();
        let values: [Value; 5] = [
            waiting.session.as_str().into(),
            own.program.into(),
            i64::from(own.pid).into(),
            own.host.unwrap_or_default().into(),
            seconds().into(),
        ];
        if let Some(row) =
            self.link.query_one_raw(statement(&self.link, TAKE, values)).await.map_err(failed)?
        {
            return row.try_get_by_index(0).map(Some).map_err(failed);
        }
        match find(&self.link, &waiting.session).await.map_err(failed)? {
            Some(found) if found.is_alive || Instant::now() >= waiting.until => {
                let (session, path) = (waiting.session.clone(), self.address.to_owned());
                Err(LockError::Held { session, holder: Some(Box::new(found.holder)), path })
            }
            _ => Ok(None),
        }
    }
}

fn seconds() -> f64 {
    VALID.as_secs_f64()
}
