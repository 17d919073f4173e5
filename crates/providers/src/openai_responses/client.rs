//! Models behind the Responses API, over the network.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json as value};
use throughline_completion::{
    CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, ProviderAnswer,
};
use throughline_conversation::ServerAddress;
use throughline_wire::openai::{MOST_TOOLS, OpenAiOptions};
use throughline_wire::openai_responses::{CACHE_OPTIONS, encode};
use throughline_wire::validate::openai_responses as faults;
use throughline_wire::{AnswerStream, Wire};

use super::compaction;
use super::errors::{refuses_breakpoints, refuses_comparison, refuses_seals};
use crate::http::{
    Comparison, Endpoint, Refusable, RefusedFields, RefusedTools, Transport, counted, json, only, open,
    refuses_some, valid,
};
use crate::openai::endpoint::post;

/// Fields of `POST /v1/responses/input_tokens` (OpenAI API reference, "Get input token
/// counts").
const COUNTED: &[&str] = &["model", "instructions", "input", "tools"];

/// The provider whose own server takes no more tools than [`MOST_TOOLS`].
const OPENAI: &str = "openai";

/// The field that asks why the prompt cache was not reused (OpenAI documentation, "Prompt caching diagnostics").
pub(super) const COMPARED: &str = "comparison_response_id";

/// A model behind the Responses API. Reasoning models keep their reasoning between tool calls here, and only here.
///
/// Reasoning is asked for in its encrypted form until the server refuses that; the request is then sent once more without,
/// and so are all later ones. The same holds for cache breakpoints, for the question why the cache was not reused, for fields that the
/// server does not know and for tools that it does not take. Otherwise each request is sent once, and only when [`validate::openai_responses`](throughline_wire::validate::openai_responses) finds no
/// fault in its body. The base URL is written as for [`OpenAiChatModel`](crate::openai_chat::OpenAiChatModel).
#[derive(Debug)]
pub struct OpenAiResponsesModel {
    info: ModelInfo,
    endpoint: Endpoint,
    transport: Arc<dyn Transport>,
    options: OpenAiOptions,
    /// Reasoning in its encrypted form.
    seals: Refusable,
    breakpoints: Refusable,
    comparison: Comparison,
    tools: RefusedTools,
    fields: RefusedFields,
}

/// Fields that a server may not know.
const OPTIONAL: &[&str] = &["prompt_cache_key", "store", "max_output_tokens"];

impl OpenAiResponsesModel {
    /// The model that `info` names, at a server with these options.
    #[must_use]
    pub fn new(
        info: ModelInfo,
        endpoint: Endpoint,
        transport: Arc<dyn Transport>,
        options: OpenAiOptions,
    ) -> Self {
        let tools = RefusedTools::of_most((info.provider == OPENAI).then_some(MOST_TOOLS));
        Self {
            info,
            endpoint,
            transport,
            options,
            seals: Refusable::new(refuses_seals),
            breakpoints: Refusable::new(refuses_breakpoints),
            comparison: Comparison::new(refuses_comparison),
            tools,
            fields: RefusedFields::of(OPTIONAL),
        }
    }

    /// All input tokens of a request, tools and instructions included, as the provider counts them.
    ///
    /// # Errors
    /// The provider's error, or [`ModelError::InvalidRequest`] if it returns no count.
    pub async fn count(&self, request: &CompletionRequest) -> Result<u64, ModelError> {
        let body = only(self.body(request)?, COUNTED);
        let http = post(&self.endpoint, "/responses/input_tokens", &body);
        let answer = json(&self.info.provider, self.transport.as_ref(), &self.endpoint, http).await?;
        counted(&answer, "input_tokens")
    }

    async fn send(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let http = post(&self.endpoint, "/responses", &self.body(request)?);
        let decoder = AnswerStream::after(Wire::OpenAiResponses, request);
        open(&self.info.provider, self.transport.as_ref(), &self.endpoint, http, decoder).await
    }

    /// The response that a request is compared with.
    fn compared(&self, request: &CompletionRequest) -> Option<String> {
        self.comparison.asked(request).filter(|_| self.options.cache_diagnostics)?
    }

    /// The options without what the server has refused.
    fn options_now(&self) -> OpenAiOptions {
        OpenAiOptions {
            encrypted_reasoning: self.options.encrypted_reasoning && self.seals.is_taken(),
            cache_breakpoints: self.options.cache_breakpoints && self.breakpoints.is_taken(),
            ..self.options
        }
    }

    /// A body without faults.
    fn body(&self, request: &CompletionRequest) -> Result<Value, ModelError> {
        let mut body = encode(&self.tools.without(request), self.options_now());
        if let (Some(response), Value::Object(fields)) = (self.compared(request), &mut body) {
            let asked = fields.entry(CACHE_OPTIONS).or_insert_with(|| value!({}));
            if let Value::Object(asked) = asked {
                asked.insert(COMPARED.to_owned(), value!(response));
            }
        }
        valid(&self.info.provider, &faults(&body))?;
        Ok(self.fields.without(body))
    }
}

#[async_trait]
impl LanguageModel for OpenAiResponsesModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn server(&self) -> Option<ServerAddress> {
        self.endpoint.server()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let asked = [
            self.options.seals(&request.model).then_some(&self.seals),
            self.options.cache_breakpoints.then_some(&self.breakpoints),
            self.compared(request).map(|_| &self.comparison.fields),
        ];
        let asked: Vec<&Refusable> = asked.into_iter().flatten().collect();
        let mut sent = self.send(request).await;
        while refuses_some(&asked, &sent)
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

    /// The API takes no instructions for what it writes.
    async fn compact(
        &self,
        request: &CompletionRequest,
        _instructions: &str,
    ) -> Result<ProviderAnswer, ModelError> {
        let mut body = encode(&self.tools.without(request), self.options_now());
        valid(&self.info.provider, &faults(&body))?;
        body = compaction::body(body);
        let http = post(&self.endpoint, "/responses/compact", &body);
        match json(&self.info.provider, self.transport.as_ref(), &self.endpoint, http).await {
            Ok(answer) => Ok(compaction::read(&answer)),
            Err(error) => compaction::refused(error),
        }
    }
}
