//! Listens and serves until the caller stops it.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use throughline_config::{AccessToken, Retention};
use throughline_contexts::Contexts;
use throughline_stored::Storage;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::access::Access;
use crate::app::App;
use crate::connections;
use crate::guard::Guard;
use crate::limits::{Limits, UserLimits};
use crate::reach::{PublicUrl, ServerReach};
use crate::retention::prune_daily;
use crate::router::router;
use crate::tls::ServerTls;
use crate::transcripts::{TranscriptPlace, Transcripts};
use crate::turns::{TurnOptions, Turns};

/// How long requests that are being answered may take after the stop.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// How long turns may take to end: a command of the model has to be ended and recorded.
const LAST_TURNS: Duration = Duration::from_secs(20);

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    public: Option<PublicUrl>,
    token: AccessToken,
    idle: Option<Duration>,
    limits: UserLimits,
    retention: Option<Retention>,
    tls: Option<ServerTls>,
    transcripts: Vec<TranscriptPlace>,
}

/// Why the server could not begin.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port cannot be used.
    #[error("cannot listen on port {port} of {bind}; name another one, or 0 for any that is free")]
    Port {
        /// The address of the interface.
        bind: IpAddr,
        /// The port.
        port: u16,
        /// Why not.
        source: io::Error,
    },
    /// Other machines would reach the server by an address that it does not know.
    #[error(
        "{bind} opens the server to other machines: name the address that they use, for example --public-url \
         https://agents.example.com"
    )]
    NoPublicUrl {
        /// The address of the interface.
        bind: IpAddr,
    },
}

impl Server {
    /// Listens where `reach` says.
    ///
    /// # Errors
    /// [`ServerError::Port`]: the port cannot be used. [`ServerError::NoPublicUrl`]: the interface is not the loopback one, and there
    /// is no public address.
    pub async fn listen(reach: ServerReach, token: AccessToken) -> Result<Self, ServerError> {
        let ServerReach { bind, port, public } = reach;
        if !bind.is_loopback() && public.is_none() {
            return Err(ServerError::NoPublicUrl { bind });
        }
        let cannot = |source| ServerError::Port { bind, port, source };
        let listener = TcpListener::bind((bind, port)).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let limits = UserLimits::default();
        let (idle, retention, tls) = (None, None, None);
        Ok(Self { listener, address, public, token, idle, limits, retention, tls, transcripts: Vec::new() })
    }

    /// Limits what each user may ask.
    #[must_use]
    pub fn limit_users(self, limits: UserLimits) -> Self {
        Self { limits, ..self }
    }

    /// Deletes sessions and entries of the audit log that are older, at the start and once a day.
    #[must_use]
    pub fn delete_older(self, retention: Retention) -> Self {
        Self { retention: Some(retention), ..self }
    }

    /// Shows the transcripts of other agents that lie in these places. They are read, and never stored or changed.
    #[must_use]
    pub fn show_transcripts(self, transcripts: Vec<TranscriptPlace>) -> Self {
        Self { transcripts, ..self }
    }

    /// Speaks TLS.
    #[must_use]
    pub fn encrypt(self, tls: ServerTls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// Closes contexts that no request has used for this long, at the latest after twice as long. The next request opens them again.
    #[must_use]
    pub fn close_idle_contexts(self, after: Duration) -> Self {
        Self { idle: Some(after), ..self }
    }

    /// The addresses of the inspector, with the token: they are for the user alone. That of this machine is first, if the
    /// interface has one.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        let (ip, port) = (self.address.ip(), self.address.port());
        let local = if ip.is_unspecified() { IpAddr::V4(Ipv4Addr::LOCALHOST) } else { ip };
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let own = local.is_loopback().then(|| format!("{scheme}://{}", SocketAddr::new(local, port)));
        let all = own.into_iter().chain(self.public.as_ref().map(ToString::to_string));
        all.map(|place| format!("{place}/?token={}", self.token.reveal())).collect()
    }

    /// Serves a storage, and contexts on it, until `stop` is done. Turns that run then are cancelled and recorded; until they have
    /// ended, the server answers what changes nothing. Requests that are being answered have five seconds. The contexts are closed.
    pub async fn run(
        self,
        storage: Storage,
        contexts: Contexts,
        turns: TurnOptions,
        stop: impl Future<Output = ()> + Send + 'static,
    ) {
        let (stopping, mut stopped) = watch::channel(false);
        let turns = Turns::new(turns);
        let transcripts = Transcripts::new(self.transcripts.clone());
        let app = App::new(storage, transcripts, turns.clone(), contexts.clone(), stopped.clone());
        let stopping_turns = turns.clone();
        // While turns end, a load balancer learns from `/readyz` that this node takes no new work.
        let end = async move {
            stop.await;
            stopping_turns.stop();
            let _ = stopping.send(true);
            stopping_turns.ended(LAST_TURNS).await;
        };
        let closing =
            self.idle.map(|after| tokio::spawn(close_idle(contexts.clone(), after, stopped.clone())));
        let pruning = tokio::spawn(prune_daily(app.clone(), self.retention, stopped.clone()));
        let reloading = self.tls.clone().map(|tls| tokio::spawn(tls.reload_hourly()));
        let access = Access::new(self.token, app.storage.store.user_tokens());
        let limits = Limits::new(self.limits);
        let guard = Guard::new(self.address, self.public, self.tls.is_some(), access, limits);
        let serving = connections::serve(self.listener, self.tls, router(app, guard), end);
        let late = async {
            // An error means that the server has ended by itself.
            if stopped.wait_for(|stopped| *stopped).await.is_err() {
                std::future::pending::<()>().await;
            }
            tokio::join!(tokio::time::sleep(LAST_ANSWERS), turns.ended(LAST_TURNS));
        };
        tokio::select! {
            () = serving => {}
            () = late => {}
        }
        if !turns.ended(Duration::ZERO).await {
            tracing::warn!("a turn did not end in time; what it had done so far is in its log");
        }
        if let Some(closing) = closing {
            // An error means that it has panicked, which was reported.
            drop(closing.await);
        }
        // A session is deleted whole, or is deleted again by the next prune.
        pruning.abort();
        reloading.iter().for_each(JoinHandle::abort);
        for unsaved in contexts.close_all().await {
            tracing::error!(error = %unsaved, "a context is not stored whole");
        }
    }
}

async fn close_idle(contexts: Contexts, after: Duration, mut stopped: watch::Receiver<bool>) {
    while tokio::time::timeout(after, stopped.changed()).await.is_err() {
        contexts.close_idle().await;
    }
}
