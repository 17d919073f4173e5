//! An MCP server that wants a login, and the authorization server that gives one, on one port.

mod grants;
mod mcp;
mod protocol;

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::http::{self, Incoming, Request, phrase};
use crate::reply::Reply;
use grants::Grants;

/// A running server. Its MCP side is at [`OAuthServer::url`]; it shuts down when it is dropped.
pub struct OAuthServer {
    address: SocketAddr,
    state: Arc<Mutex<Grants>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A request that it got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthRequest {
    /// The method and the path.
    pub line: String,
    /// The `Authorization` header.
    pub authorization: Option<String>,
}

impl OAuthServer {
    /// Starts it on a free port, with access tokens that live an hour.
    ///
    /// # Errors
    /// When the system gives no port or no thread.
    pub fn start() -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let state = Arc::new(Mutex::new(Grants::new(format!("http://{address}"))));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let (stop, stopped) = oneshot::channel();
        let shared = Arc::clone(&state);
        let thread = std::thread::Builder::new()
            .name("oauth".to_owned())
            .spawn(move || runtime.block_on(run(listener, shared, stopped)))?;
        Ok(Self { address, state, stop: Some(stop), thread: Some(thread) })
    }

    /// The address of the MCP server.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Every request so far, in order.
    #[must_use]
    pub fn received(&self) -> Vec<OAuthRequest> {
        self.state().received.clone()
    }

    /// Every code, verifier and token so far: what no log may show.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        self.state().secrets.clone()
    }

    /// Seconds that tokens live from now on.
    pub fn set_life(&self, seconds: u64) {
        self.state().life = seconds;
    }

    /// Takes no access token that was given so far.
    pub fn revoke_access(&self) {
        self.state().access.clear();
    }

    /// Takes no refresh token that was given so far.
    pub fn revoke_refresh(&self) {
        self.state().refresh.clear();
    }

    /// Registers no clients by itself, and has one of this id for this redirect.
    pub fn register_by_hand(&self, id: &str, redirect: &str) {
        let mut state = self.state();
        state.registers = false;
        state.clients.insert(id.to_owned(), redirect.to_owned());
    }

    /// Sends requests for the MCP server elsewhere.
    pub fn redirect_to(&self, url: &str) {
        self.state().elsewhere = Some(url.to_owned());
    }

    fn state(&self) -> MutexGuard<'_, Grants> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for OAuthServer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("OAuthServer").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for OAuthServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It ends at its next await; a panic there was printed already.
            let _ = thread.join();
        }
    }
}

async fn run(listener: std::net::TcpListener, state: Arc<Mutex<Grants>>, mut stopped: oneshot::Receiver<()>) {
    let listener = match TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "the listener cannot be used"),
    };
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = &mut stopped => return,
            Some(_) = connections.join_next() => {}
            Ok((stream, _)) = listener.accept() => {
                connections.spawn(serve(stream, Arc::clone(&state)));
            }
        }
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<Grants>>) {
    let mut buffer = Vec::new();
    while let Incoming::Request(request) = http::read(&mut stream, &mut buffer).await {
        let reply = answer(&mut state.lock().unwrap_or_else(PoisonError::into_inner), &request);
        if stream.write_all(&bytes(&reply)).await.is_err() || request.head.closes() {
            return;
        }
    }
}

fn answer(state: &mut Grants, request: &Request) -> Reply {
    let head = &request.head;
    let authorization = head.header("authorization").map(str::to_owned);
    state.received.push(OAuthRequest { line: format!("{} {}", head.method, head.path), authorization });
    match head.path.as_str() {
        "/mcp" => mcp::answer(state, request),
        _ => protocol::answer(state, request),
    }
}

fn bytes(reply: &Reply) -> Vec<u8> {
    let body: Vec<u8> = reply.frames.iter().flat_map(|frame| frame.bytes.clone()).collect();
    let headers = reply.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
    let head = format!(
        "HTTP/1.1 {} {}\r\ncontent-type: {}\r\ncontent-length: {}\r\n{}\r\n",
        reply.status,
        phrase(reply.status),
        reply.content_type,
        body.len(),
        headers.collect::<String>()
    );
    [head.into_bytes(), body].concat()
}
