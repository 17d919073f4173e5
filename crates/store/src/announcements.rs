//! Hearing from a server which sessions have new records.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sea_orm::sqlx::Error;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::sync::broadcast::{self, Sender};

/// The channel that a trigger of the table `log` notifies, with the id of the session.
const CHANNEL: &str = "throughline_log";
/// Sessions that a slow listener may be behind.
const BEHIND: usize = 256;
/// Between two tries to connect.
const PAUSE: Duration = Duration::from_secs(2);

/// One connection that listens, for all that wait in this process. It is made when the first of them comes.
#[derive(Debug)]
pub(crate) struct Announcements {
    options: Mutex<Option<ListenerOptions>>,
    sender: Sender<String>,
}

/// How to connect, until that is done. `Debug` shows nothing: there is a password in it.
struct ListenerOptions(PgConnectOptions);

impl std::fmt::Debug for ListenerOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
    }
}

impl Announcements {
    pub(crate) fn new(options: PgConnectOptions) -> Self {
        Self { options: Mutex::new(Some(ListenerOptions(options))), sender: broadcast::channel(BEHIND).0 }
    }

    /// The sessions that get new records from now on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<String> {
        let receiver = self.sender.subscribe();
        let options = self.options.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(ListenerOptions(options)) = options {
            tokio::spawn(hear(options.application_name("throughline listener"), self.sender.downgrade()));
        }
        receiver
    }
}

/// Passes on what the server announces, until the database is closed.
async fn hear(options: PgConnectOptions, sender: broadcast::WeakSender<String>) {
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
    loop {
        let listening = async {
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.listen(CHANNEL).await?;
            loop {
                let Some(sender) = sender.upgrade() else { return Ok(()) };
                // A send fails when no task waits.
                let heard = tokio::time::timeout(PAUSE, listener.try_recv()).await;
                match heard {
                    Ok(Ok(Some(notification))) => drop(sender.send(notification.payload().to_owned())),
                    Ok(Ok(None)) => drop(sender.send(String::new())),
                    Ok(Err(error)) => return Err(error),
                    Err(_) => {}
                }
            }
        };
        let ended: Result<(), Error> = listening.await;
        match ended {
            Ok(()) => return,
            Err(error) => tracing::warn!(%error, "new records are not announced; trying again"),
        }
        tokio::time::sleep(PAUSE).await;
        if sender.upgrade().is_none() {
            return;
        }
    }
}
