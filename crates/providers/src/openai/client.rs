//! OpenAI's models, and those of servers that speak like it, over the network.

mod carried;
mod connection;
mod settings;

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo};
use throughline_conversation::Message;

use super::{OpenAiOptions, encode_chat_with, encode_responses_with};
use crate::client::{Endpoint, Transport, answer_prefix, read, sent, valid, value};
use crate::{AnswerStream, validate};
use connection::Connection;
pub(crate) use settings::api_base;

/// What `POST /v1/responses/input_tokens` takes of a request's body (OpenAI API reference, "Get input token
/// counts").
const COUNTED: &[&str] = &["model", "instructions", "input", "tools"];

/// A model of OpenAI, or of a server that speaks one of its APIs.
///
/// The library async-openai knows the paths, makes the requests and signs them; a [`Transport`] sends them. The
/// bodies and the reading of answers are this crate's own, since the library's types drop what they do not know.
///
/// Each request is sent once, and only when the validator of its API finds no fault in its body.
///
/// The base URL is written as for OpenAI's own libraries, with its version: `https://api.openai.com/v1`. One
/// without any path gets `/v1`. A server without a key is sent no `Authorization` header.
#[derive(Debug)]
pub struct OpenAiModel {
    info: ModelInfo,
    endpoint: Endpoint,
    api: Api,
    options: OpenAiOptions,
    connection: Connection,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Api {
    Chat,
    Responses,
}

impl OpenAiModel {
    /// The model that `info` names, by the Chat Completions API, which nearly every server speaks.
    #[must_use]
    pub fn chat(info: ModelInfo, endpoint: Endpoint, transport: Arc<dyn Transport>) -> Self {
        Self::new(Api::Chat, info, endpoint, transport)
    }

    /// The model that `info` names, by the Responses API. Reasoning models keep their reasoning between tool calls
    /// here, and only here.
    #[must_use]
    pub fn responses(info: ModelInfo, endpoint: Endpoint, transport: Arc<dyn Transport>) -> Self {
        Self::new(Api::Responses, info, endpoint, transport)
    }

    fn new(api: Api, info: ModelInfo, endpoint: Endpoint, transport: Arc<dyn Transport>) -> Self {
        let connection = Connection::new(&endpoint, transport);
        Self { info, endpoint, api, options: OpenAiOptions::openai(), connection }
    }

    /// The same for a server that differs from OpenAI's own, see [`OpenAiOptions::compatible`].
    #[must_use]
    pub fn with_options(mut self, options: OpenAiOptions) -> Self {
        self.options = options;
        self
    }

    /// All input tokens of a request, tools and instructions included, as the provider counts them. Responses API
    /// only.
    ///
    /// # Errors
    /// What the provider answers, or [`ModelError::InvalidRequest`] when it gives no count or its API has none.
    pub async fn count(&self, request: &CompletionRequest) -> Result<u64, ModelError> {
        if self.api == Api::Chat {
            let message = "Chat Completions has no way to count tokens; use the Responses API, or a probe";
            return Err(ModelError::InvalidRequest { message: message.to_owned() });
        }
        let mut body = self.body(request)?;
        if let Value::Object(fields) = &mut body {
            fields.retain(|name, _| COUNTED.contains(&name.as_str()));
        }
        let (provider, url) = (&self.info.provider, self.connection.url());
        let answer = sent(provider, url, &self.endpoint, self.connection.input_tokens(&body)).await?;
        let answer = value(provider, url, &self.endpoint, answer).await?;
        answer.get("input_tokens").and_then(Value::as_u64).ok_or_else(|| ModelError::InvalidRequest {
            message: "the answer to a count of tokens holds no `input_tokens`; check the base URL".to_owned(),
        })
    }

    /// A body without faults.
    fn body(&self, request: &CompletionRequest) -> Result<Value, ModelError> {
        let (body, faults) = match self.api {
            Api::Chat => {
                let body = encode_chat_with(request, self.options);
                let faults = validate::openai_chat(&body);
                (body, faults)
            }
            Api::Responses => {
                let body = encode_responses_with(request, self.options);
                let faults = validate::openai_responses(&body);
                (body, faults)
            }
        };
        valid(&self.info.provider, &faults)?;
        Ok(body)
    }

    fn decoder(&self, request: &CompletionRequest) -> AnswerStream {
        match self.api {
            Api::Chat => AnswerStream::openai_chat_after(answer_prefix(), call_ids(request)),
            Api::Responses => AnswerStream::openai_responses(),
        }
    }
}

/// Ids that calls have already. Some servers count them anew in each answer, and a request with one id twice is
/// refused everywhere.
fn call_ids(request: &CompletionRequest) -> impl Iterator<Item = String> {
    request.transcript.messages().flat_map(Message::tool_calls).map(|call| call.id.clone())
}

#[async_trait]
impl LanguageModel for OpenAiModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let body = self.body(request)?;
        let decoder = self.decoder(request);
        let (provider, url) = (&self.info.provider, self.connection.url());
        let answer = match self.api {
            Api::Chat => sent(provider, url, &self.endpoint, self.connection.chat(&body)).await?,
            Api::Responses => sent(provider, url, &self.endpoint, self.connection.responses(&body)).await?,
        };
        read(provider, url, &self.endpoint, answer, decoder).await.map_err(with_the_mend)
    }

    async fn count(&self, request: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        match self.api {
            Api::Chat => Ok(None),
            Api::Responses => Self::count(self, request).await.map(Some),
        }
    }
}

/// Says what to do where the provider's words do not.
fn with_the_mend(error: ModelError) -> ModelError {
    match error {
        // OpenAI, of a model that does not reason.
        ModelError::InvalidRequest { message }
            if message.starts_with("Encrypted content is not supported") =>
        {
            let mend = "set `encrypted_reasoning` to false for this model";
            ModelError::InvalidRequest { message: format!("{message} ({mend})") }
        }
        ModelError::InvalidRequest { message } if is_about_thinking(&message) => {
            // "must be passed back" (DeepSeek), "is missing" (Kimi); "is unsupported" (Groq), "not permitted".
            let lacks = ["passed back", "missing", "required"].iter().any(|word| message.contains(word));
            let value = if lacks { "always" } else { "never" };
            let mend = format!("set `thinking_back = \"{value}\"` for this model in your model file");
            ModelError::InvalidRequest { message: format!("{message} ({mend})") }
        }
        other => other,
    }
}

/// Whether a refusal is about thinking that went back, or should have.
fn is_about_thinking(message: &str) -> bool {
    message.contains("reasoning_content")
        || (message.contains("messages")
            && ["'reasoning'", ".reasoning"].iter().any(|name| message.contains(name)))
}

#[cfg(test)]
mod tests;
