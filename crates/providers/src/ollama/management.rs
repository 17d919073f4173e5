//! What a server of Ollama has, and getting more of it.

mod error;
mod facts;

use std::fmt;
use std::future::Future;
use std::time::Duration;

use futures_util::StreamExt;
use ollama_rs::error::OllamaError as LibraryError;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::client::{Endpoint, Timeouts, host};

pub use error::OllamaError;
pub use facts::{LocalModel, LocalModelInfo, PullProgress};

/// What the server says at the end of a pull that went well.
const SUCCESS: &str = "success";

/// A server of Ollama: which models it has, what they can do, and fetching more.
///
/// By the library ollama-rs, which speaks plain `http` only, and takes proxies from the environment for every
/// address (`NO_PROXY` takes some out).
pub struct Ollama {
    library: ollama_rs::Ollama,
    host: String,
    timeouts: Timeouts,
    /// For errors: what a server says may quote a key.
    endpoint: Endpoint,
}

impl Ollama {
    /// The server at this address, which may end with `/api` or not.
    ///
    /// # Errors
    /// [`OllamaError::Address`] for an address or a header that the library cannot use.
    pub fn new(endpoint: &Endpoint) -> Result<Self, OllamaError> {
        let base = endpoint.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/api").unwrap_or(base);
        if !base.starts_with("http://") {
            let message = "only http:// addresses can be asked for their models, since the library is built without \
                           TLS; put the address of the machine itself, or of a tunnel to it";
            return Err(OllamaError::Address { message: message.to_owned() });
        }
        let headers = headers(endpoint).map_err(|message| OllamaError::Address { message })?;
        // The library adds its paths without a slash.
        let url = Url::parse(&format!("{base}/"))
            .map_err(|error| OllamaError::Address { message: format!("the address is no URL ({error})") })?;
        let library = ollama_rs::Ollama::builder().url(url).request_headers(headers).build();
        Ok(Self { library, host: host(base), timeouts: endpoint.timeouts, endpoint: endpoint.clone() })
    }

    /// Asks for a sign of life.
    ///
    /// # Errors
    /// [`OllamaError::Unreachable`] and [`OllamaError::TimedOut`] when there is none within this time, or what came
    /// instead of it.
    pub async fn reachable(&self, within: Duration) -> Result<(), OllamaError> {
        self.wait(within, self.library.list_local_models()).await.map(drop)
    }

    /// The models that the server has, in its order: the last changed first.
    ///
    /// # Errors
    /// See [`OllamaError`].
    pub async fn list(&self) -> Result<Vec<LocalModel>, OllamaError> {
        let models = self.wait(self.timeouts.first_byte, self.library.list_local_models()).await?;
        Ok(models.into_iter().map(LocalModel::from).collect())
    }

    /// What a model is and can do.
    ///
    /// # Errors
    /// [`OllamaError::NoSuchModel`] when the server does not have it; see [`OllamaError`] for more.
    pub async fn show(&self, name: &str) -> Result<LocalModelInfo, OllamaError> {
        let asking = self.library.show_model_info(name.to_owned());
        let info = self.wait(self.timeouts.first_byte, asking).await.map_err(|error| error.about(name))?;
        Ok(LocalModelInfo::from(info))
    }

    /// Fetches a model, or what is new of it. `on_progress` is told each step; it should be quick. Dropping the
    /// future stops the fetching; the server keeps what it has and goes on from there the next time.
    ///
    /// # Errors
    /// [`OllamaError::NoSuchModel`] when there is none of this name, [`OllamaError::Interrupted`] when the server
    /// stopped before it was done; see [`OllamaError`] for more.
    pub async fn pull(
        &self,
        name: &str,
        mut on_progress: impl FnMut(PullProgress) + Send,
    ) -> Result<(), OllamaError> {
        // Between two steps the server checks whole files, in silence.
        let patience = self.timeouts.first_byte;
        let asking = self.library.pull_model_stream(name.to_owned(), false);
        let mut steps = self.wait(patience, asking).await.map_err(|error| error.about(name))?;
        loop {
            let next = async { steps.next().await.transpose() };
            match self.wait(patience, next).await.map_err(|error| error.about(name))? {
                None => return Err(OllamaError::Interrupted { host: self.host.clone() }),
                Some(step) => {
                    let done = step.message == SUCCESS;
                    on_progress(PullProgress::from(step));
                    if done {
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn wait<T>(
        &self,
        most: Duration,
        asking: impl Future<Output = Result<T, LibraryError>>,
    ) -> Result<T, OllamaError> {
        match tokio::time::timeout(most, asking).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(OllamaError::of(&self.host, error, |text| self.endpoint.redact(text))),
            Err(_) => Err(OllamaError::TimedOut { host: self.host.clone(), seconds: most.as_secs_f64() }),
        }
    }
}

impl fmt::Debug for Ollama {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ollama").field("host", &self.host).finish_non_exhaustive()
    }
}

fn headers(endpoint: &Endpoint) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in endpoint.bearer().iter().chain(&endpoint.headers) {
        let field = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| format!("{name:?} is no name of a header"))?;
        let mut value = HeaderValue::from_str(value.expose())
            .map_err(|_| format!("the value of header {name} has characters that no header can carry"))?;
        value.set_sensitive(true);
        headers.insert(field, value);
    }
    Ok(headers)
}
