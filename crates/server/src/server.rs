//! Listens on the loopback interface and serves until the caller stops it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use throughline_config::AccessToken;
use throughline_contexts::Contexts;
use throughline_stored::Storage;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::app::App;
use crate::connections;
use crate::guard::Guard;
use crate::inspector::LogCache;
use crate::router::router;
use crate::turns::{TurnOptions, Turns};

/// How long requests that are being answered may take after the stop.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// How long turns may take to end after that: a command of the model has to be ended and recorded.
const LAST_TURNS: Duration = Duration::from_secs(20);

/// A server that listens on the loopback interface.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: AccessToken,
}

/// Why the server could not begin.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port cannot be used.
    #[error(
        "cannot listen on port {port} of the loopback interface; name another one, or 0 for any that is free"
    )]
    Port {
        /// The port.
        port: u16,
        /// Why not.
        source: io::Error,
    },
}

impl Server {
    /// Listens on a port; 0: any that is free.
    ///
    /// # Errors
    /// [`ServerError::Port`]: the port cannot be used.
    pub async fn listen(port: u16, token: AccessToken) -> Result<Self, ServerError> {
        let cannot = |source| ServerError::Port { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok(Self { listener, address, token })
    }

    /// The address of the inspector, with the token: it is for the user alone.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.reveal())
    }

    /// Serves a storage, and contexts on it, until `stop` is done. Turns that run then are cancelled and recorded; requests that are
    /// being answered have five seconds. The contexts are closed.
    pub async fn run(
        self,
        storage: Storage,
        contexts: Contexts,
        turns: TurnOptions,
        stop: impl Future<Output = ()> + Send + 'static,
    ) {
        let (stopping, mut stopped) = watch::channel(false);
        let turns = Turns::new(turns);
        let app = App {
            storage,
            logs: LogCache::default(),
            turns: turns.clone(),
            contexts: contexts.clone(),
            stopping: stopped.clone(),
        };
        let stopping_turns = turns.clone();
        let stop = async move {
            stop.await;
            stopping_turns.stop();
            let _ = stopping.send(true);
        };
        let router = router(app, Guard::new(self.address.port(), self.token));
        let serving = connections::serve(self.listener, router, stop);
        let late = async {
            // An error means that the server has ended by itself.
            if stopped.wait_for(|stopped| *stopped).await.is_err() {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(LAST_ANSWERS).await;
        };
        tokio::select! {
            () = serving => {}
            () = late => {}
        }
        turns.stop();
        turns.ended(LAST_TURNS).await;
        contexts.close_all().await;
    }
}
