//! Anthropic's models over the network.

#[cfg(feature = "anthropic-sdk")]
mod sdk_transport;

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json as value};
use throughline_completion::{
    CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, ProviderAnswer,
};
use throughline_conversation::ServerAddress;
use throughline_wire::anthropic::{AnthropicOptions, THINKING_BINDING, ThinkingForm, encode_with};
use throughline_wire::validate::anthropic as faults;
use throughline_wire::{AnswerStream, Wire};

use super::compaction::{self, COMPACTION};
use super::refusals::Refusals;
use crate::http::{
    Comparison, Endpoint, HttpRequest, Key, RefusedFields, RefusedTools, Transport, counted, json,
    model_names, names, only, open, valid,
};
use crate::models::ModelTable;

#[cfg(feature = "anthropic-sdk")]
pub use sdk_transport::AnthropicSdkTransport;

pub(super) const PROVIDER: &str = "anthropic";

/// The version of the API that this crate speaks (Anthropic documentation, "Versions").
const VERSION: &str = "2023-06-01";

/// The field that asks why the prompt cache was not reused (Anthropic documentation, "Cache diagnostics").
const DIAGNOSTICS: &str = "diagnostics";

/// The end of a name that asks for the long window, and the feature of the API that gives it (Anthropic documentation, "Context
/// windows").
const LONG: &str = "[1m]";
const LONG_WINDOW: &str = "context-1m-2025-08-07";

/// Tokens of the window that needs no such feature.
const USUAL_WINDOW: u64 = 200_000;

/// Fields that a gateway may not know.
const OPTIONAL: &[&str] = &["output_config"];

/// The name of a model as the API knows it.
#[must_use]
pub fn wire_name(name: &str) -> &str {
    name.strip_suffix(LONG).unwrap_or(name)
}

/// Fields of `POST /v1/messages/count_tokens` (Anthropic documentation, "Token counting").
const COUNTED: &[&str] = &["model", "system", "messages", "tools", "tool_choice", "thinking"];

/// A model of Anthropic, or of a gateway that speaks its Messages API.
///
/// Each request is sent once, and only when [`validate::anthropic`](throughline_wire::validate::anthropic) finds no fault in its body: what the API would
/// refuse costs no request and is reported with its place. Beta headers are sent for [`AnthropicOptions::bound_thinking`], for
/// compaction on demand and for the long window of a name that ends with `[1m]`, since nothing else that is asked for needs one; [`Endpoint::headers`] can bring some.
///
/// Each request of a session names the answer before it, so that the API says why it could not reuse its prompt cache. A
/// server that refuses this is sent the request once more without, and is not asked again. The same holds for cache markers, for a
/// system prompt in blocks, and for a tool whose schema it does not take.
///
/// An answer that ends since the window is full has the stop reason
/// [`Other`](throughline_completion::StopReason::Other)`("model_context_window_exceeded")`: unlike after
/// `max_tokens`, asking for a longer answer does not help.
#[derive(Debug)]
pub struct AnthropicModel {
    info: ModelInfo,
    endpoint: Endpoint,
    transport: Arc<dyn Transport>,
    options: AnthropicOptions,
    comparison: Comparison,
    refusals: Refusals,
    tools: RefusedTools,
    fields: RefusedFields,
}

impl AnthropicModel {
    /// The model that `info` names, at an address whose path may end with `/v1` or not. The built-in table of models
    /// sets the form of thinking and whether it is bound.
    #[must_use]
    pub fn new(info: ModelInfo, endpoint: Endpoint, transport: Arc<dyn Transport>) -> Self {
        let row = ModelTable::builtin().find(PROVIDER, &info.name);
        let options = AnthropicOptions {
            thinking_budget: None,
            thinking_form: row.thinking_form.unwrap_or_default(),
            bound_thinking: row.bound_thinking,
            ..AnthropicOptions::default()
        };
        let comparison = Comparison::new(|error| names(error, &[DIAGNOSTICS]));
        let (tools, fields) = (RefusedTools::default(), RefusedFields::of(OPTIONAL));
        Self { info, endpoint, transport, options, comparison, refusals: Refusals::new(), tools, fields }
    }

    /// Overrides the form of thinking of the built-in table.
    #[must_use]
    pub fn with_thinking_form(mut self, form: ThinkingForm) -> Self {
        self.options.thinking_form = form;
        self
    }

    /// Overrides whether the model's thinking is bound; see
    /// [`AnthropicOptions::bound_thinking`].
    #[must_use]
    pub fn with_bound_thinking(mut self, bound: bool) -> Self {
        self.options.bound_thinking = bound;
        self
    }

    /// The same with extended thinking; [`AnthropicOptions::thinking_budget`] says when it is left out, and
    /// [`AnthropicOptions::thinking_form`] what becomes of the number where the model takes none.
    #[must_use]
    pub fn with_thinking(mut self, budget_tokens: u64) -> Self {
        self.options.thinking_budget = Some(budget_tokens);
        self
    }

    /// All input tokens of a request, tools and system prompt included, as the API counts them. Free of charge, but
    /// it has a rate limit of its own. The API calls it an estimate that may be off by a few tokens.
    ///
    /// # Errors
    /// The API's error, or [`ModelError::InvalidRequest`] if it returns no count.
    pub async fn count(&self, request: &CompletionRequest) -> Result<u64, ModelError> {
        let body = only(self.body(request)?, COUNTED);
        let request = self.http("/messages/count_tokens", &body);
        let answer = json(PROVIDER, self.transport.as_ref(), &self.endpoint, request).await?;
        counted(&answer, "input_tokens")
    }

    async fn send(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let http = self.http("/messages", &self.body(request)?);
        open(
            PROVIDER,
            self.transport.as_ref(),
            &self.endpoint,
            http,
            AnswerStream::after(Wire::Anthropic, request),
        )
        .await
    }

    async fn send_for_summary(
        &self,
        request: &CompletionRequest,
        instructions: &str,
    ) -> Result<EventStream, ModelError> {
        let mut body = self.encoded(request);
        if let Value::Object(fields) = &mut body {
            fields.insert(compaction::FIELD.to_owned(), compaction::asked(instructions));
        }
        valid(PROVIDER, &faults(&body))?;
        let mut http = self.http("/messages", &body);
        add_beta(&mut http.headers, COMPACTION);
        open(
            PROVIDER,
            self.transport.as_ref(),
            &self.endpoint,
            http,
            AnswerStream::after(Wire::Anthropic, request),
        )
        .await
    }

    /// The body, with the name of the model as the API knows it.
    fn encoded(&self, request: &CompletionRequest) -> Value {
        let mut body = encode_with(&self.tools.without(request), &self.refusals.options_now(self.options));
        if let (true, Value::Object(fields)) = (request.model.ends_with(LONG), &mut body) {
            fields.insert("model".to_owned(), value!(wire_name(&request.model)));
        }
        body
    }

    /// A body without faults.
    fn body(&self, request: &CompletionRequest) -> Result<Value, ModelError> {
        let mut body = self.encoded(request);
        if let (Some(previous), Value::Object(fields)) = (self.comparison.asked(request), &mut body) {
            fields.insert(DIAGNOSTICS.to_owned(), value!({ "previous_message_id": previous }));
        }
        // Which form of thinking the model takes is not asked a second time: the user's table may know better.
        valid(PROVIDER, &faults(&body))?;
        Ok(self.fields.without(body))
    }

    fn http(&self, path: &str, body: &Value) -> HttpRequest {
        let mut headers = vec![("content-type".to_owned(), Key::new("application/json"))];
        headers.extend(self::headers(&self.endpoint));
        if self.info.name.ends_with(LONG) && self.info.window > USUAL_WINDOW {
            add_beta(&mut headers, LONG_WINDOW);
        }
        if self.options.bound_thinking {
            add_beta(&mut headers, THINKING_BINDING);
        }
        HttpRequest { url: self.endpoint.url("/v1", path), headers, body: body.to_string().into() }
    }
}

/// The names of the models that the API serves, in its order. Proves that the address and the key are good, and costs
/// nothing.
///
/// # Errors
/// As for a request: [`ModelError::Unavailable`] when nothing answers, [`ModelError::Unauthorized`] for a key that is
/// refused, [`ModelError::InvalidRequest`] when what answers is no such API.
pub async fn served_models(
    endpoint: &Endpoint,
    transport: &dyn Transport,
) -> Result<Vec<String>, ModelError> {
    // One page holds all of them: the API returns 20 by default, and 1,000 at most.
    let url = endpoint.url("/v1", "/models?limit=1000");
    model_names(PROVIDER, transport, endpoint, HttpRequest::get(url, headers(endpoint))).await
}

/// The headers of every request: the API version, the key, and the user's own.
pub(super) fn headers(endpoint: &Endpoint) -> Vec<(String, Key)> {
    let mut headers = vec![("anthropic-version".to_owned(), Key::new(VERSION))];
    headers.extend(endpoint.key.iter().map(|key| ("x-api-key".to_owned(), key.clone())));
    // Last, so that a gateway's own win.
    headers.extend(endpoint.headers.iter().cloned());
    headers
}

/// Adds to the features that are asked for; the user's own stay.
fn add_beta(headers: &mut Vec<(String, Key)>, feature: &str) {
    const NAME: &str = "anthropic-beta";
    // Of two headers of a name the last one is sent.
    match headers.iter_mut().rfind(|(name, _)| name.eq_ignore_ascii_case(NAME)) {
        Some((_, value)) => *value = Key::new(format!("{},{feature}", value.expose())),
        None => headers.push((NAME.to_owned(), Key::new(feature))),
    }
}

#[async_trait]
impl LanguageModel for AnthropicModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn server(&self) -> Option<ServerAddress> {
        self.endpoint.server()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let compared = self.comparison.asked(request).map(|_| &self.comparison.fields);
        let mut sent = self.send(request).await;
        while self.refusals.refuses_some(compared, &sent)
            || self.fields.refuses_some(&sent)
            || self.tools.refuses_some(request, || self.body(request).ok(), &sent)
        {
            sent = self.send(request).await;
        }
        sent.map(|events| self.tools.reported(self.comparison.follow(request, events)))
    }

    async fn count(&self, request: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        Self::count(self, request).await.map(Some)
    }

    async fn compact(
        &self,
        request: &CompletionRequest,
        instructions: &str,
    ) -> Result<ProviderAnswer, ModelError> {
        match self.send_for_summary(request, instructions).await {
            Ok(events) => compaction::read(events).await,
            Err(error) => compaction::refused(error),
        }
    }
}
