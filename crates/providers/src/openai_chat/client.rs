//! Models behind the Chat Completions API, over the network.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo};
use throughline_conversation::ServerAddress;
use throughline_wire::openai::{CallIdForm, MaxTokensField, OpenAiOptions};
use throughline_wire::openai_chat::{encode, with_hint};
use throughline_wire::validate::openai_chat as faults;
use throughline_wire::{AnswerStream, Wire};

use crate::http::{Endpoint, Refusable, Transport, names, open, refuses_some, valid};
use crate::openai::endpoint::post;

/// Families whose servers take ids of nine letters alone.
const MISTRAL: &[&str] =
    &["mistral", "mixtral", "ministral", "codestral", "devstral", "magistral", "pixtral"];

/// Returns true if a server does not take the form of a call's id.
fn refuses_ids(error: &ModelError) -> bool {
    let ModelError::InvalidRequest { message } = error else { return false };
    let lower = message.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    has(&["tool call id", "tool_call_id", "tool_calls", "call id"])
        && has(&["must be a-z", "must match", "pattern", "characters", "a-z", "length"])
}

fn asks_for_nine(error: &ModelError) -> bool {
    names(error, &["length of 9", "9 characters", "nine characters"])
}

/// A model of OpenAI, or of any server that speaks Chat Completions.
///
/// Each request is sent once, and only when [`validate::openai_chat`](throughline_wire::validate::openai_chat) finds no fault in
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
    /// Ids as the server wrote them.
    given_ids: Refusable,
    /// Ids of more or less than nine letters.
    long_ids: Refusable,
    /// The older name of the maximum of the answer's tokens. Servers that pass requests on to OpenAI's reasoning models refuse it.
    max_tokens: Refusable,
}

impl OpenAiChatModel {
    /// The model that `info` names, at a server with these options.
    #[must_use]
    pub fn new(
        info: ModelInfo,
        endpoint: Endpoint,
        transport: Arc<dyn Transport>,
        options: OpenAiOptions,
    ) -> Self {
        let given_ids = Refusable::new(|error| refuses_ids(error) && !asks_for_nine(error));
        let long_ids = Refusable::new(|error| refuses_ids(error) && asks_for_nine(error));
        let max_tokens = Refusable::new(|error| names(error, &["max_completion_tokens"]));
        Self { info, endpoint, transport, options, given_ids, long_ids, max_tokens }
    }

    /// The options without what the server has refused.
    fn options_now(&self) -> OpenAiOptions {
        let name = self.info.name.to_ascii_lowercase();
        let is_mistral = MISTRAL.iter().any(|family| name.contains(family));
        let call_ids = match self.options.call_ids {
            _ if is_mistral || !self.long_ids.is_taken() => CallIdForm::NineLetters,
            _ if !self.given_ids.is_taken() => CallIdForm::Plain,
            form => form,
        };
        let max_tokens_field = if self.max_tokens.is_taken() {
            self.options.max_tokens_field
        } else {
            MaxTokensField::MaxCompletionTokens
        };
        OpenAiOptions { call_ids, max_tokens_field, ..self.options }
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
        let body = encode(request, self.options_now());
        valid(&self.info.provider, &faults(&body))?;
        Ok(body)
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
        let asked = match self.options.max_tokens_field {
            MaxTokensField::MaxTokens => vec![&self.given_ids, &self.long_ids, &self.max_tokens],
            MaxTokensField::MaxCompletionTokens => vec![&self.given_ids, &self.long_ids],
        };
        while refuses_some(&asked, &sent) {
            sent = self.send(request).await;
        }
        sent
    }

    async fn count(&self, _: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        // The API has no way to count tokens.
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
