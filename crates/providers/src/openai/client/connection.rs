//! Requests made by async-openai, sent by a transport.

use std::fmt;
use std::sync::Arc;

use async_openai::Client;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use bytes::Bytes;
use serde_json::Value;

use super::carried::Carried;
use super::settings::{Settings, api_base};
use crate::client::{Endpoint, HttpAnswer, HttpRequest, Key, Transport, TransportError, for_building, host};

/// A server of OpenAI's APIs.
pub(super) struct Connection {
    client: Result<Client<Settings>, String>,
    url: String,
}

impl Connection {
    pub(super) fn new(endpoint: &Endpoint, transport: Arc<dyn Transport>) -> Self {
        // Without this layer the library sends a request up to four times.
        let service = tower::service_fn(move |factory: HttpRequestFactory| {
            let transport = Arc::clone(&transport);
            async move {
                let request = http_request(&factory.build().await?)?;
                tracing::debug!(host = host(&request.url), bytes = request.body.len(), "sending a request");
                Err(Carried::pack(transport.send(request).await))
            }
        });
        let build = |settings| Client::build(for_building(), settings).with_http_service(service);
        Self { client: Settings::new(endpoint).map(build), url: api_base(&endpoint.base_url) }
    }

    /// The address, for messages.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// `POST /chat/completions`.
    pub(super) async fn chat(&self, body: &Value) -> Result<HttpAnswer, TransportError> {
        Carried::unpack(self.client()?.chat().create_stream_byot::<_, Value>(body).await)
    }

    /// `POST /responses`.
    pub(super) async fn responses(&self, body: &Value) -> Result<HttpAnswer, TransportError> {
        Carried::unpack(self.client()?.responses().create_stream_byot::<_, Value>(body).await)
    }

    /// `POST /responses/input_tokens`.
    pub(super) async fn input_tokens(&self, body: &Value) -> Result<HttpAnswer, TransportError> {
        Carried::unpack(self.client()?.responses().get_input_token_counts_byot::<_, Value>(body).await)
    }

    fn client(&self) -> Result<&Client<Settings>, TransportError> {
        self.client.as_ref().map_err(|error| TransportError::Other(error.as_str().into()))
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The library's request in the words of the port.
fn http_request(request: &reqwest::Request) -> Result<HttpRequest, OpenAIError> {
    let mut headers = Vec::new();
    for (name, value) in request.headers() {
        let value = value.to_str().map_err(|_| {
            OpenAIError::InvalidArgument(format!("header {name} has characters that no header can carry"))
        })?;
        headers.push((name.as_str().to_owned(), Key::new(value)));
    }
    let body =
        request.body().and_then(reqwest::Body::as_bytes).map(Bytes::copy_from_slice).unwrap_or_default();
    Ok(HttpRequest { url: request.url().to_string(), headers, body })
}
