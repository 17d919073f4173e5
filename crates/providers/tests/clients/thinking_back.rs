//! Models of Chat Completions that want back what they thought.

#![expect(clippy::unwrap_used, reason = "a client that breaks the contract fails the test")]

use std::sync::Arc;

use futures_util::StreamExt;
use serde_json::{Value, json};
use throughline_completion::{Assembly, LanguageModel, ModelError, StopReason};
use throughline_conversation::{ContentBlock, Message, Thinking, ToolCall, ToolResult};
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_providers::openai_chat::OpenAiChatModel;
use throughline_testserver::{Answer, Demand, Received, Script, Server};
use throughline_wire::openai::{OpenAiOptions, ThinkingBack};

use crate::contract::{failure, hello, info, request};

/// Thinking as a server of Chat Completions names it.
fn named(field: &str, text: &str, redacted: Option<&str>) -> Thinking {
    let (signature, redacted) = (Some(field.to_owned()), redacted.map(str::to_owned));
    Thinking { text: text.to_owned(), signature, redacted }
}

fn client(server: &Server, thinking_back: ThinkingBack) -> OpenAiChatModel {
    let endpoint = Endpoint::new(&server.url()).unwrap();
    let options = OpenAiOptions { thinking_back, ..OpenAiOptions::compatible() };
    OpenAiChatModel::new(info("house"), endpoint, Arc::new(ReqwestTransport::default()), options)
}

/// A loop of two calls, a question, and one more call, with a server that refuses what lacks what it demands.
async fn working(demand: Demand, thinking_back: ThinkingBack) -> (Server, Result<(), ModelError>) {
    let signed = |number: u64| format!(r#"{{"google":{{"thought_signature":"Ag{number}="}}}}"#);
    let say = |number: u64| {
        let field = if demand == Demand::Thinking { "reasoning_content" } else { "reasoning" };
        Answer::blocks(vec![
            ContentBlock::Thinking(named(field, &format!("Thought {number}."), None)),
            ContentBlock::Thinking(named("extra_content", "", Some(&signed(number)))),
            ContentBlock::ToolCall(ToolCall {
                id: format!("call_{number}"),
                name: "read".to_owned(),
                input: json!({"path": "a.rs"}),
            }),
        ])
    };
    let script = Script::new().demands(demand);
    let script = [say(1), say(2), Answer::text("It is in a.rs."), say(3), Answer::text("done")]
        .into_iter()
        .fold(script, Script::then);
    let server = Server::start(script).await.unwrap();
    let client = client(&server, thinking_back);
    let mut messages = vec![Message::user("hello")];
    for _ in 0..5 {
        let mut events = match client.stream(&request(messages.clone())).await {
            Ok(events) => events,
            Err(error) => return (server, Err(error)),
        };
        let mut assembly = Assembly::default();
        while let Some(event) = events.next().await {
            assembly.push(event.unwrap());
        }
        let answer = assembly.finish().unwrap();
        let (message, stop) = (answer.message, answer.stop);
        let results: Vec<ToolResult> =
            message.tool_calls().map(|call| ToolResult::text(call.id.as_str(), "ok")).collect();
        messages.push(message);
        messages.push(match stop {
            StopReason::ToolUse => Message::results(results),
            _ => Message::user("and then?"),
        });
    }
    (server, Ok(()))
}

#[tokio::test]
async fn a_model_that_needs_its_thinking_gets_it_back() {
    let (server, worked) = working(Demand::Thinking, ThinkingBack::Always).await;
    worked.unwrap();
    let received = server.received();
    let messages = |received: &Received| received.body["messages"].as_array().unwrap().clone();
    for pair in received.windows(2) {
        assert_eq!(pair[1].faults, Vec::<String>::new());
        // What was sent once is sent again the same.
        assert!(messages(&pair[1]).starts_with(&messages(&pair[0])), "{pair:?}");
    }
    let back = |message: &Value| message["reasoning_content"].as_str().map(str::to_owned);
    let thoughts: Vec<String> = messages(received.last().unwrap()).iter().filter_map(back).collect();
    assert_eq!(thoughts, ["Thought 1.", "Thought 2.", " ", "Thought 3."]);
}

#[tokio::test]
async fn a_signature_of_a_call_goes_back_with_it_and_reasoning_under_its_own_name() {
    let (server, worked) = working(Demand::Signatures, OpenAiOptions::compatible().thinking_back).await;
    worked.unwrap();
    let body = server.received().pop().unwrap().body;
    let first = &body["messages"][2];
    assert_eq!(first["tool_calls"][0]["extra_content"]["google"]["thought_signature"], "Ag1=");
    assert_eq!((first["reasoning"].as_str(), first.get("reasoning_content")), (Some("Thought 1."), None));
    // Without thinking there is nothing to give back.
    assert_eq!(body["messages"][6]["content"], "It is in a.rs.");
    assert_eq!(body["messages"][6].get("reasoning"), None);
}

#[tokio::test]
async fn a_refusal_for_lack_of_thinking_has_a_hint() {
    for demand in [Demand::Thinking, Demand::Signatures] {
        let (server, worked) = working(demand, ThinkingBack::Never).await;
        let error = worked.unwrap_err().to_string();
        let hint = error.ends_with(r#"(set `thinking_back = "always"` for this model in your model file)"#);
        assert_eq!((server.received().len(), hint), (2, demand == Demand::Thinking), "{error}");
    }
    let said = "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property \
                'reasoning_content' is unsupported)]";
    let server = Server::start(Script::new().then(Answer::status(400, json!({"error": {"message": said}}))))
        .await
        .unwrap();
    let error = failure(&client(&server, ThinkingBack::AsItCame), &hello()).await.1.to_string();
    assert!(
        error.ends_with(r#"(set `thinking_back = "never"` for this model in your model file)"#),
        "{error}"
    );
}
