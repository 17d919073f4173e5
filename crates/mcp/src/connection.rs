//! A connection to a server: made, used and ended, always in bounded time.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientRequest, ErrorCode, ErrorData, PaginatedRequestParams, ProtocolVersion,
    Request, RequestOptionalParam, ServerResult,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, Peer, PeerRequestOptions, RequestHandle, RoleClient,
    RunningService, ServiceError, serve_client_with_lifecycle,
};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use serde_json::{Map, Value};
use throughline_text::error_chain;
use tokio::time::timeout;

use crate::handler::{Handler, is_answer};
use crate::list::{Listed, Listing};
use crate::process::{Program, folder};
use crate::stderr::Stderr;
use crate::{ServerConfig, Transport, bounds, http};

/// A connection on which the handshake is done.
#[derive(Debug)]
pub(crate) struct Connection {
    running: Mutex<Option<RunningService<RoleClient, Handler>>>,
    peer: Peer<RoleClient>,
    /// Raised when the other side says nothing more.
    ended: Arc<AtomicBool>,
}

/// Why a request has no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RequestError {
    /// The server says so. The connection goes on.
    Refused(String),
    /// It took too long, and the server was told that nobody waits any more.
    TimedOut,
    /// The connection is gone. The request may or may not have been read.
    Broken(String),
}

/// A future of the SDK that owns what it works with: only so does the compiler see that it may change its thread.
type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

type Made = (RunningService<RoleClient, Handler>, Arc<AtomicBool>);

impl Connection {
    /// Starts the server, or calls it, and does the handshake. The time is the caller's to bound; dropping the future
    /// ends what was started.
    ///
    /// # Errors
    /// Why there is no connection. Not yet fit to be shown: it may hold secrets.
    pub(crate) async fn open(config: &ServerConfig, handler: &Handler) -> Result<Self, String> {
        let made = match make(config, handler, ClientLifecycleMode::Initialize).await {
            // Servers of the newest protocol alone have no handshake any more.
            Err(Failure::NoHandshake) => {
                let preferred_versions = vec![ProtocolVersion::LATEST];
                make(config, handler, ClientLifecycleMode::Discover { preferred_versions }).await
            }
            other => other,
        };
        let (running, ended) = made.map_err(Failure::told)?;
        let peer = running.peer().clone();
        Ok(Self { running: Mutex::new(Some(running)), peer, ended })
    }

    /// Whether it can be used. A connection that broke just now may still seem alive.
    pub(crate) fn is_alive(&self) -> bool {
        !self.ended.load(Ordering::SeqCst) && !self.peer.is_transport_closed()
    }

    /// All tools.
    ///
    /// # Errors
    /// [`RequestError`] when a page has none.
    pub(crate) async fn list(&self, config: &ServerConfig) -> Result<Listed, RequestError> {
        let mut listing = Listing::new(config);
        let mut cursor = None;
        loop {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let request = ClientRequest::ListToolsRequest(RequestOptionalParam::with_param(params));
            let page = match self.request(request, config.start_timeout).await {
                // A server may well have no tools at all, and not know the question.
                Err(RequestError::Refused(_)) if !self.has_tools() => Value::Null,
                other => other?,
            };
            cursor = listing.take(&page);
            if cursor.is_none() {
                return Ok(listing.finish());
            }
        }
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// [`RequestError`] when there is no result.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        limit: Duration,
    ) -> Result<Value, RequestError> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.request(ClientRequest::CallToolRequest(Request::new(params)), limit).await
    }

    /// Ends it, and waits until a program has ended.
    pub(crate) async fn close(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(running) = running {
            let _ = timeout(bounds::END * 6, running.cancel()).await;
        }
    }

    fn has_tools(&self) -> bool {
        self.peer.peer_info().is_none_or(|info| info.capabilities.tools.is_some())
    }

    async fn request(&self, request: ClientRequest, limit: Duration) -> Result<Value, RequestError> {
        let peer = self.peer.clone();
        let asked: Boxed<Result<ServerResult, ServiceError>> = Box::pin(async move {
            let handle = peer.send_request_with_option(request, PeerRequestOptions::no_options()).await?;
            Waiting(Some(handle)).response().await
        });
        let result = match timeout(limit, asked).await {
            Err(_) => return Err(RequestError::TimedOut),
            Ok(Ok(result)) => result,
            Ok(Err(error)) if is_answer(&error) => return Err(RequestError::Refused(said(&error))),
            Ok(Err(error)) => return Err(RequestError::Broken(said(&error))),
        };
        match result {
            ServerResult::InputRequiredResult(_) => Err(RequestError::Refused(
                "the server asks for input from a person or a model, which it cannot get here".to_owned(),
            )),
            ServerResult::CreateTaskResult(_) => Err(RequestError::Refused(
                "the server answers with a task to be asked about later, which is not done here".to_owned(),
            )),
            result => serde_json::to_value(result).map_err(|error| RequestError::Refused(error.to_string())),
        }
    }
}

/// A request that waits for its response. Dropped before that, it tells the server that nobody waits.
struct Waiting(Option<RequestHandle<RoleClient>>);

impl Waiting {
    async fn response(mut self) -> Result<ServerResult, ServiceError> {
        let Some(handle) = &mut self.0 else { return Err(ServiceError::TransportClosed) };
        let response = (&mut handle.rx).await;
        self.0 = None;
        response.unwrap_or(Err(ServiceError::TransportClosed))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let (Some(handle), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            let reason = Some("the call was stopped".to_owned());
            // It fails when the connection is gone, and then there is nobody to tell.
            runtime.spawn(async move { drop(timeout(bounds::END, handle.cancel(reason)).await) });
        }
    }
}

/// Why no connection came about.
enum Failure {
    /// The server does not know the handshake.
    NoHandshake,
    /// Anything else.
    Other(String),
}

impl Failure {
    fn told(self) -> String {
        match self {
            Self::NoHandshake => "it does not know the handshake of the protocol".to_owned(),
            Self::Other(why) => why,
        }
    }
}

async fn make(config: &ServerConfig, handler: &Handler, mode: ClientLifecycleMode) -> Result<Made, Failure> {
    let handler = handler.clone();
    match &config.transport {
        Transport::Stdio { command, args, env, cwd } => {
            let folder = folder(&handler.workspace, cwd.as_deref());
            start(&Program { command, args, env, folder }, handler, mode).await
        }
        Transport::Http { url, headers } => {
            let transport = http::transport(url, headers).map_err(Failure::Other)?;
            let running = shake_hands(handler, transport, mode).await.map_err(failure)?;
            Ok((running, Arc::default()))
        }
        Transport::Local(server) => {
            let pipe = server.connect();
            let transport =
                AsyncRwTransport::new_client(pipe.output, pipe.input).with_max_line_length(bounds::MESSAGE);
            let running = shake_hands(handler, transport, mode).await.map_err(failure)?;
            Ok((running, Arc::default()))
        }
    }
}

async fn start(program: &Program<'_>, handler: Handler, mode: ClientLifecycleMode) -> Result<Made, Failure> {
    let (transport, errors) = program.spawn().map_err(|error| {
        Failure::Other(format!(
            "cannot start `{}` in {}: {error}; check that the program is installed and the folder exists",
            program.command,
            program.folder.display()
        ))
    })?;
    let stderr = Stderr::follow(errors, handler.server.clone(), handler.redactor.clone());
    let ended = transport.ended();
    match shake_hands(handler, transport, mode).await {
        Ok(running) => Ok((running, ended)),
        Err(error) => Err(match (failure(error), stderr.last_words().await) {
            (Failure::Other(why), Some(words)) => Failure::Other(format!("{why}; it wrote: {words}")),
            (other, _) => other,
        }),
    }
}

fn shake_hands<T>(
    handler: Handler,
    transport: T,
    mode: ClientLifecycleMode,
) -> Boxed<Result<RunningService<RoleClient, Handler>, ClientInitializeError>>
where
    T: rmcp::transport::Transport<RoleClient> + 'static,
{
    Box::pin(serve_client_with_lifecycle(handler, transport, mode))
}

fn failure(error: ClientInitializeError) -> Failure {
    match error {
        ClientInitializeError::JsonRpcError(ErrorData { code, .. })
            if code == ErrorCode::METHOD_NOT_FOUND || code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION =>
        {
            Failure::NoHandshake
        }
        ClientInitializeError::ConnectionClosed(_) => {
            Failure::Other("it ended before the handshake of the protocol".to_owned())
        }
        ClientInitializeError::TransportError { error, .. } => Failure::Other(broken(&error)),
        // The others can hold the whole message that came.
        ClientInitializeError::ExpectedInitResponse(_) | ClientInitializeError::ExpectedInitResult(_) => {
            Failure::Other("it answers the handshake with something else".to_owned())
        }
        other => Failure::Other(error_chain(&other)),
    }
}

/// Why a message could not be sent. The SDK's own texts leave out what the network said.
fn broken(error: &DynamicTransportError) -> String {
    match error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(StreamableHttpError::Client(error)) => http::told(error),
        Some(StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_)) => {
            "it wants a key, or another one; give it in `headers`, for example as `Authorization`".to_owned()
        }
        _ => error_chain(error.error.as_ref()),
    }
}

fn said(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => error.message.to_string(),
        ServiceError::TransportSend(error) => broken(error),
        ServiceError::TransportClosed => "the connection was closed".to_owned(),
        ServiceError::UnexpectedResponse => "it answered with something else".to_owned(),
        other => error_chain(other),
    }
}
