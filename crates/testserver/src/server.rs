//! The server and its thread.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::state::State;
use crate::{Answer, Received, Script, connection};

/// A running server on 127.0.0.1. It shuts down when it is dropped, with all its connections.
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts it on a free port.
    ///
    /// # Errors
    /// When the system gives no port or no thread.
    #[expect(clippy::unused_async, reason = "callers await it, so that a start may wait one day")]
    pub async fn start(script: Script) -> io::Result<Self> {
        Self::start_at(script, 0)
    }

    /// Starts it on this port; 0 is a free one. It accepts connections when this returns.
    ///
    /// # Errors
    /// When the port is taken, or the system gives no port or no thread.
    pub fn start_at(script: Script, port: u16) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let state = Arc::new(State::new(script));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let (stop, stopped) = oneshot::channel();
        let shared = Arc::clone(&state);
        let thread = std::thread::Builder::new().name("testserver".to_owned()).spawn(move || {
            runtime.block_on(run(listener, shared, stopped));
        })?;
        Ok(Self { address, state, stop: Some(stop), thread: Some(thread) })
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in order.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.state.received()
    }

    /// The requests with a body, in their order: a model was asked for something. Lists and descriptions of models have none.
    #[must_use]
    pub fn prompted(&self) -> Vec<Received> {
        self.received().into_iter().filter(|one| !one.body.is_null()).collect()
    }

    /// Lets time pass for the prompt cache, and for nothing else.
    pub fn advance(&self, time: Duration) {
        self.state.advance(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    }

    /// One more answer at the end of the script.
    pub fn push(&self, answer: Answer) {
        self.state.push(answer);
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Server").field("url", &self.url()).finish_non_exhaustive()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It ends at its next await; a panic there was printed already.
            let _ = thread.join();
        }
    }
}

/// Accepts until it is stopped. Returning drops the connections.
async fn run(listener: std::net::TcpListener, state: Arc<State>, mut stopped: oneshot::Receiver<()>) {
    let listener = match TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "the listener cannot be used"),
    };
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = &mut stopped => return,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection::serve(stream, Arc::clone(&state)));
                }
                Err(error) => {
                    // Too many open files, for example: connections that end make room.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            },
        }
    }
}
