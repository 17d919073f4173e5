//! The thread that takes, renews and gives back leases.
//!
//! It has a runtime and a connection of its own, so a program that is busy renews in time, and a pool that is full delays
//! nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait as _, DbErr, Value};
use serde_json::json;
use throughline_conversation::SessionId;
use tokio::sync::{mpsc as commands, oneshot};

use super::found::{FoundLease, as_json, find_all, session_of};
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
/// Between two looks at a lease whose holder has ended, or whose row was locked.
const LOOK: Duration = Duration::from_millis(250);
/// Maximum number of commands that are carried out together.
const COMMANDS: usize = 256;

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
    GiveBack { session: SessionId, token: i64, reply: Option<oneshot::Sender<()>> },
    /// Answer when all that was given back before is.
    Finish { reply: mpsc::Sender<()> },
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
        let mut received_commands = Vec::new();
        loop {
            let look = if self.waiting.is_empty() {
                renewal
            } else {
                renewal.min(tokio::time::Instant::now() + LOOK)
            };
            tokio::select! {
                received = commands.recv_many(&mut received_commands, COMMANDS) => {
                    if received == 0 {
                        return;
                    }
                    for command in received_commands.drain(..) {
                        self.carry_out(command).await;
                    }
                },
                () = tokio::time::sleep_until(look) => {}
            }
            if tokio::time::Instant::now() >= renewal {
                let next = if self.renew().await { RENEWAL } else { LOOK };
                renewal = tokio::time::Instant::now() + next;
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
                if let Some(reply) = reply {
                    // A task that has stopped waiting needs no answer.
                    let _ = reply.send(());
                }
            }
            Command::Finish { reply } => {
                // The same.
                let _ = reply.send(());
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

    /// Renews all leases, in one statement. `false`: some are left for later.
    async fn renew(&mut self) -> bool {
        if self.held.is_empty() {
            return true;
        }
        let held: Vec<_> = self
            .held
            .iter()
            .map(|(session, token)| json!({ "session_id": session.as_str(), "token": token }))
            .collect();
        let values: [Value; 2] = [json!(held).to_string().into(), seconds().into()];
        let rows = self.link.query_all_raw(statement(&self.link, RENEW, values)).await;
        let renewed = rows.and_then(|rows| {
            rows.iter().map(|row| Ok((session_of(row)?, row.try_get_by_index(1)?))).collect()
        });
        let renewed: BTreeMap<SessionId, bool> = match renewed {
            Ok(renewed) => renewed,
            Err(error) => {
                tracing::warn!(%error, "the leases could not be renewed");
                return true;
            }
        };
        self.held.retain(|session, _| {
            let is_own = renewed.contains_key(session);
            if !is_own {
                tracing::warn!(%session, "another process has taken the session over");
            }
            is_own
        });
        renewed.values().all(|is_renewed| *is_renewed)
    }

    /// Tries every lease that is waited for.
    async fn look(&mut self) {
        self.waiting.retain(|waiting| !waiting.reply.is_closed());
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return;
        }
        let mut taken = match self.take(&waiting).await {
            Ok(taken) => taken,
            Err(error) => return self.refuse(waiting, &error),
        };
        let mut others = Vec::new();
        for waiting in waiting {
            let Some(token) = taken.remove(&waiting.session) else {
                others.push(waiting);
                continue;
            };
            self.held.insert(waiting.session.clone(), token);
            if waiting.reply.send(Ok(token)).is_err() {
                // The caller has stopped waiting.
                self.held.remove(&waiting.session);
                self.give_back(&waiting.session, token).await;
            }
        }
        if others.is_empty() {
            return;
        }
        match find_all(&self.link, others.iter().map(|waiting| &waiting.session)).await {
            Ok(found) => self.refuse_held(others, found),
            Err(error) => self.refuse(others, &error),
        }
    }

    /// Takes the leases that are waited for, of those that are free. Returns their tokens.
    async fn take(&self, waiting: &[Waiting]) -> Result<BTreeMap<SessionId, i64>, DbErr> {
        let sessions: BTreeSet<&SessionId> = waiting.iter().map(|waiting| &waiting.session).collect();
        let own = Holder::this_process();
        let values: [Value; 5] = [
            as_json(sessions),
            own.program.into(),
            i64::from(own.pid).into(),
            own.host.unwrap_or_default().into(),
            seconds().into(),
        ];
        let rows = self.link.query_all_raw(statement(&self.link, TAKE, values)).await?;
        rows.iter().map(|row| Ok((session_of(row)?, row.try_get_by_index(1)?))).collect()
    }

    /// Refuses the leases that another process has. One whose holder has ended is waited for until it expires.
    fn refuse_held(&mut self, waiting: Vec<Waiting>, mut found: BTreeMap<SessionId, FoundLease>) {
        for waiting in waiting {
            let is_late = Instant::now() >= waiting.until;
            match found.remove(&waiting.session) {
                Some(found) if found.is_alive || is_late => {
                    let (session, path) = (waiting.session, self.address.to_owned());
                    let holder = Some(Box::new(found.holder));
                    drop(waiting.reply.send(Err(LockError::Held { session, holder, path })));
                }
                _ => self.waiting.push(waiting),
            }
        }
    }

    /// Refuses all of these, because the server failed.
    fn refuse(&self, waiting: Vec<Waiting>, error: &DbErr) {
        for Waiting { reply, .. } in waiting {
            let error = DatabaseError::of_server(error.clone(), self.address);
            drop(reply.send(Err(LockError::Server(error.into()))));
        }
    }
}

fn seconds() -> f64 {
    VALID.as_secs_f64()
}
