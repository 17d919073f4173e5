//! How a server is started or reached, up to the end of the handshake.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rmcp::model::{ErrorCode, ErrorData, InitializeResult, ProtocolVersion};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RoleClient, RunningService, serve_client_with_lifecycle,
};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use serde::Deserialize as _;
use throughline_text::error_chain;

use crate::checked_lines::CheckedTransport;
use crate::config::{ServerConfig, Transport};
use crate::fault::status_text;
use crate::handler::Handler;
use crate::process::{Program, folder};
use crate::refused::needs_key;
use crate::stderr::Stderr;
use crate::{http, http_transport};

/// What helps where a server has the old HTTP transport, `sse`.
pub(crate) const ASK_FOR_STREAMABLE: &str =
    "the old HTTP transport, `sse`, is not supported: ask for the server's streamable HTTP address";

/// A future of the SDK that owns its data, so that the compiler can prove it `Send`.
pub(crate) type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A running connection, and the flag that its output has ended.
pub(crate) type Opened = (RunningService<RoleClient, Handler>, Arc<AtomicBool>);

/// Reason why there is no connection.
enum ConnectError {
    /// The server does not support the handshake.
    NoHandshake,
    /// The connection ended before it.
    Closed,
    /// Any other reason.
    Other(String),
}

impl ConnectError {
    fn into_text(self) -> String {
        match self {
            Self::NoHandshake => "it does not support the MCP handshake".to_owned(),
            Self::Closed => "it closed the connection before the MCP handshake".to_owned(),
            Self::Other(why) => why,
        }
    }
}

/// Starts the server or connects to it, with the handshake that it supports.
///
/// # Errors
/// Why there is no connection. May contain secrets.
pub(crate) async fn connect(config: &ServerConfig, handler: &Handler) -> Result<Opened, String> {
    let opened = match connect_as(config, handler, ClientLifecycleMode::Initialize).await {
        // Servers of the newest protocol version have no handshake.
        Err(ConnectError::NoHandshake) => {
            let preferred_versions = vec![ProtocolVersion::LATEST];
            connect_as(config, handler, ClientLifecycleMode::Discover { preferred_versions }).await
        }
        other => other,
    };
    opened.map_err(ConnectError::into_text)
}

async fn connect_as(
    config: &ServerConfig,
    handler: &Handler,
    mode: ClientLifecycleMode,
) -> Result<Opened, ConnectError> {
    let handler = handler.clone();
    match &config.transport {
        Transport::Stdio { command, args, env, cwd } => {
            let folder = folder(&handler.workspace, cwd.as_deref());
            let launcher = handler.launcher.clone();
            let program = Program { command, args, env, folder, launcher: launcher.as_ref() };
            start(&program, handler, mode).await
        }
        Transport::Http { url, headers } => {
            let transport = http_transport::transport(url, headers, handler.access.clone())
                .map_err(ConnectError::Other)?;
            let running = handshake(handler, transport, mode).await.map_err(connect_error)?;
            Ok((running, Arc::default()))
        }
        Transport::Local(server) => {
            let pipe = server.connect();
            let transport = CheckedTransport::new(pipe.output, pipe.input);
            let running = handshake(handler, transport, mode).await.map_err(connect_error)?;
            Ok((running, Arc::default()))
        }
    }
}

async fn start(
    program: &Program<'_>,
    handler: Handler,
    mode: ClientLifecycleMode,
) -> Result<Opened, ConnectError> {
    let (transport, errors) = program.spawn().map_err(|error| {
        ConnectError::Other(format!(
            "cannot start `{}` in {}: {error}; check that the program is installed and the folder exists",
            program.command,
            program.folder.display()
        ))
    })?;
    let stderr = Stderr::follow(errors, handler.server.clone(), handler.redactor.clone());
    let (ended, exit) = (transport.ended(), transport.exit());
    match handshake(handler, transport, mode).await {
        Ok(running) => Ok((running, ended)),
        Err(error) => {
            let why = match connect_error(error) {
                ConnectError::NoHandshake => return Err(ConnectError::NoHandshake),
                ConnectError::Closed => "it exited before the MCP handshake".to_owned(),
                ConnectError::Other(why) => why,
            };
            let status = exit.get().map_or_else(String::new, |status| format!(", {status}"));
            let line =
                stderr.last_line().await.map_or_else(String::new, |line| format!("; it wrote: {line}"));
            Err(ConnectError::Other(format!("{why} (`{}`{status}){line}", program.shown())))
        }
    }
}

fn handshake<T>(
    handler: Handler,
    transport: T,
    mode: ClientLifecycleMode,
) -> Boxed<Result<RunningService<RoleClient, Handler>, ClientInitializeError>>
where
    T: rmcp::transport::Transport<RoleClient> + 'static,
{
    Box::pin(serve_client_with_lifecycle(handler, transport, mode))
}

fn connect_error(error: ClientInitializeError) -> ConnectError {
    match error {
        ClientInitializeError::JsonRpcError(ErrorData { code, .. })
            if code == ErrorCode::METHOD_NOT_FOUND || code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION =>
        {
            ConnectError::NoHandshake
        }
        ClientInitializeError::ConnectionClosed(_) => ConnectError::Closed,
        ClientInitializeError::TransportError { error, .. } => ConnectError::Other(send_error(&error)),
        // The text of these errors can contain the whole message.
        ClientInitializeError::ExpectedInitResult(Some(result)) => {
            let why = serde_json::to_value(result).and_then(InitializeResult::deserialize).err();
            let why = why.map_or_else(String::new, |why| format!(": {why}"));
            ConnectError::Other(format!("its answer to the MCP handshake is invalid{why}"))
        }
        ClientInitializeError::ExpectedInitResponse(_) | ClientInitializeError::ExpectedInitResult(None) => {
            ConnectError::Other("its answer to the MCP handshake is invalid".to_owned())
        }
        other => ConnectError::Other(error_chain(&other)),
    }
}

/// Describes why a message could not be sent. The SDK's own texts omit the network error.
pub(crate) fn send_error(error: &DynamicTransportError) -> String {
    let of_http = error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>();
    if let Some(why) = of_http.and_then(needs_key) {
        return why;
    }
    match of_http {
        Some(StreamableHttpError::Client(error)) => http::describe(error),
        // A server of the old transport has only a stream at its address.
        Some(StreamableHttpError::UnexpectedServerResponse(said)) if said.starts_with("HTTP 405") => {
            format!("{}; {ASK_FOR_STREAMABLE}", said.trim_end_matches([':', ' ']))
        }
        Some(StreamableHttpError::UnexpectedServerResponse(said)) if said.starts_with("HTTP 5") => {
            said.to_string()
        }
        Some(StreamableHttpError::HttpStatus(status)) => status_text(status.status),
        Some(StreamableHttpError::UnexpectedContentType(kind)) => {
            let kind =
                kind.as_ref().map_or("no content type".to_owned(), |kind| format!("the content type {kind}"));
            format!("its answer has {kind}, not application/json or text/event-stream")
        }
        _ => error_chain(error.error.as_ref()),
    }
}
