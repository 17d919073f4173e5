//! Forms that a server refuses are left out from then on.

#![expect(clippy::unwrap_used, reason = "a client that does otherwise fails the test")]

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_completion::{CompletionRequest, LanguageModel};
use throughline_conversation::{
    CacheBreakpoint, CacheTtl, ContentBlock, Image, Message, Place, Role, ToolCall, ToolResult,
};
use throughline_providers::anthropic::AnthropicModel;
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_providers::openai_chat::OpenAiChatModel;
use throughline_testserver::{Answer, Script, Server};
use throughline_wire::openai::OpenAiOptions;

use crate::contract::{answer, info, request};

/// A turn that stopped behind the results of its calls, and the next message of the user.
fn stopped_turn() -> CompletionRequest {
    let call = |id: &str| {
        let call = ToolCall { id: id.to_owned(), name: "read".to_owned(), input: json!({}) };
        Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] }
    };
    let picture = Image { media_type: "image/png".to_owned(), data: "aW1n".to_owned() };
    let shown = ToolResult { images: vec![picture], ..ToolResult::text("c1", "shown") };
    let messages = [
        Message::user("look"),
        call("c1"),
        Message::results([shown]),
        call("c2"),
        Message::results([ToolResult::text("c2", "read")]),
        Message::user("and now?"),
    ];
    let place = CacheBreakpoint { place: Place::Section(0), ttl: CacheTtl::OneHour };
    CompletionRequest { session: None, breakpoints: vec![place], ..request(messages) }
}

/// The body that a server refuses in these words, with this status, and the one that is sent in its place, and later at once.
async fn bodies(status: u16, words: &str, model: impl Fn(Endpoint) -> Box<dyn LanguageModel>) -> [Value; 2] {
    bodies_of(&stopped_turn(), status, words, model).await
}

async fn bodies_of(
    turn: &CompletionRequest,
    status: u16,
    words: &str,
    model: impl Fn(Endpoint) -> Box<dyn LanguageModel>,
) -> [Value; 2] {
    let refusal = json!({"error": {"message": words, "type": "invalid_request_error"}});
    let script = Script::new().then(Answer::status(status, refusal)).then(Answer::text("ok")).repeat_last();
    let server = Server::start(script).await.unwrap();
    let model = model(Endpoint::new(&server.url()).unwrap());
    answer(model.as_ref(), turn).await;
    answer(model.as_ref(), turn).await;
    let received = server.received();
    assert_eq!(
        received.iter().flat_map(|one| &one.faults).collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "{words}"
    );
    let bodies: Vec<Value> = received.into_iter().map(|one| one.body).collect();
    let [first, second, third] = bodies.try_into().unwrap();
    assert_eq!(second, third, "{words}");
    [first, second]
}

fn chat(options: OpenAiOptions) -> impl Fn(Endpoint) -> Box<dyn LanguageModel> {
    move |endpoint| {
        let transport = Arc::new(ReqwestTransport::default());
        Box::new(OpenAiChatModel::new(info("compatible"), endpoint, transport, options))
    }
}

fn anthropic(endpoint: Endpoint) -> Box<dyn LanguageModel> {
    Box::new(AnthropicModel::new(info("anthropic"), endpoint, Arc::new(ReqwestTransport::default())))
}

/// The roles of a body's messages, by their first letters.
fn roles(body: &Value) -> String {
    let role = |message: &Value| message["role"].as_str().unwrap().chars().next().unwrap();
    body["messages"].as_array().unwrap().iter().map(role).collect()
}

/// The ids of a body's calls and results.
fn ids(body: &Value) -> Vec<&str> {
    let messages = body["messages"].as_array().unwrap().iter();
    let ids = messages.flat_map(|message| [message.pointer("/tool_calls/0/id"), message.get("tool_call_id")]);
    ids.flatten().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn calls_have_ids_in_the_form_that_a_server_asks_for() {
    let given = "functions.read:0";
    let call = ToolCall { id: given.to_owned(), name: "read".to_owned(), input: json!({}) };
    let call = Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] };
    let turn = request([Message::user("look"), call, Message::results([ToolResult::text(given, "shown")])]);
    for (words, is_nine) in [
        ("Invalid 'messages[2].tool_call_id': it must match '^[a-zA-Z0-9_-]+$'", false),
        ("Tool call id was functions.read:0 but must be a-z, A-Z, 0-9, with a length of 9.", true),
    ] {
        let bodies = bodies_of(&turn, 400, words, chat(OpenAiOptions::compatible())).await;
        assert_eq!(ids(&bodies[0]), [given, given]);
        let sent = ids(&bodies[1]);
        let plain = |id: &&str| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        assert!(sent.iter().all(plain) && sent[0] == sent[1], "{sent:?}");
        assert_eq!(sent[0].len() == 9, is_nine, "{sent:?}");
    }
}

#[tokio::test]
async fn usage_is_not_asked_for_where_the_question_is_refused() {
    for words in [
        "Extra inputs are not permitted: stream_options",
        "Unrecognized request argument supplied: stream_options",
        "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options')}]",
    ] {
        let bodies = bodies(400, words, chat(OpenAiOptions::compatible())).await;
        assert!(bodies[0].get("stream_options").is_some() && bodies[1].get("stream_options").is_none());
    }
}

#[tokio::test]
async fn a_message_of_calls_alone_has_an_empty_text_where_a_null_is_refused() {
    for words in [
        "messages.2.content: Input should be a valid string",
        "Invalid value for 'content': expected a string, got null.",
        "content must not be null",
    ] {
        let bodies = bodies(400, words, chat(OpenAiOptions::compatible())).await;
        let content = |body: &Value| body["messages"][2]["content"].clone();
        assert_eq!((content(&bodies[0]), content(&bodies[1])), (Value::Null, json!("")));
    }
}

#[tokio::test]
async fn the_system_prompt_begins_the_users_first_message_where_its_role_is_refused() {
    for (status, words) in [
        (400, "System role not supported"),
        (500, "System role not supported"),
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it"),
        (400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
    ] {
        let bodies = bodies(status, words, chat(OpenAiOptions::compatible())).await;
        assert_eq!((roles(&bodies[0]).as_str(), roles(&bodies[1]).as_str()), ("suatuatu", "uatuatu"));
        assert_eq!(bodies[1]["messages"][0]["content"], "You are an agent.\n\nlook");
    }
}

#[tokio::test]
async fn a_message_of_the_model_stands_behind_results_where_the_users_is_refused() {
    for (status, words) in [
        (400, "Unexpected role 'user' after role 'tool'"),
        (500, "After the optional system message, conversation roles must alternate user/assistant/user/…"),
    ] {
        let bodies = bodies(status, words, chat(OpenAiOptions::compatible())).await;
        assert_eq!((roles(&bodies[0]).as_str(), roles(&bodies[1]).as_str()), ("suatuatu", "suatauatau"));
        assert_eq!(bodies[1]["messages"][4]["content"], "[no answer yet]");
    }
}

#[tokio::test]
async fn cache_markers_are_left_out_where_their_field_is_refused() {
    let words = "system.0.cache_control: Extra inputs are not permitted";
    let marked = OpenAiOptions { cache_control: true, ..OpenAiOptions::compatible() };
    for bodies in [bodies(400, words, chat(marked)).await, bodies(400, words, anthropic).await] {
        let marks = |body: &Value| body.to_string().matches("cache_control").count();
        assert_eq!((marks(&bodies[0]), marks(&bodies[1])), (1, 0));
    }
    let bodies = bodies(400, "cache_control.ephemeral.ttl: Extra inputs are not permitted", anthropic).await;
    let marker = |body: &Value| body["system"][0]["cache_control"].clone();
    assert_eq!(marker(&bodies[0]), json!({"type": "ephemeral", "ttl": "1h"}));
    assert_eq!(marker(&bodies[1]), json!({"type": "ephemeral"}));
}

#[tokio::test]
async fn the_system_prompt_is_one_text_where_blocks_are_refused() {
    let bodies = bodies(400, "system: Input should be a valid string", anthropic).await;
    assert!(bodies[0]["system"].is_array());
    assert_eq!(bodies[1]["system"], "You are an agent.");
}

#[tokio::test]
async fn mistrals_models_get_that_order_and_ids_of_nine_letters_at_once() {
    let server = Server::start(Script::new().then(Answer::text("ok"))).await.unwrap();
    let info =
        throughline_completion::ModelInfo { name: "mistral-large-latest".to_owned(), ..info("compatible") };
    let endpoint = Endpoint::new(&server.url()).unwrap();
    let transport = Arc::new(ReqwestTransport::default());
    let model = OpenAiChatModel::new(info, endpoint, transport, OpenAiOptions::compatible());
    answer(&model, &stopped_turn()).await;
    let body = server.received()[0].body.clone();
    assert_eq!(roles(&body), "suatauatau");
    assert_eq!(ids(&body).into_iter().map(str::len).collect::<Vec<_>>(), [9; 4]);
}
