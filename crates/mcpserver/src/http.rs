//! Serves clients over streamable HTTP on the loopback interface. A client needs the token and is no web page.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::model::ErrorCode;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use throughline_config::AccessToken;
use throughline_text::bearer_token;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::error::ServeError;
use crate::server::{MESSAGE, MemoryServer};

/// The path of the service.
pub(crate) const PATH: &str = "/mcp";

const JSON: &str = "application/json";

/// What the service writes in front of the reason why a body was not read.
const NOT_READ: &str = "fail to deserialize request body";

/// Maximum number of connections at a time. More wait. The standing stream of a client is one.
const CONNECTIONS: usize = 512;

/// How long a client's session lasts that asks nothing, whether or not it has a stream open: a week. Many clients begin no other one
/// when it has ended.
const IDLE: Duration = Duration::from_secs(7 * 24 * 3_600);

/// How long the headers of a request may take.
const HEADERS: Duration = Duration::from_secs(10);

/// How long the next connection waits after one could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

type Service = StreamableHttpService<MemoryServer, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// A server that listens on the loopback interface.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    token: AccessToken,
}

impl HttpServer {
    /// Listens on a port; 0: any that is free.
    ///
    /// # Errors
    /// [`ServeError::Port`]: the port cannot be used.
    pub async fn listen(port: u16, token: AccessToken) -> Result<Self, ServeError> {
        let cannot = |source| ServeError::Port { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok(Self { listener, address, token })
    }

    /// The address for clients.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Serves clients until the program ends.
    pub async fn run(self, server: MemoryServer) -> Infallible {
        // A page of any site may send requests to the loopback interface: one with an Origin is refused, and one that names
        // another host than the loopback interface, too.
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(["localhost", "127.0.0.1", "::1"])
            .enforce_origin_validation()
            .with_max_request_body_bytes(MESSAGE)
            .with_sse_retry(None);
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(IDLE);
        // Clients of older versions of the protocol take an event without data for a broken message.
        sessions.session_config.sse_retry = None;
        let service = Service::new(move || Ok(server.clone()), Arc::new(sessions), config);
        let (open, token) = (Arc::new(Semaphore::new(CONNECTIONS)), Arc::new(self.token));
        loop {
            let permit = Arc::clone(&open).acquire_owned().await;
            let stream = match self.listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            let (service, token) = (service.clone(), Arc::clone(&token));
            tokio::spawn(async move {
                let _permit = permit;
                let answered = service_fn(|request| answer(&service, &token, request));
                let mut connection = http1::Builder::new();
                connection.timer(TokioTimer::new()).header_read_timeout(HEADERS);
                if let Err(error) = connection.serve_connection(TokioIo::new(stream), answered).await {
                    tracing::debug!(%error, "a connection broke off");
                }
            });
        }
    }
}

async fn answer(
    service: &Service,
    token: &AccessToken,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    if request.uri().path() != PATH {
        return Ok(refusal(StatusCode::NOT_FOUND, "there is only /mcp here\n"));
    }
    let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(bearer_token);
    if !given.is_some_and(|given| token.is(given)) {
        let why = "the header `Authorization: Bearer TOKEN` is missing or wrong; the token is in the file that the server named\n";
        let mut refused = refusal(StatusCode::UNAUTHORIZED, why);
        refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return Ok(refused);
    }
    let is_end = request.method() == Method::DELETE;
    let is_json =
        request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(JSON.as_bytes()));
    let mut answer = service.handle(request).await;
    match answer.status() {
        // The session has ended: nothing of it is left to be done.
        StatusCode::ACCEPTED if is_end => *answer.status_mut() = StatusCode::NO_CONTENT,
        StatusCode::UNSUPPORTED_MEDIA_TYPE if is_json => return Ok(unreadable(answer).await),
        _ => {}
    }
    Ok(answer)
}

/// The answer to a body that is no message, in the form of the protocol. The service says so as if the type of the body were wrong.
async fn unreadable(answer: Answer) -> Answer {
    let Ok(said) = answer.into_body().collect().await;
    let said = String::from_utf8_lossy(&said.to_bytes()).into_owned();
    let why = said.trim_start_matches(NOT_READ).trim();
    let is_json =
        ["unrecognized", "data did not match", "invalid type"].iter().any(|begin| why.starts_with(begin));
    let (code, what) = match is_json {
        true => (ErrorCode::INVALID_REQUEST, "the body is no message of the protocol".to_owned()),
        false => (ErrorCode::PARSE_ERROR, format!("the body is no JSON: {why}")),
    };
    let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": what } });
    response(StatusCode::BAD_REQUEST, JSON, Bytes::from(error.to_string()))
}

fn refusal(status: StatusCode, why: &'static str) -> Answer {
    response(status, "text/plain", Bytes::from_static(why.as_bytes()))
}

fn response(status: StatusCode, kind: &'static str, body: Bytes) -> Answer {
    let mut response = Response::new(Full::new(body).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

#[cfg(test)]
mod tests;
