//! What a server says of the window of a model, before the first request.
//!
//! OpenAI's API has no field for it, and every server that speaks like OpenAI's has one of its own. Anthropic's has fields;
//! gateways and servers that speak like it have them, the fields of the others, or none.

use serde_json::Value;
use throughline_completion::ModelError;

use crate::http::{Endpoint, HttpRequest, Key, Transport, json};

/// Limits of a model, as its server describes it, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServedWindow {
    /// Its window.
    pub window: Option<u64>,
    /// The window that it was made for: what the server gives it may be less.
    pub native: Option<u64>,
    /// The most tokens of an answer.
    pub max_output: Option<u64>,
}

/// What a field of a description means.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    Window,
    Native,
    MaxOutput,
}

/// Fields of an entry in a list of models; of each meaning the first one with a number counts.
const FORMS: &[(&str, Meaning)] = &[
    // vLLM, SGLang.
    ("/max_model_len", Meaning::Window),
    // LM Studio's own API.
    ("/loaded_context_length", Meaning::Window),
    // OpenRouter: the provider that is asked first may have less than the model.
    ("/top_provider/context_length", Meaning::Window),
    // OpenRouter, Together, Fireworks.
    ("/context_length", Meaning::Window),
    // Groq.
    ("/context_window", Meaning::Window),
    // llama.cpp: what one request may have, then what the model was made for.
    ("/meta/n_ctx", Meaning::Window),
    ("/meta/n_ctx_train", Meaning::Native),
    // Anthropic's Models API, which serves all of what it names.
    ("/max_input_tokens", Meaning::Window),
    // Mistral, and LM Studio of a model that is not loaded.
    ("/max_context_length", Meaning::Native),
    ("/top_provider/max_completion_tokens", Meaning::MaxOutput),
    ("/max_completion_tokens", Meaning::MaxOutput),
];

/// llama.cpp's description of the server.
const PROPS: &str = "/props";
const PROPS_WINDOW: &str = "/default_generation_settings/n_ctx";

/// LM Studio's own list of models.
const LM_STUDIO: &str = "/api/v0/models";

/// A server, and how it is asked.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// For errors.
    pub(crate) provider: &'static str,
    pub(crate) endpoint: &'a Endpoint,
    pub(crate) transport: &'a dyn Transport,
    pub(crate) headers: Vec<(String, Key)>,
    /// The address of its list of models.
    pub(crate) list: String,
}

impl Asked<'_> {
    /// The limits of a model by the server's list of models, then by the descriptions that llama.cpp and LM Studio have elsewhere.
    /// `None`: it does not describe the model.
    ///
    /// # Errors
    /// As for a request. Another place that fails after the list is no error.
    pub(crate) async fn listed(&self, model: &str) -> Result<Option<ServedWindow>, ModelError> {
        let list = self.get(self.list.clone()).await?;
        let Some(entry) = entry(&list, model) else { return Ok(None) };
        let mut found = ServedWindow::of(entry);
        if found.window.is_some() {
            return Ok(Some(found));
        }
        let owner = entry.get("owned_by").and_then(Value::as_str).unwrap_or_default();
        let elsewhere = |path: &str| self.get(format!("{}{path}", root(&self.list)));
        if owner == "llamacpp" || entry.get("meta").is_some() {
            let props = elsewhere(PROPS).await.unwrap_or_default();
            found.window = tokens(&props, PROPS_WINDOW);
        } else if owner == "organization_owner" {
            let list = elsewhere(LM_STUDIO).await.unwrap_or_default();
            found = self::entry(&list, model).map_or(found, ServedWindow::of);
        }
        Ok((found != ServedWindow::default()).then_some(found))
    }

    /// What is at an address of the server.
    ///
    /// # Errors
    /// As for a request.
    pub(crate) async fn get(&self, url: String) -> Result<Value, ModelError> {
        let request = HttpRequest::get(url, self.headers.clone());
        json(self.provider, self.transport, self.endpoint, request).await
    }
}

impl ServedWindow {
    /// The limits in the description of one model by Anthropic's Models API.
    #[cfg(feature = "anthropic")]
    pub(crate) fn of_anthropic(described: &Value) -> Self {
        // Others have other figures under this name.
        Self { max_output: tokens(described, "/max_tokens"), ..Self::of(described) }
    }

    /// The limits in the description of a model.
    fn of(entry: &Value) -> Self {
        let mut found = Self::default();
        for (pointer, meaning) in FORMS {
            let place = match meaning {
                Meaning::Window => &mut found.window,
                Meaning::Native => &mut found.native,
                Meaning::MaxOutput => &mut found.max_output,
            };
            *place = place.or_else(|| tokens(entry, pointer));
        }
        found
    }
}

/// The entry of a model; of a server with one model alone that one, since such a server often takes any name.
fn entry<'a>(list: &'a Value, model: &str) -> Option<&'a Value> {
    // Together's list has nothing around it.
    let list = list.get("data").unwrap_or(list).as_array()?;
    let named = |entry: &&Value| entry.get("id").and_then(Value::as_str) == Some(model);
    list.iter().find(named).or_else(|| list.first().filter(|_| list.len() == 1))
}

/// A number of tokens above 0; some servers write it as a text.
fn tokens(value: &Value, pointer: &str) -> Option<u64> {
    let value = value.pointer(pointer)?;
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).filter(|tokens| *tokens > 0)
}

/// The address of a server with this list of models: without the version of the API, as servers of one machine have it.
fn root(list: &str) -> &str {
    let base = list.split_once("/models").map_or(list, |(base, _)| base);
    base.strip_suffix("/v1").unwrap_or(base)
}

#[cfg(test)]
mod tests;
