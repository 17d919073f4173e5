//! Models behind the Responses API, over the network.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use serde_json::{Value, json as value};
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo};

use super::encode::encode;
use super::errors::refuses_seals;
use super::validate::openai_responses as faults;
use crate::http::{Comparison, Endpoint, Transport, json, open, valid};
use crate::openai::endpoint::post;
use crate::openai::options::OpenAiOptions;
use crate::stream::AnswerStream;

/// Fields of `POST /v1/responses/input_tokens` (OpenAI API reference, "Get input token
/// counts").
const COUNTED: &[&str] = &["model", "instructions", "input", "tools"];

/// The field that asks why the prompt cache was not reused, and the one in it (OpenAI documentation, "Prompt caching
/// diagnostics").
const CACHE_OPTIONS: &str = "prompt_cache_options";
const COMPARED: &str = "comparison_response_id";

/// A model behind the Responses API. Reasoning models keep their reasoning between tool calls here, and only here.
///
/// Reasoning is asked for in its encrypted form until the server refuses that; the request is then sent once more without,
/// and so are all later ones. Otherwise each request is sent once, and only when [`validate::openai_responses`](crate::validate::openai_responses) finds no
/// fault in its body. The base URL is written as for [`OpenAiChatModel`](crate::openai_chat::OpenAiChatModel).
#[derive(Debug)]
pub struct OpenAiResponsesModel {
    info: ModelInfo,
    endpoint: Endpoint,
    transport: Arc<dyn Transport>,
    options: OpenAiOptions,
    /// The server refused to encrypt reasoning.
    unsealed: AtomicBool,
    comparison: Comparison,
}

impl OpenAiResponsesModel {
    /// The model that `info` names, at a server with these options.
    #[must_use]
    pub fn new(
        info: ModelInfo,
        endpoint: Endpoint,
        transport: Arc<dyn Transport>,
        options: OpenAiOptions,
    ) -> Self {
        Self {
            info,
            endpoint,
            transport,
            options,
            unsealed: AtomicBool::new(false),
            comparison: Comparison::default(),
        }
    }

    /// All input tokens of a request, tools and instructions included, as the provider counts them.
    ///
    /// # Errors
    /// The provider's error, or [`ModelError::InvalidRequest`] if it returns no count.
    pub async fn count(&self, request: &CompletionRequest) -> Result<u64, ModelError> {
        let mut body = self.body(request)?;
        if let Value::Object(fields) = &mut body {
            fields.retain(|name, _| COUNTED.contains(&name.as_str()));
        }
        let http = post(&self.endpoint, "/responses/input_tokens", &body);
        let answer = json(&self.info.provider, self.transport.as_ref(), &self.endpoint, http).await?;
        answer.get("input_tokens").and_then(Value::as_u64).ok_or_else(|| ModelError::InvalidRequest {
            message: "the answer to a count of tokens holds no `input_tokens`; check the base URL".to_owned(),
        })
    }

    async fn send(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let http = post(&self.endpoint, "/responses", &self.body(request)?);
        let decoder = AnswerStream::openai_responses();
        open(&self.info.provider, self.transport.as_ref(), &self.endpoint, http, decoder).await
    }

    /// The response that a request is compared with.
    fn compared(&self, request: &CompletionRequest) -> Option<String> {
        self.comparison.asked(request).filter(|_| self.options.cache_diagnostics)?
    }

    /// A body without faults.
    fn body(&self, request: &CompletionRequest) -> Result<Value, ModelError> {
        let seals = self.options.encrypted_reasoning && !self.unsealed.load(Ordering::Relaxed);
        let mut body = encode(request, OpenAiOptions { encrypted_reasoning: seals, ..self.options });
        if let (Some(response), Value::Object(fields)) = (self.compared(request), &mut body) {
            fields.insert(CACHE_OPTIONS.to_owned(), value!({ COMPARED: response }));
        }
        valid(&self.info.provider, &faults(&body))?;
        Ok(body)
    }
}

#[async_trait]
impl LanguageModel for OpenAiResponsesModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let seals = self.options.seals(&request.model) && !self.unsealed.load(Ordering::Relaxed);
        let sent = match self.send(request).await {
            Err(error) if seals && refuses_seals(&error) => {
                tracing::debug!(%error, "the server does not encrypt reasoning; asking without");
                self.unsealed.store(true, Ordering::Relaxed);
                self.send(request).await
            }
            Err(error)
                if self.compared(request).is_some()
                    && self.comparison.is_refused(&error, &[CACHE_OPTIONS, COMPARED]) =>
            {
                self.send(request).await
            }
            sent => sent,
        };
        sent.map(|events| self.comparison.follow(request, events))
    }

    async fn count(&self, request: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        Self::count(self, request).await.map(Some)
    }
}
