//! The HTTP client below the SDK, for servers that do not keep to the protocol.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use serde_json::{Value, json};
use sse_stream::Sse;

use crate::access::Access;
use crate::authorized::authorized;
use crate::check_message::{CheckedMessage, check_message};

/// Headers of a request.
type Headers = HashMap<HeaderName, HeaderValue>;
/// The events of a stream.
type Events = BoxStream<'static, Result<Sse, SseError>>;
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
}

impl HttpClient {
    pub(crate) fn new(client: reqwest::Client, access: Option<Arc<Access>>) -> Self {
        Self { client, access, repeated: Arc::default() }
    }

    /// Returns true if the failure means that the session is gone. Once for each request: a second time it is the answer.
    fn is_expired(&self, id: &RequestId, said: &str) -> bool {
        let said = said.to_ascii_lowercase();
        let gone = [
            "not found",
            "no valid",
            "invalid",
            "expired",
            "unknown",
            "exist",
            "missing",
            "required",
            "closed",
        ];
        let named = said.contains("session") && gone.iter().any(|word| said.contains(word));
        named && self.repeated.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_string())
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
        id: &RequestId,
        in_session: bool,
        answer: Result<StreamableHttpPostResponse, HttpError>,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        match answer {
            Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Error(mut error), session)) => {
                if in_session && self.is_expired(id, &error.error.message) {
                    return Err(StreamableHttpError::SessionExpired);
                }
                // The answer to one request can be no other one's.
                error.id = Some(id.clone());
                Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Error(error), session))
            }
            Ok(StreamableHttpPostResponse::Sse(events, session)) => {
                Ok(StreamableHttpPostResponse::Sse(repaired(events, Some(id.clone())), session))
            }
            Err(StreamableHttpError::UnexpectedServerResponse(said))
                if in_session && said.starts_with("HTTP 4") && self.is_expired(id, &said) =>
            {
                Err(StreamableHttpError::SessionExpired)
            }
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
        let id = match &message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let in_session = session_id.is_some();
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
        let answer = self.sent(auth_header, post).await;
        match id {
            Some(id) => self.checked(&id, in_session, answer),
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
        Ok(repaired(self.sent(auth_header, get).await?, None))
    }
}

/// The events with messages that can be read. `id`: the request that they answer.
fn repaired(events: Events, id: Option<RequestId>) -> Events {
    let events = events.map(move |event| {
        let mut event = event?;
        let Some(data) = event.data.as_deref() else { return Ok(event) };
        match (check_message(data.as_bytes()), &id) {
            (CheckedMessage::Repaired(mut fields), _) => {
                if let Some(id) = id.as_ref().filter(|_| !fields.contains_key("method")) {
                    fields.insert("id".to_owned(), json!(id));
                }
                event.data = Some(Value::Object(fields).to_string());
            }
            (CheckedMessage::Good(Some(Value::Null)), Some(id)) => {
                if let Ok(Value::Object(mut fields)) = serde_json::from_str(data) {
                    fields.insert("id".to_owned(), json!(id));
                    event.data = Some(Value::Object(fields).to_string());
                }
            }
            (CheckedMessage::Unreadable(why), Some(id)) => {
                let error = json!({"code": -32_700, "message": why});
                event.data = Some(json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string());
            }
            _ => {}
        }
        Ok(event)
    });
    events.boxed()
}
