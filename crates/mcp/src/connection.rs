//! A connection to a server. Every operation has a time limit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{ClientRequest, ErrorData, PaginatedRequestParams, RequestOptionalParam, ServerResult};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, RoleClient, RunningService, ServiceError};
use serde::Serialize;
use serde_json::Value;
use throughline_text::error_chain;
use tokio::time::timeout;

use crate::config::ServerConfig;
use crate::connect::{Boxed, connect, send_error};
use crate::handler::{Handler, is_answer};
use crate::limits;
use crate::tool_list::{ToolList, ToolListReader};

/// A connection after the handshake.
#[derive(Debug)]
pub(crate) struct Connection {
    running: Mutex<Option<RunningService<RoleClient, Handler>>>,
    peer: Peer<RoleClient>,
    /// Raised when the output of the server has ended.
    ended: Arc<AtomicBool>,
}

/// Reason why a request has no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RequestError {
    /// The server returned an error. The connection is intact.
    Refused(String),
    /// It timed out after this time, and a cancellation was sent to the server.
    TimedOut(Duration),
    /// The connection is lost. The server may or may not have read the request.
    Broken(String),
}

impl RequestError {
    /// The reason. May contain secrets.
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Refused(why) | Self::Broken(why) => why,
            Self::TimedOut(_) => "it does not respond".to_owned(),
        }
    }
}

impl Connection {
    /// Starts the server or connects to it, and performs the handshake. The caller sets the time limit; dropping the future
    /// ends a started program.
    ///
    /// # Errors
    /// Why there is no connection. May contain secrets, so it must be redacted before it is shown.
    pub(crate) async fn open(config: &ServerConfig, handler: &Handler) -> Result<Self, String> {
        let (running, ended) = connect(config, handler).await?;
        let peer = running.peer().clone();
        Ok(Self { running: Mutex::new(Some(running)), peer, ended })
    }

    /// Returns true if it can be used. A connection that was lost just now may still seem alive.
    pub(crate) fn is_alive(&self) -> bool {
        !self.ended.load(Ordering::SeqCst) && !self.peer.is_transport_closed()
    }

    /// Lists all tools.
    ///
    /// # Errors
    /// [`RequestError`] when a page cannot be read.
    pub(crate) async fn list(&self, config: &ServerConfig) -> Result<ToolList, RequestError> {
        let mut listing = ToolListReader::new(config);
        let mut cursor = None;
        loop {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let request = ClientRequest::ListToolsRequest(RequestOptionalParam::with_param(params));
            let page = match self.request(request, config.start_timeout).await {
                // A server without tools may not know the request.
                Err(RequestError::Refused(_)) if !self.has_tools() => Value::Null,
                other => other?,
            };
            cursor = listing.add_page(&page);
            if cursor.is_none() {
                return Ok(listing.finish());
            }
        }
    }

    /// Lists a page of the skills.
    ///
    /// # Errors
    /// [`RequestError`] when it cannot be read.
    pub(crate) async fn list_skills(
        &self,
        cursor: Option<String>,
        limit: Duration,
    ) -> Result<Value, RequestError> {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        self.request(ClientRequest::ListSkillsRequest(RequestOptionalParam::with_param(params)), limit).await
    }

    /// Returns true if the server has declared skills.
    pub(crate) fn has_skills(&self) -> bool {
        self.peer.peer_info().is_some_and(|info| info.capabilities.supports_skills())
    }

    /// Closes it, and waits until a program has exited.
    pub(crate) async fn close(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(running) = running {
            let _ = timeout(limits::END * 6, running.cancel()).await;
        }
    }

    fn has_tools(&self) -> bool {
        self.peer.peer_info().is_none_or(|info| info.capabilities.tools.is_some())
    }

    /// Sends a request, and waits for its result up to a limit.
    ///
    /// # Errors
    /// [`RequestError`] when it has no result in time.
    pub(crate) async fn request(
        &self,
        request: ClientRequest,
        limit: Duration,
    ) -> Result<Value, RequestError> {
        let result =
            timeout(limit, self.send(request)).await.map_err(|_| RequestError::TimedOut(limit))??;
        value_of(result)
    }

    /// Sends a request whose result does not matter, in the background.
    pub(crate) fn send_and_forget(&self, request: ClientRequest) {
        let peer = self.peer.clone();
        in_background(async move {
            peer.send_request_with_option(request, PeerRequestOptions::no_options()).await
        });
    }

    /// Sends a request, and waits for its result without a limit. Dropping the future cancels the request.
    ///
    /// # Errors
    /// [`RequestError`] when it has no result.
    pub(crate) async fn send(&self, request: ClientRequest) -> Result<ServerResult, RequestError> {
        let peer = self.peer.clone();
        let response: Boxed<Result<ServerResult, ServiceError>> = Box::pin(async move {
            let handle = peer.send_request_with_option(request, PeerRequestOptions::no_options()).await?;
            PendingRequest(Some(handle)).response().await
        });
        response.await.map_err(|error| match is_answer(&error) {
            true => RequestError::Refused(describe(&error)),
            false => RequestError::Broken(describe(&error)),
        })
    }
}

/// A request that waits for its response. Dropping it earlier sends a cancellation to the server.
struct PendingRequest(Option<RequestHandle<RoleClient>>);

impl PendingRequest {
    async fn response(mut self) -> Result<ServerResult, ServiceError> {
        let Some(handle) = &mut self.0 else { return Err(ServiceError::TransportClosed) };
        let response = (&mut handle.rx).await;
        self.0 = None;
        response.unwrap_or(Err(ServiceError::TransportClosed))
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            in_background(handle.cancel(Some("the call was stopped".to_owned())));
        }
    }
}

/// Tells the server something whose result does not matter. It fails if the connection is lost, and then there is nothing to do.
fn in_background<T>(message: impl Future<Output = T> + Send + 'static) {
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(async move { drop(timeout(limits::END, message).await) });
    }
}

/// A result of the SDK as JSON.
pub(crate) fn value_of(result: impl Serialize) -> Result<Value, RequestError> {
    serde_json::to_value(result).map_err(|error| RequestError::Refused(error.to_string()))
}

fn describe(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => with_data(error),
        ServiceError::TransportSend(error) => send_error(error),
        ServiceError::TransportClosed => "the connection was closed".to_owned(),
        ServiceError::UnexpectedResponse => "its response is invalid".to_owned(),
        other => error_chain(other),
    }
}

/// The message of an error, and what the server adds to it.
fn with_data(error: &ErrorData) -> String {
    let data = match &error.data {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(data) => data.to_string(),
    };
    if data.is_empty() { error.message.to_string() } else { format!("{} ({data})", error.message) }
}
