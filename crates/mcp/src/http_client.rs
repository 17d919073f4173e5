//! The HTTP client below the SDK, for servers that do not keep to the protocol.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, JsonRpcMessage, JsonRpcResponse, RequestId,
};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};

use crate::access::Access;
use crate::authorized::authorized;
use crate::fault;
use crate::refused::{refused, wait};
use crate::repaired_events::{Events, repaired, repaired_message};
use crate::session_gone::{begins_gone, says_gone};

/// Why a request was not taken that was made in two sessions.
const GONE_AGAIN: &str =
    "HTTP 404 Not Found: its session is gone, and so is the one that was begun for this request";

/// The first status of a fault of the server.
const FAULT: u16 = 500;

/// Headers of a request.
type Headers = HashMap<HeaderName, HeaderValue>;
type HttpError = StreamableHttpError<reqwest::Error>;

/// A client that answers each request: a session that is gone is reported as expired, whatever the status, so that the SDK
/// opens a new one and asks once more; an error without the id of its request gets it; events that are written wrongly are
/// repaired.
#[derive(Debug, Clone)]
pub(crate) struct HttpClient {
    client: reqwest::Client,
    /// The login that requests carry.
    access: Option<Arc<Access>>,
    /// Requests that were asked once more.
    repeated: Arc<Mutex<BTreeSet<String>>>,
    /// There is a stream on which the server may answer later.
    listens: Arc<AtomicBool>,
}

/// A request that is answered.
struct Asked {
    id: RequestId,
    /// It calls a tool, so a second one does its work twice.
    is_call: bool,
    /// It begins the connection.
    is_first: bool,
    in_session: bool,
}

impl HttpClient {
    pub(crate) fn new(client: reqwest::Client, access: Option<Arc<Access>>) -> Self {
        Self { client, access, repeated: Arc::default(), listens: Arc::default() }
    }

    /// Returns true for the first failure of a request that means that the session is gone. A second one is the answer.
    fn is_expired(&self, asked: &Asked, means: impl Fn() -> bool) -> bool {
        asked.in_session
            && means()
            && self.repeated.lock().unwrap_or_else(PoisonError::into_inner).insert(asked.id.to_string())
    }

    /// Sends a request with the token of the login, or with the caller's where the server has no use for a login.
    async fn sent<T, F: Future<Output = Result<T, HttpError>>>(
        &self,
        token: Option<String>,
        send: impl Fn(Option<String>) -> F,
    ) -> Result<T, HttpError> {
        match &self.access {
            Some(access) => authorized(access, send).await,
            None => send(token).await,
        }
    }

    fn checked(
        &self,
        asked: &Asked,
        answer: Result<StreamableHttpPostResponse, HttpError>,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        match answer {
            Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Error(mut error), session)) => {
                let said = &error.error.message;
                if self.is_expired(asked, || says_gone(said) && (!asked.is_call || begins_gone(said))) {
                    return Err(StreamableHttpError::SessionExpired);
                }
                // The answer to one request can be no other one's.
                error.id = Some(asked.id.clone());
                Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Error(error), session))
            }
            Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Response(response), session)) => {
                if response.id.to_string() != asked.id.to_string() {
                    return Err(unexpected("the answer to another request"));
                }
                let response = JsonRpcResponse { id: asked.id.clone(), ..response };
                let message = JsonRpcMessage::Response(response);
                let message = if asked.is_first { repaired_message(message) } else { message };
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            Ok(StreamableHttpPostResponse::Accepted) if !self.listens.load(Ordering::SeqCst) => {
                Err(unexpected("none to the request"))
            }
            Ok(StreamableHttpPostResponse::Sse(events, session)) => {
                Ok(StreamableHttpPostResponse::Sse(repaired(events, Some(asked.id.clone())), session))
            }
            Err(StreamableHttpError::UnexpectedServerResponse(said))
                if self.is_expired(asked, || said.starts_with("HTTP 4") && says_gone(&said)) =>
            {
                Err(StreamableHttpError::SessionExpired)
            }
            Err(StreamableHttpError::SessionExpired) => match self.is_expired(asked, || true) {
                true => Err(StreamableHttpError::SessionExpired),
                false => Ok(not_taken(asked, GONE_AGAIN.to_owned())),
            },
            Err(error) if !asked.is_first => match refused(&error) {
                Some(why) => Ok(not_taken(asked, why)),
                None => Err(error),
            },
            other => other,
        }
    }
}

impl StreamableHttpClient for HttpClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let most = crate::limits::MESSAGE;
        self.post_message_with_max_sse_event_size(uri, message, session_id, auth_header, custom_headers, most)
            .await
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
        max_sse_event_size: usize,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let asked = match &message {
            JsonRpcMessage::Request(request) => Some(Asked {
                id: request.id.clone(),
                is_call: matches!(request.request, ClientRequest::CallToolRequest(_)),
                is_first: matches!(request.request, ClientRequest::InitializeRequest(_)),
                in_session: session_id.is_some(),
            }),
            _ => None,
        };
        let post = |token| {
            self.client.post_message_with_max_sse_event_size(
                Arc::clone(&uri),
                message.clone(),
                session_id.clone(),
                token,
                custom_headers.clone(),
                max_sse_event_size,
            )
        };
        let mut answer = self.sent(auth_header.clone(), post).await;
        if let Err(StreamableHttpError::HttpStatus(status)) = &answer
            && let Some(wait) = wait(status)
        {
            tokio::time::sleep(wait).await;
            answer = self.sent(auth_header.clone(), post).await;
        }
        if let Err(StreamableHttpError::HttpStatus(status)) = &answer
            && status.status >= FAULT
            && asked.as_ref().is_some_and(|asked| asked.is_first)
        {
            let again = |token| {
                let words = fault::words(&self.client, &uri, &message, token, custom_headers.clone());
                async { words.await.map_err(StreamableHttpError::Client) }
            };
            if let Ok(Some(said)) = self.sent(auth_header, again).await {
                answer = Err(StreamableHttpError::UnexpectedServerResponse(said.into()));
            }
        }
        match asked {
            Some(asked) => self.checked(&asked, answer),
            None => answer,
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), HttpError> {
        let delete = |token| {
            self.client.delete_session(
                Arc::clone(&uri),
                Arc::clone(&session_id),
                token,
                custom_headers.clone(),
            )
        };
        self.sent(auth_header, delete).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<Events, HttpError> {
        let most = crate::limits::MESSAGE;
        self.get_stream_with_max_sse_event_size(
            uri,
            session_id,
            last_event_id,
            auth_header,
            custom_headers,
            most,
        )
        .await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
        max_sse_event_size: usize,
    ) -> Result<Events, HttpError> {
        let get = |token| {
            self.client.get_stream_with_max_sse_event_size(
                Arc::clone(&uri),
                session_id.clone(),
                last_event_id.clone(),
                token,
                custom_headers.clone(),
                max_sse_event_size,
            )
        };
        let events = self.sent(auth_header, get).await;
        self.listens.store(events.is_ok(), Ordering::SeqCst);
        Ok(repaired(events?, None))
    }
}

/// The answer to a request that was not taken: the connection is as good as before.
fn not_taken(asked: &Asked, why: String) -> StreamableHttpPostResponse {
    let error = ErrorData::new(ErrorCode::INVALID_REQUEST, why, None);
    StreamableHttpPostResponse::Json(JsonRpcMessage::error(error, Some(asked.id.clone())), None)
}

fn unexpected(answer: &'static str) -> HttpError {
    StreamableHttpError::UnexpectedServerResponse(answer.into())
}

#[cfg(test)]
mod tests;
