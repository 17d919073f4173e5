//! Models behind the Chat Completions API, over the network.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo};
use throughline_conversation::ServerAddress;
use throughline_wire::openai::{MOST_TOOLS, OpenAiOptions};
use throughline_wire::openai_chat::{encode, with_hint};
use throughline_wire::validate::openai_chat as faults;
use throughline_wire::{AnswerStream, Wire};

use super::refusals::Refusals;
use crate::http::{Endpoint, RefusedFields, RefusedTools, Transport, open, valid};
use crate::openai::endpoint::post;

/// A model of OpenAI, or of any server that speaks Chat Completions.
///
/// Each request is sent once, but for forms, fields and tools that the server refuses, and only when [`validate::openai_chat`](throughline_wire::validate::openai_chat) finds no fault in
/// its body.
///
/// The base URL is written as for OpenAI's own libraries, with its version: `https://api.openai.com/v1`. One
/// without any path gets `/v1`. A server without a key is sent no `Authorization` header.
#[derive(Debug)]
pub struct OpenAiChatModel {
    info: ModelInfo,
    endpoint: Endpoint,
    transport: Arc<dyn Transport>,
    options: OpenAiOptions,
    refusals: Refusals,
    tools: RefusedTools,
    fields: RefusedFields,
}

/// Fields that a server may not know.
const OPTIONAL: &[&str] = &["prompt_cache_key", "reasoning_effort"];

impl OpenAiChatModel {
    /// The model that `info` names, at a server with these options.
    #[must_use]
    pub fn new(
        info: ModelInfo,
        endpoint: Endpoint,
        transport: Arc<dyn Transport>,
        options: OpenAiOptions,
    ) -> Self {
        let tools = RefusedTools::of_most(Some(MOST_TOOLS));
        let fields = RefusedFields::of(OPTIONAL);
        Self { info, endpoint, transport, options, refusals: Refusals::new(), tools, fields }
    }

    async fn send(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let http = post(&self.endpoint, "/chat/completions", &self.body(request)?);
        let decoder = AnswerStream::after(Wire::OpenAiChat, request);
        open(&self.info.provider, self.transport.as_ref(), &self.endpoint, http, decoder)
            .await
            .map_err(with_hint)
    }

    /// A body without faults.
    fn body(&self, request: &CompletionRequest) -> Result<Value, ModelError> {
        let options = self.refusals.options_now(self.options, &self.info.name);
        let body = encode(&self.tools.without(request), options);
        valid(&self.info.provider, &faults(&body))?;
        Ok(self.fields.without(body))
    }
}

#[async_trait]
impl LanguageModel for OpenAiChatModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn server(&self) -> Option<ServerAddress> {
        self.endpoint.server()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let mut sent = self.send(request).await;
        while self.refusals.refuses_some(self.options, &sent)
            || self.fields.refuses_some(&sent)
            || self.tools.refuses_some(request, || self.body(request).ok(), &sent)
        {
            sent = self.send(request).await;
        }
        sent.map(|events| self.tools.reported(events))
    }

    async fn count(&self, _: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        // The API has no way to count tokens.
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
