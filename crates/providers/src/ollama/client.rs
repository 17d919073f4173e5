//! Local models behind Ollama, over the network.

mod truncation;

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use serde_json::Value;
use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo,
};
use throughline_conversation::{ServerAddress, TokenCounter};
use throughline_wire::ollama::{THINK, encode, think};
use throughline_wire::validate::ollama as faults;
use throughline_wire::{AnswerStream, Wire};

use crate::http::{Endpoint, HttpRequest, Key, RefusedTools, Transport, open, valid};
use truncation::{Conversation, RequestFigures, ServerHistory, TruncationCheck};

const PROVIDER: &str = "ollama";

/// A model that Ollama serves.
///
/// `num_ctx` is the window of the [`ModelInfo`] in every request: a change of it makes the server load the model
/// again. How long the server keeps the model loaded is left to the server.
///
/// A server that truncates a long request does not report it. So the number of tokens that it has read is
/// compared with what was sent, and with what it read before, and an answer that is surely one to a part of the
/// request ends with [`ModelError::Overflow`] instead of its stop reason: the instructions and the tools are what is
/// cut off first.
///
/// Each request is sent once, but for tools that the server refuses, and only when [`validate::ollama`](throughline_wire::validate::ollama) finds no fault in its body.
#[derive(Debug)]
pub struct OllamaModel {
    info: ModelInfo,
    endpoint: Endpoint,
    transport: Arc<dyn Transport>,
    counter: Arc<dyn TokenCounter>,
    history: Arc<ServerHistory>,
    think: Option<Value>,
    tools: RefusedTools,
}

impl OllamaModel {
    /// The model that `info` names, at an address whose path may end with `/api` or not. The counter is the one
    /// of the transcript's figures; any estimate will do.
    #[must_use]
    pub fn new(
        info: ModelInfo,
        endpoint: Endpoint,
        transport: Arc<dyn Transport>,
        counter: Arc<dyn TokenCounter>,
    ) -> Self {
        let (history, tools) = (Arc::default(), RefusedTools::default());
        Self { info, endpoint, transport, counter, history, think: None, tools }
    }

    /// The same with thinking, or without it for 0; see [`think`].
    #[must_use]
    pub fn with_thinking(mut self, budget_tokens: u64) -> Self {
        self.think = think(&self.info.name, budget_tokens);
        self
    }

    fn http(&self, body: &Value) -> HttpRequest {
        let mut headers = vec![("content-type".to_owned(), Key::new("application/json"))];
        // Ollama itself takes no key; a proxy in front of it may.
        headers.extend(self.endpoint.bearer());
        headers.extend(self.endpoint.headers.iter().cloned());
        HttpRequest { url: self.endpoint.url("/api", "/chat"), headers, body: body.to_string().into() }
    }
}

#[async_trait]
impl LanguageModel for OllamaModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn server(&self) -> Option<ServerAddress> {
        self.endpoint.server()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let body = || Some(encode(&self.tools.without(request), self.info.window));
        let mut sent = self.send(request).await;
        while self.tools.refuses_some(request, body, &sent) {
            sent = self.send(request).await;
        }
        sent.map(|events| self.tools.reported(events))
    }
}

impl OllamaModel {
    async fn send(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let request = &*self.tools.without(request);
        let mut body = encode(request, self.info.window);
        if let (Some(think), Value::Object(fields)) = (&self.think, &mut body) {
            fields.insert(THINK.to_owned(), think.clone());
        }
        valid(PROVIDER, &faults(&body))?;
        let sent = RequestFigures::new(request, &body, self.counter.as_ref());
        let http = self.http(&body);
        let decoder = AnswerStream::after(Wire::Ollama, request);
        let events = open(PROVIDER, self.transport.as_ref(), &self.endpoint, http, decoder).await?;
        let mut check = TruncationCheck::new(
            Conversation::new(request),
            sent,
            self.info.window,
            Arc::clone(&self.history),
        );
        Ok(events.map(move |event| event.and_then(|event| checked(&mut check, event))).boxed())
    }
}

/// The event, or the error that replaces the end of an answer to a truncated request.
fn checked(check: &mut TruncationCheck, event: CompletionEvent) -> Result<CompletionEvent, ModelError> {
    match &event {
        CompletionEvent::Usage(usage) => check.reported(usage.prompt()),
        CompletionEvent::Finished(_) => check.end()?,
        _ => {}
    }
    Ok(event)
}

#[cfg(test)]
mod tests;
