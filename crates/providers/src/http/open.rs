//! From a request to a running answer, or to an error with a hint.

use std::time::SystemTime;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use throughline_completion::{CompletionEvent, EventStream, ModelError};
use throughline_wire::stream::Decoded;
use throughline_wire::{AnswerStream, errors};

use super::endpoint::{host, is_loopback};
use super::reading::{reading, silent};
use super::reqwest_transport::sendable;
use super::retry_head::RetryHead;
use super::{Endpoint, HttpAnswer, HttpRequest, Transport, TransportError};

/// Maximum bytes of a response that is read for its message.
const MOST_OF_AN_ERROR: usize = 64 * 1024;
/// Maximum bytes of one JSON value; lists of models have been seen with half a million.
const MOST_OF_A_VALUE: usize = 8 * 1024 * 1024;

/// Bytes after which it is clear whether a body is a stream: a mark of the order of bytes and a name.
const ENOUGH_TO_TELL: usize = "\u{feff}event:".len();

/// Sends a request and gives the events of the answer.
pub(crate) async fn open(
    provider: &str,
    transport: &dyn Transport,
    endpoint: &Endpoint,
    request: HttpRequest,
    decoder: AnswerStream,
) -> Result<EventStream, ModelError> {
    let url = request.url.clone();
    let answer = send(provider, transport, endpoint, request).await?;
    read(provider, &url, endpoint, answer, decoder).await
}

/// Sends a request and gives the one JSON value that answers it.
pub(crate) async fn json(
    provider: &str,
    transport: &dyn Transport,
    endpoint: &Endpoint,
    request: HttpRequest,
) -> Result<Value, ModelError> {
    let url = request.url.clone();
    let answer = send(provider, transport, endpoint, request).await?;
    let answer = succeeded(provider, &url, endpoint, answer).await?;
    let kind = media_type(&answer);
    let body = whole(endpoint, answer).await?;
    serde_json::from_slice(&body).map_err(|_| endpoint.redact_error(no_json(provider, &url, &kind)))
}

/// Sends the request for a list of models and gives their names.
pub(crate) async fn model_names(
    provider: &str,
    transport: &dyn Transport,
    endpoint: &Endpoint,
    request: HttpRequest,
) -> Result<Vec<String>, ModelError> {
    let answer = json(provider, transport, endpoint, request).await?;
    let list = answer.get("data").and_then(Value::as_array).ok_or_else(|| ModelError::InvalidRequest {
        message: "the list of models has no `data`; check the base URL".to_owned(),
    })?;
    let name = |model: &Value| model.get("id").and_then(Value::as_str).map(str::to_owned);
    Ok(list.iter().filter_map(name).collect())
}

/// The events of a response that has begun.
async fn read(
    provider: &str,
    url: &str,
    endpoint: &Endpoint,
    answer: HttpAnswer,
    decoder: AnswerStream,
) -> Result<EventStream, ModelError> {
    let mut answer = succeeded(provider, url, endpoint, answer).await?;
    match media_type(&answer).as_str() {
        // Some servers name no type, and the decoder judges what they send.
        "" | "text/event-stream" | "application/x-ndjson" | "application/ndjson" | "application/jsonl" => {}
        "application/json" if decoder.reads_lines_of_json() => {}
        "application/json" => {
            let body = whole(endpoint, answer).await?;
            let events = document(provider, url, decoder, &body);
            return match events.map_err(|error| endpoint.redact_error(error)) {
                Ok(events) => Ok(stream::iter(events).boxed()),
                Err(error) => Err(error),
            };
        }
        "text/html" => return Err(endpoint.redact_error(no_json(provider, url, "text/html"))),
        // Small servers and proxies send a good stream as plain text or as bytes.
        other => {
            let begins = beginning_of(endpoint, &mut answer, &decoder).await;
            if !decoder.may_begin_with(&begins) {
                return Err(endpoint.redact_error(no_json(provider, url, other)));
            }
            let begins = stream::iter([Ok(Bytes::from(begins))]);
            answer.body = begins.chain(answer.body).boxed();
        }
    }
    Ok(reading(answer.body, decoder, endpoint.clone()))
}

/// The first bytes of a body: as many as it takes to tell whether it is what the decoder reads.
async fn beginning_of(endpoint: &Endpoint, answer: &mut HttpAnswer, decoder: &AnswerStream) -> Vec<u8> {
    let mut begins = Vec::new();
    let unclear = |begins: &[u8]| {
        !decoder.may_begin_with(begins)
            && begins.trim_ascii_start().len() < ENOUGH_TO_TELL
            && begins.len() < MOST_OF_AN_ERROR
    };
    while unclear(&begins) {
        match tokio::time::timeout(endpoint.timeouts.idle, answer.body.next()).await {
            Ok(Some(Ok(piece))) => begins.extend_from_slice(&piece),
            // Use the data so far.
            _ => break,
        }
    }
    begins
}

async fn send(
    provider: &str,
    transport: &dyn Transport,
    endpoint: &Endpoint,
    request: HttpRequest,
) -> Result<HttpAnswer, ModelError> {
    sendable(&request.headers).map_err(|message| ModelError::Other(message.into()))?;
    let url = &request.url.clone();
    tracing::debug!(provider, host = host(url), bytes = request.body.len(), "sending a request");
    let wait = endpoint.timeouts.first_byte;
    let Ok(answer) = tokio::time::timeout(wait, transport.send(request)).await else {
        // The request is there, and may be worked at.
        return Err(silent(&format!(" from {provider} at {}", host(url)), wait));
    };
    let answer = answer.map_err(|error| endpoint.redact_error(not_sent(provider, url, error)))?;
    // Everything that a server says may quote the key.
    let request_id = answer.request_id.as_deref().map(|id| endpoint.redact(id));
    tracing::debug!(provider, host = host(url), status = answer.status, request_id, "a response has begun");
    Ok(answer)
}

/// Returns true if nothing listens there: another failure to connect may pass.
fn is_refused(message: &str) -> bool {
    message.to_lowercase().contains("connection refused")
}

/// Returns true if the server answered the first bytes of TLS with something else.
fn is_no_tls(message: &str) -> bool {
    message.contains("InvalidContentType") || message.contains("corrupt message")
}

/// The error of a request that got no response.
fn not_sent(provider: &str, url: &str, error: TransportError) -> ModelError {
    let host = host(url);
    let message = match error {
        TransportError::Unreachable { message } if is_loopback(url) && is_refused(&message) => {
            let message =
                format!("connection refused: no server listens at {host}; start it, or check the base URL");
            return ModelError::NotRunning { message };
        }
        TransportError::Unreachable { message } if url.starts_with("https:") && is_no_tls(&message) => {
            let message = format!(
                "{provider} at {host} does not speak TLS, which https needs ({message}); for a plain server, write http:// in the base URL"
            );
            return ModelError::NoRetry { message };
        }
        TransportError::Unreachable { message } => format!(
            "{provider} at {host} cannot be reached ({message}); is it running, and are the base URL and the network right?"
        ),
        TransportError::TimedOut { message } => format!(
            "{provider} at {host} did not answer in time ({message}); try again, or check the base URL and any proxy"
        ),
        TransportError::Broken { message } => {
            format!("{provider} at {host} closed the connection before it answered ({message}); try again")
        }
        encoded @ TransportError::Encoded { .. } => {
            let message = format!("{provider} at {host}: {encoded}; check any proxy in between");
            return ModelError::InvalidRequest { message };
        }
        TransportError::Other(error) => return ModelError::Other(error),
    };
    ModelError::Unavailable { message, retry_after_ms: None }
}

/// Lets a response pass that is a success.
async fn succeeded(
    provider: &str,
    url: &str,
    endpoint: &Endpoint,
    answer: HttpAnswer,
) -> Result<HttpAnswer, ModelError> {
    let status = answer.status;
    if (200..300).contains(&status) {
        return Ok(answer);
    }
    if (300..400).contains(&status) {
        let target = answer.location.as_deref().filter(|target| target.contains("://")).map(host);
        let target = target.map(|target| format!(" to {target}")).unwrap_or_default();
        let message = format!(
            "{provider} at {} redirects{target} (HTTP {status}), which is not followed because the key would go along; set the base URL to the address that answers",
            host(url)
        );
        return Err(endpoint.redact_error(ModelError::InvalidRequest { message }));
    }
    let head = RetryHead::of(&answer);
    // The readable part of a broken body is good enough for a message.
    let body = beginning(endpoint, answer, MOST_OF_AN_ERROR).await.0;
    // The kind of an error is read from its own words; a dummy key may be a part of them.
    let error = errors::of_response(provider, status, head.after.as_deref(), SystemTime::now(), &body);
    Err(with_key_place(endpoint.redact_error(head.applied(error)), status, endpoint))
}

/// The error, with the place of the key if the server does not accept it.
fn with_key_place(mut error: ModelError, status: u16, endpoint: &Endpoint) -> ModelError {
    if let (ModelError::Unauthorized { message }, 401, Some(place)) =
        (&mut error, status, &endpoint.key_place)
    {
        message.push_str(&format!("; the key that was sent is from {place}"));
    }
    error
}

/// A whole body that is not large.
async fn whole(endpoint: &Endpoint, answer: HttpAnswer) -> Result<Vec<u8>, ModelError> {
    match beginning(endpoint, answer, MOST_OF_A_VALUE).await {
        (body, None) => Ok(body),
        (_, Some(error)) => Err(endpoint.redact_error(error)),
    }
}

/// The beginning of a body, and why it is not the whole.
async fn beginning(endpoint: &Endpoint, answer: HttpAnswer, most: usize) -> (Vec<u8>, Option<ModelError>) {
    let mut pieces = answer.body;
    let mut body = Vec::new();
    loop {
        match tokio::time::timeout(endpoint.timeouts.idle, pieces.next()).await {
            Ok(None) => return (body, None),
            Ok(Some(Ok(piece))) => {
                body.extend_from_slice(&piece);
                if body.len() > most {
                    body.truncate(most);
                    let message = format!("the response is longer than {} KiB", most / 1024);
                    return (body, Some(ModelError::Interrupted { message }));
                }
            }
            Ok(Some(Err(error))) => {
                return (body, Some(ModelError::Interrupted { message: error.to_string() }));
            }
            Err(_) => return (body, Some(silent("", endpoint.timeouts.idle))),
        }
    }
}

/// A success that is no answer: there is a server, but not the provider.
fn no_json(provider: &str, url: &str, kind: &str) -> ModelError {
    let what = match kind {
        "text/html" => "an HTML page",
        "" | "application/json" => "something that is no JSON",
        other => other,
    };
    let message = format!(
        "{} answered with {what} instead of {provider}'s API; check the base URL and any proxy or login page in between",
        host(url)
    );
    ModelError::InvalidRequest { message }
}

/// One JSON document where a stream was asked for: the whole answer of a server that does not stream, or an error with
/// the wrong status.
fn document(provider: &str, url: &str, decoder: AnswerStream, body: &[u8]) -> Result<Decoded, ModelError> {
    let Ok(document) = serde_json::from_slice::<Value>(body) else {
        return Err(no_json(provider, url, "application/json"));
    };
    if errors::is_error(&document) {
        return Err(errors::of_event(&document));
    }
    let mut events = decoder.whole(document);
    match events.pop() {
        Some(Ok(last @ CompletionEvent::Finished(_))) => {
            events.push(Ok(last));
            return Ok(events);
        }
        Some(Err(error)) if !matches!(error, ModelError::Interrupted { .. }) => return Err(error),
        _ => {}
    }
    let message = format!(
        "{} answered with one JSON document that is no answer of {provider}'s API; check the base URL and any proxy in between",
        host(url)
    );
    Err(ModelError::InvalidRequest { message })
}

/// The content type without its parameters, in lower case.
fn media_type(answer: &HttpAnswer) -> String {
    answer.content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
