//! Questions to the server, and what comes back.

use std::future::Future;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::Value;
use throughline_text::error_chain;
use throughline_wire::errors::one_line;

use super::Ollama;
use crate::http::{HttpAnswer, HttpRequest, Key, TransportError, host};
use crate::ollama::errors::OllamaError;

/// Maximum bytes of one value.
const MAX_VALUE_BYTES: usize = 8 * 1024 * 1024;

impl Ollama {
    /// How long to wait for an answer, or for the next part of one.
    pub(super) fn patience(&self) -> Duration {
        self.endpoint.timeouts.first_byte
    }

    pub(super) fn headers(&self) -> Vec<(String, Key)> {
        self.endpoint.bearer().into_iter().chain(self.endpoint.headers.iter().cloned()).collect()
    }

    /// Asks, and gives an answer that is a success.
    pub(super) async fn ask(&self, path: &str, body: Option<Value>) -> Result<HttpAnswer, OllamaError> {
        let mut headers = self.headers();
        let body = body.map_or_else(Bytes::new, |body| {
            headers.push(("content-type".to_owned(), Key::new("application/json")));
            body.to_string().into()
        });
        let request = HttpRequest { url: self.endpoint.url("/api", path), headers, body };
        let mut answer = self.transport.send(request).await.map_err(|error| self.unsent(error))?;
        match answer.status {
            200..300 => Ok(answer),
            300..400 => {
                let target = answer.location.as_deref().filter(|target| target.contains("://")).map(host);
                let target = target.map(|target| format!(" to {target}")).unwrap_or_default();
                let message = format!("it redirects{target}, which is not followed");
                Err(OllamaError::Garbled { host: self.host.clone(), message })
            }
            _ => {
                // The readable part of a broken body is good enough for a message.
                let (body, _) = self.read(&mut answer).await;
                let body = String::from_utf8_lossy(&body);
                let redact = |text: &str| self.endpoint.redact(text);
                Err(OllamaError::answered(self.host.clone(), &redact(&body), redact))
            }
        }
    }

    /// Asks for one value.
    pub(super) async fn value<T: DeserializeOwned>(
        &self,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, OllamaError> {
        let mut answer = self.ask(path, body).await?;
        let (body, broke) = self.read(&mut answer).await;
        match broke {
            None => serde_json::from_slice(&body).map_err(|error| self.garbled(&error)),
            Some(message) => Err(OllamaError::Garbled { host: self.host.clone(), message }),
        }
    }

    /// The body, and why it is not the whole.
    async fn read(&self, answer: &mut HttpAnswer) -> (Vec<u8>, Option<String>) {
        let mut body = Vec::new();
        while let Some(piece) = answer.body.next().await {
            match piece {
                Ok(piece) => body.extend_from_slice(&piece),
                Err(error) => return (body, Some(self.words(&error))),
            }
            if body.len() > MAX_VALUE_BYTES {
                return (body, Some(format!("it is longer than {} MiB", MAX_VALUE_BYTES / (1024 * 1024))));
            }
        }
        (body, None)
    }

    pub(super) async fn wait<T>(
        &self,
        most: Duration,
        asking: impl Future<Output = Result<T, OllamaError>>,
    ) -> Result<T, OllamaError> {
        let late = |_| OllamaError::TimedOut { host: self.host.clone(), seconds: most.as_secs_f64() };
        tokio::time::timeout(most, asking).await.map_err(late)?
    }

    pub(super) fn garbled(&self, error: &dyn std::error::Error) -> OllamaError {
        OllamaError::Garbled { host: self.host.clone(), message: one_line(&error.to_string()) }
    }

    fn unsent(&self, error: TransportError) -> OllamaError {
        let host = self.host.clone();
        match error {
            TransportError::Unreachable { message } | TransportError::Broken { message } => {
                OllamaError::Unreachable { host, message: one_line(&self.endpoint.redact(&message)) }
            }
            TransportError::TimedOut { .. } => {
                OllamaError::TimedOut { host, seconds: self.endpoint.timeouts.connect.as_secs_f64() }
            }
            other @ (TransportError::Other(_) | TransportError::Encoded { .. }) => {
                OllamaError::Address { message: self.words(&other) }
            }
        }
    }

    fn words(&self, error: &dyn std::error::Error) -> String {
        one_line(&self.endpoint.redact(&error_chain(error)))
    }
}
