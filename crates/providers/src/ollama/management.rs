//! Lists and pulls the models of an Ollama server.

mod asking;
mod facts;

use std::fmt;
use std::sync::Arc;

use futures_util::StreamExt;
use ollama_rs::models as library;
use serde::Deserialize;
use serde_json::json;
use throughline_wire::stream::NdjsonLines;

use super::errors::OllamaError;
use crate::http::{Endpoint, ReqwestTransport, Transport, host, sendable};

pub use facts::{LocalModel, LocalModelInfo, PullProgress};

/// Status of the last step of a successful pull.
const SUCCESS: &str = "success";

/// A server of Ollama: which models it has, what they can do, and fetching more.
///
/// Answers are read as types of ollama-rs. The library's own requests are not used: they know no `https`, follow
/// redirects with the key, and go to this very machine by way of a proxy when the environment names one. A
/// [`Transport`] sends them.
pub struct Ollama {
    transport: Arc<dyn Transport>,
    endpoint: Endpoint,
    host: String,
}

#[derive(Deserialize)]
struct Listed {
    models: Vec<library::LocalModel>,
}

impl Ollama {
    /// The server at this address, which may end with `/api` or not.
    ///
    /// # Errors
    /// [`OllamaError::Address`] for a key or a header that cannot be sent.
    pub fn new(endpoint: &Endpoint) -> Result<Self, OllamaError> {
        Self::by(Arc::new(ReqwestTransport::new(endpoint.timeouts)), endpoint)
    }

    /// The same by a transport that is there already.
    ///
    /// # Errors
    /// As for [`Ollama::new`].
    pub fn by(transport: Arc<dyn Transport>, endpoint: &Endpoint) -> Result<Self, OllamaError> {
        let made = Self { transport, endpoint: endpoint.clone(), host: host(&endpoint.base_url) };
        sendable(&made.headers()).map_err(|message| OllamaError::Address { message })?;
        Ok(made)
    }

    /// The models that the server has, in its order: the last changed first.
    ///
    /// # Errors
    /// See [`OllamaError`].
    pub async fn list(&self) -> Result<Vec<LocalModel>, OllamaError> {
        let listed: Listed = self.wait(self.patience(), self.value("/tags", None)).await?;
        Ok(listed.models.into_iter().map(LocalModel::from).collect())
    }

    /// Facts about a model.
    ///
    /// # Errors
    /// [`OllamaError::NoSuchModel`] when the server does not have it; see [`OllamaError`] for more.
    pub async fn show(&self, name: &str) -> Result<LocalModelInfo, OllamaError> {
        let asking = self.value::<library::ModelInfo>("/show", Some(json!({"name": name})));
        let info = self.wait(self.patience(), asking).await.map_err(|error| error.about(name))?;
        Ok(LocalModelInfo::from(info))
    }

    /// Fetches a model, or what is new of it. `on_progress` is called for each step; it should return quickly. Dropping the
    /// future stops the fetching; the server stores what it has and continues from there the next time.
    ///
    /// # Errors
    /// [`OllamaError::NoSuchModel`] when no model has this name, [`OllamaError::Interrupted`] when the server
    /// stopped before it was done; see [`OllamaError`] for more.
    pub async fn pull(
        &self,
        name: &str,
        mut on_progress: impl FnMut(PullProgress) + Send,
    ) -> Result<(), OllamaError> {
        let body = json!({"name": name, "insecure": false, "stream": true});
        let asking = self.ask("/pull", Some(body));
        let mut steps = self.wait(self.patience(), asking).await.map_err(|error| error.about(name))?.body;
        let mut lines = NdjsonLines::new();
        loop {
            // Between two steps the server checks whole files, in silence.
            let next = async { Ok(steps.next().await) };
            let (said, over) = match self.wait(self.patience(), next).await? {
                Some(Ok(bytes)) => (lines.push(&bytes), false),
                // A pull that broke off or ended can be continued.
                Some(Err(_)) | None => {
                    let last = std::mem::take(&mut lines).finish();
                    (last.map(Ok).into_iter().collect(), true)
                }
            };
            for line in said {
                let line = line.map_err(|error| self.garbled(&error))?;
                let step = self.step(&line).map_err(|error| error.about(name))?;
                let done = step.message == SUCCESS;
                on_progress(PullProgress::from(step));
                if done {
                    return Ok(());
                }
            }
            if over {
                return Err(OllamaError::Interrupted { host: self.host.clone() });
            }
        }
    }

    /// A line of the answer to a pull: a step, or an error.
    fn step(&self, line: &str) -> Result<library::pull::PullModelStatus, OllamaError> {
        if let Some(error) = OllamaError::of_body(&self.host, line, |text| self.endpoint.redact(text)) {
            return Err(error);
        }
        serde_json::from_str(line).map_err(|error| self.garbled(&error))
    }
}

impl fmt::Debug for Ollama {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ollama").field("host", &self.host).finish_non_exhaustive()
    }
}
