//! What every client does, whatever the wire.
//!
//! A [`Wire`] says how a client is made and what its wire can tell; [`suite!`](crate::suite) runs the whole contract
//! for it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a client that breaks the contract fails the test")]

pub(crate) mod answers;
pub(crate) mod failures;
pub(crate) mod secrets;
pub(crate) mod streams;

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use serde_json::{Value, json};
use throughline_completion::{
    Assembly, CompletionEvent, CompletionRequest, LanguageModel, ModelError, ModelInfo, StopReason,
};
use throughline_conversation::{
    Message, SectionText, SessionId, Thinking, ToolDefinition, ToolOrigin, Transcript, Usage,
};
use throughline_providers::http::{Endpoint, Key, Timeouts};
use throughline_testserver::{Answer, Received, Script, Server};

/// The key of all tests: of no provider's form, and with characters that an escape would change.
pub(crate) const KEY: &str = "canary/4711+abc=def";

/// A client and its wire.
#[derive(Clone, Copy)]
pub(crate) struct Wire {
    /// Makes a client of the model `m` for an address.
    pub(crate) model: fn(Endpoint) -> Arc<dyn LanguageModel>,
    /// Whether requests carry a key.
    pub(crate) keyed: bool,
    /// Whether calls have ids on the wire; else the client makes them.
    pub(crate) ids: bool,
    /// Whether a body gives this thinking back unaltered; `None` when the wire takes none back.
    pub(crate) gives_back: Option<fn(&Value, &Thinking) -> bool>,
    /// Thinking as this wire carries it, given what the script says.
    pub(crate) thinking: fn(Thinking) -> Thinking,
    /// Usage as this wire can tell it.
    pub(crate) usage: fn(Usage) -> Usage,
    /// Stop reasons of the script, and what arrives.
    pub(crate) stops: &'static [(StopReason, StopReason)],
    /// Whether a request that is too long is answered with the limit.
    pub(crate) limit: bool,
}

/// A test for each part of the contract, in a module of this name.
#[macro_export]
macro_rules! suite {
    ($module:ident, $wire:expr) => {
        $crate::suite!(
            @ $module, $wire,
            answers { a_text, a_text_in_small_pieces, parallel_calls, thinking_goes_back, usage, reasons_to_stop,
                an_empty_answer, broken_arguments }
            failures { too_many_requests, overload, a_wrong_key, a_request_that_is_too_long, a_page, no_server,
                an_invalid_request }
            streams { a_cut_answer, a_broken_piece, an_error_inside, a_slow_answer, a_silent_answer, a_silent_server,
                a_dropped_answer, a_dropped_request, a_slow_reader }
            secrets { the_key_shows_nowhere }
        );
    };
    (@ $module:ident, $wire:expr, $($part:ident { $($test:ident),* })*) => {
        mod $module {
            use super::*;
            $($(
                #[tokio::test]
                async fn $test() {
                    $crate::contract::$part::$test(&$wire).await;
                }
            )*)*
        }
    };
}

/// Waits that a test can sit out.
pub(crate) fn short() -> Timeouts {
    let wait = Duration::from_millis(2_500);
    Timeouts { connect: wait, first_byte: wait, idle: wait }
}

/// Facts of the model `m`.
pub(crate) fn info(provider: &str) -> ModelInfo {
    ModelInfo { provider: provider.to_owned(), ..ModelInfo::with_window("m", 8_192, 1_024) }
}

impl Wire {
    /// A server with these answers. It wants the key, if the wire has one.
    pub(crate) async fn server(&self, answers: impl IntoIterator<Item = Answer>) -> Server {
        let script = if self.keyed { Script::new().key(KEY) } else { Script::new() };
        Server::start(answers.into_iter().fold(script, Script::then)).await.unwrap()
    }

    pub(crate) fn endpoint(&self, url: &str) -> Endpoint {
        let endpoint = Endpoint::new(url).unwrap();
        if self.keyed { endpoint.with_key(Key::new(KEY)) } else { endpoint }
    }

    pub(crate) fn client(&self, server: &Server) -> Arc<dyn LanguageModel> {
        (self.model)(self.endpoint(&server.url()))
    }

    /// A client that soon loses its patience.
    pub(crate) fn impatient(&self, server: &Server) -> Arc<dyn LanguageModel> {
        (self.model)(Endpoint { timeouts: short(), ..self.endpoint(&server.url()) })
    }
}

/// A request with a system prompt, two tools and these messages.
pub(crate) fn request(messages: impl IntoIterator<Item = Message>) -> CompletionRequest {
    let tool = |name: &str| ToolDefinition {
        name: name.to_owned(),
        description: "Reads a file.".to_owned(),
        input_schema: json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        origin: ToolOrigin::Builtin,
    };
    let section = SectionText {
        name: "base".to_owned(),
        text: "You are an agent.".to_owned(),
        cacheable: true,
        skill: false,
    };
    CompletionRequest {
        model: "m".to_owned(),
        session: Some(SessionId::new("s-1").unwrap()),
        tools: Arc::new([tool("read"), tool("list")]),
        system: Arc::new([section]),
        transcript: Transcript::from_messages(messages),
        tail: Vec::new(),
        breakpoints: Vec::new(),
        max_output_tokens: 512,
    }
}

/// A request of one message.
pub(crate) fn hello() -> CompletionRequest {
    request([Message::user("hello")])
}

/// The events of a whole answer.
pub(crate) async fn events(model: &dyn LanguageModel, request: &CompletionRequest) -> Vec<CompletionEvent> {
    let (events, error) = outcome(model, request).await;
    assert!(error.is_none(), "{error:?} behind {events:?}");
    events
}

/// The message of a whole answer, why it ended, and what it cost.
pub(crate) async fn answer(
    model: &dyn LanguageModel,
    request: &CompletionRequest,
) -> (Message, StopReason, Option<Usage>) {
    let mut assembly = Assembly::default();
    events(model, request).await.into_iter().for_each(|event| assembly.push(event));
    let answer = assembly.finish().unwrap();
    (answer.message, answer.stop, answer.usage)
}

/// The error of a request, and the events before it.
pub(crate) async fn failure(
    model: &dyn LanguageModel,
    request: &CompletionRequest,
) -> (Vec<CompletionEvent>, ModelError) {
    let (events, error) = outcome(model, request).await;
    match error {
        Some(error) => (events, error),
        None => panic!("a whole answer: {events:?}"),
    }
}

/// Everything that comes of a request. There is one end, and nothing behind it.
async fn outcome(
    model: &dyn LanguageModel,
    request: &CompletionRequest,
) -> (Vec<CompletionEvent>, Option<ModelError>) {
    let mut events = Vec::new();
    let mut stream = match model.stream(request).await {
        Ok(stream) => stream,
        Err(error) => return (events, Some(error)),
    };
    let mut error = None;
    while let Some(item) = stream.next().await {
        assert!(error.is_none(), "something behind the error: {item:?}");
        assert!(!matches!(events.last(), Some(CompletionEvent::Finished(_))), "behind the end: {item:?}");
        match item {
            Ok(event) => events.push(event),
            Err(failed) => error = Some(failed),
        }
    }
    assert!(stream.next().await.is_none());
    let finished = matches!(events.last(), Some(CompletionEvent::Finished(_)));
    assert_ne!(finished, error.is_some(), "{events:?} {error:?}");
    (events, error)
}

/// The one request that came in; nothing was sent twice.
pub(crate) fn only(server: &Server) -> Received {
    let mut received = server.received();
    assert_eq!(received.len(), 1, "{received:?}");
    received.remove(0)
}

/// Waits until the server has seen that the client is gone.
pub(crate) async fn hangs_up(server: &Server) {
    for _ in 0..3_000 {
        if server.received().iter().any(|received| received.hung_up) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the connection is still open: {:?}", server.received());
}
