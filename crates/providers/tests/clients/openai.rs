//! OpenAI's APIs, Chat Completions and Responses, by async-openai.

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_completion::probe;
use throughline_completion::{CompletionRequest, LanguageModel, ModelError, StopReason};
use throughline_conversation::{ContentBlock, Message, Thinking, ToolCall, ToolResult, Usage};
use throughline_providers::http::{Endpoint, Key, ReqwestTransport};
use throughline_providers::openai_chat::OpenAiChatModel;
use throughline_providers::openai_responses::OpenAiResponsesModel;
use throughline_testserver::{Answer, ErrorKind, Script, Server};
use throughline_wire::openai::OpenAiOptions;

use crate::contract::{KEY, Wire, answer, failure, hangs_up, hello, info, only, request};

const CHAT: Wire = Wire {
    model: |endpoint| Arc::new(chat(endpoint)),
    keyed: true,
    ids: true,
    gives_back: None,
    thinking: |sent| Thinking { signature: Some("reasoning_content".to_owned()), ..sent },
    usage: |sent| sent,
    stops: &[
        (StopReason::EndTurn, StopReason::EndTurn),
        (StopReason::MaxTokens, StopReason::MaxTokens),
        (StopReason::Refusal, StopReason::Refusal),
    ],
    limit: true,
};

const RESPONSES: Wire = Wire {
    model: |endpoint| Arc::new(responses(endpoint)),
    thinking: |sent| sent,
    stops: &[(StopReason::EndTurn, StopReason::EndTurn), (StopReason::MaxTokens, StopReason::MaxTokens)],
    limit: false,
    ..CHAT
};

crate::suite!(by_chat, CHAT);
crate::suite!(by_responses, RESPONSES);

fn chat(endpoint: Endpoint) -> OpenAiChatModel {
    chat_with(endpoint, OpenAiOptions::openai())
}

fn chat_with(endpoint: Endpoint, options: OpenAiOptions) -> OpenAiChatModel {
    OpenAiChatModel::new(info("openai"), endpoint, Arc::new(ReqwestTransport::default()), options)
}

fn responses(endpoint: Endpoint) -> OpenAiResponsesModel {
    responses_with(endpoint, OpenAiOptions::openai())
}

fn responses_with(endpoint: Endpoint, options: OpenAiOptions) -> OpenAiResponsesModel {
    OpenAiResponsesModel::new(info("openai"), endpoint, Arc::new(ReqwestTransport::default()), options)
}

fn call(id: &str, name: &str, path: &str) -> ContentBlock {
    let (id, name) = (id.to_owned(), name.to_owned());
    ContentBlock::ToolCall(ToolCall { id, name, input: json!({"path": path}) })
}

// S3-31
#[tokio::test]
async fn a_request_has_the_headers_of_the_api_and_no_more() {
    for (wire, path) in [(CHAT, "/v1/chat/completions"), (RESPONSES, "/v1/responses")] {
        for base in ["", "/v1", "/v1/"] {
            let server = wire.server([Answer::text("ok")]).await;
            let endpoint = wire.endpoint(&format!("{}{base}", server.url()));
            answer((wire.model)(endpoint).as_ref(), &hello()).await;
            let received = only(&server);
            assert_eq!((received.method.as_str(), received.path.as_str()), ("POST", path));
            for (name, value) in
                [("authorization", format!("Bearer {KEY}")), ("content-type", "application/json".to_owned())]
            {
                let times = received.headers.iter().filter(|(known, _)| known == name).count();
                assert_eq!((received.header(name), times), (Some(value.as_str()), 1), "{name}");
            }
            for name in ["openai-organization", "openai-project", "openai-beta", "x-api-key"] {
                assert_eq!(received.header(name), None, "{name}");
            }
        }
    }
}

#[tokio::test]
async fn a_server_without_a_key_is_sent_none() {
    let server = Server::start(Script::new().then(Answer::text("ok")).repeat_last()).await.unwrap();
    let endpoint = Endpoint::new(&server.url()).unwrap().with_header("x-gateway", Key::new("tenant-7"));
    let options = OpenAiOptions::compatible();
    let models: [Box<dyn LanguageModel>; 2] =
        [Box::new(chat_with(endpoint.clone(), options)), Box::new(responses_with(endpoint, options))];
    for model in models {
        answer(model.as_ref(), &hello()).await;
    }
    for received in server.received() {
        assert_eq!(received.header("authorization"), None);
        assert_eq!(received.header("x-gateway"), Some("tenant-7"));
        assert_eq!(received.body.get("prompt_cache_key"), None);
        assert_eq!(received.faults, Vec::<String>::new());
    }
    let body = &server.received()[0].body;
    assert_eq!((&body["max_tokens"], body.get("max_completion_tokens")), (&json!(512), None));
}

/// Servers that pass requests on to OpenAI's reasoning models, such as Azure's, refuse the older name.
#[tokio::test]
async fn the_newer_name_of_the_maximum_is_sent_where_the_older_one_is_refused() {
    let refusal = json!({"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. \
        Use 'max_completion_tokens' instead.", "type": "invalid_request_error", "code": "unsupported_parameter"}});
    let script = Script::new().then(Answer::status(400, refusal)).then(Answer::text("ok")).repeat_last();
    let server = Server::start(script).await.unwrap();
    let model = chat_with(Endpoint::new(&server.url()).unwrap(), OpenAiOptions::compatible());
    answer(&model, &hello()).await;
    answer(&model, &hello()).await;
    let sent: Vec<_> = server
        .received()
        .iter()
        .map(|one| (one.body.get("max_tokens").is_some(), one.body.get("max_completion_tokens").is_some()))
        .collect();
    assert_eq!(sent, [(true, false), (false, true), (false, true)]);
}

#[tokio::test]
async fn the_session_leads_to_the_cache() {
    for wire in [CHAT, RESPONSES] {
        let usage = Usage { input: 100, cache_read: 4_096, cache_write: 0, output: 3, searches: 0 };
        let server = wire.server([Answer::text("ok").usage(usage)]).await;
        let (_, _, reported) = answer(wire.client(&server).as_ref(), &hello()).await;
        assert_eq!(only(&server).body["prompt_cache_key"], json!("s-1"));
        assert_eq!(reported, Some(usage));
    }
}

#[tokio::test]
async fn usage_is_asked_for_unless_the_server_refuses_the_question() {
    let server = CHAT.server([Answer::text("ok"), Answer::text("ok")]).await;
    let asks = chat(CHAT.endpoint(&server.url()));
    assert!(answer(&asks, &hello()).await.2.is_some());
    let options = OpenAiOptions { stream_usage: false, ..OpenAiOptions::compatible() };
    let silent = chat_with(CHAT.endpoint(&server.url()), options);
    assert_eq!(answer(&silent, &hello()).await.2, None);
    assert_eq!(server.received()[1].body.get("stream_options"), None);
}

#[tokio::test]
async fn a_failed_request_is_sent_once() {
    // The library would send each of them up to four times by itself.
    for wire in [CHAT, RESPONSES] {
        for status in [408, 409, 429, 500, 502, 503] {
            let server = wire.server([Answer::status(status, json!({"error": {"message": "later"}}))]).await;
            let (_, error) = failure(wire.client(&server).as_ref(), &hello()).await;
            assert!(status == 409 || error.is_transient(), "{status}: {error:?}");
            only(&server);
        }
    }
}

#[tokio::test]
async fn pieces_of_two_calls_may_alternate() {
    let piece = |index: u64, id: Option<&str>, name: Option<&str>, arguments: &str| {
        let mut call = json!({"index": index, "function": {"arguments": arguments}});
        if let (Some(id), Some(name)) = (id, name) {
            call = json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
        }
        json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": null}]})
    };
    let chunks = [
        piece(0, Some("call_a"), Some("read"), ""),
        piece(1, Some("call_b"), Some("list"), "{\"pa"),
        piece(0, None, None, "{\"path\":"),
        piece(1, None, None, "th\":\"b\"}"),
        piece(0, None, None, "\"a\"}"),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    let stream: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    let body = format!("{stream}data: [DONE]\n\n").into_bytes();
    let server = CHAT.server([Answer::raw("text/event-stream", body).pieces_of(7)]).await;
    let (message, stop, _) = answer(CHAT.client(&server).as_ref(), &hello()).await;
    assert_eq!(message.content, [call("call_a", "read", "a"), call("call_b", "list", "b")]);
    assert_eq!(stop, StopReason::ToolUse);
}

#[tokio::test]
async fn openai_itself_is_not_given_its_reasoning_back() {
    let signature = Some("reasoning_content".to_owned());
    let thought = Thinking { text: "Which file?".to_owned(), signature, redacted: None };
    let said = vec![ContentBlock::Thinking(thought.clone()), ContentBlock::Text { text: "a.rs".to_owned() }];
    let server = CHAT.server([Answer::blocks(said.clone()), Answer::text("done")]).await;
    let client = CHAT.client(&server);
    let (message, _, _) = answer(client.as_ref(), &hello()).await;
    assert_eq!(message.content, said);
    answer(client.as_ref(), &request([Message::user("hello"), message, Message::user("and?")])).await;
    let body = server.received()[1].body.to_string();
    assert!(body.contains("a.rs") && !body.contains("Which file?"), "{body}");
}

/// A server that numbers its calls from the start in each answer, as some do.
#[tokio::test]
async fn ids_do_not_repeat_within_a_session() {
    let one = Answer::call("call_0", "read", json!({"path": "a"}));
    let server = CHAT.server([one.clone(), one, Answer::text("done")]).await;
    let client = CHAT.client(&server);
    let mut messages = vec![Message::user("hello")];
    for _ in 0..2 {
        let (message, _, _) = answer(client.as_ref(), &request(messages.clone())).await;
        let results = message.tool_calls().map(|call| ToolResult::text(call.id.as_str(), "ok"));
        let results = Message::results(results.collect::<Vec<_>>());
        messages.extend([message, results]);
    }
    let ids: Vec<&str> = messages.iter().flat_map(Message::tool_calls).map(|call| call.id.as_str()).collect();
    assert!(ids[0] == "call_0" && ids[1] != "call_0", "{ids:?}");
    answer(client.as_ref(), &request(messages.clone())).await;
    assert!(server.received().iter().all(|received| received.faults.is_empty()));
}

// F-05
#[tokio::test]
async fn a_reasoning_item_goes_back_byte_for_byte() {
    let thought = Thinking {
        text: "Which file? Grüße.".to_owned(),
        signature: Some("rs_0123abc".to_owned()),
        redacted: Some("gAAAAAB+/=".to_owned()),
    };
    let silent =
        Thinking { text: String::new(), signature: Some("rs_9".to_owned()), redacted: Some("gB".to_owned()) };
    let said = vec![
        ContentBlock::Thinking(thought),
        ContentBlock::Thinking(silent),
        call("call_a", "read", "a.rs"),
        call("call_b", "read", "b.rs"),
    ];
    let server = RESPONSES.server([Answer::blocks(said.clone()), Answer::text("done")]).await;
    let client = RESPONSES.client(&server);
    let (message, stop, _) = answer(client.as_ref(), &hello()).await;
    assert_eq!((&message.content, stop), (&said, StopReason::ToolUse));
    let results = ["call_a", "call_b"].map(|id| ToolResult::text(id, "ok"));
    answer(client.as_ref(), &request([Message::user("hello"), message, Message::results(results)])).await;
    let received = server.received();
    assert_eq!(received[0].body["include"], json!(["reasoning.encrypted_content"]));
    assert_eq!(received[1].faults, Vec::<String>::new());
    let items = received[1].body["input"].as_array().unwrap();
    let kinds: Vec<&str> = items.iter().map(|item| item["type"].as_str().unwrap()).collect();
    let outputs = ["function_call_output", "function_call_output"];
    assert_eq!(kinds[..5], ["message", "reasoning", "reasoning", "function_call", "function_call"]);
    assert_eq!(kinds[5..], outputs);
    let first = r#"{"type":"reasoning","id":"rs_0123abc","summary":[{"type":"summary_text","text":"Which file? Grüße."}],"encrypted_content":"gAAAAAB+/="}"#;
    let second = r#"{"type":"reasoning","id":"rs_9","summary":[],"encrypted_content":"gB"}"#;
    assert_eq!((items[1].to_string().as_str(), items[2].to_string().as_str()), (first, second));
}

#[tokio::test]
async fn tokens_are_counted_by_the_api() {
    let server = RESPONSES.server([]).await;
    let model = responses(RESPONSES.endpoint(&server.url()));
    let tokens = match model.count(&hello()).await {
        Ok(tokens) => tokens,
        Err(error) => panic!("{error:?}"),
    };
    assert!(tokens > 0);
    assert_eq!(only(&server).path, "/v1/responses/input_tokens");
    let fewer = model.count(&CompletionRequest { tools: Arc::new([]), ..hello() }).await.unwrap();
    assert!(fewer < tokens, "{fewer} {tokens}");
}

#[tokio::test]
async fn chat_completions_count_no_tokens() {
    let server = CHAT.server([]).await;
    assert_eq!(chat(CHAT.endpoint(&server.url())).count(&hello()).await.unwrap(), None);
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn a_count_fails_as_a_request_does() {
    let server = Server::start(Script::new().key("another")).await.unwrap();
    let error = responses(RESPONSES.endpoint(&server.url())).count(&hello()).await.unwrap_err();
    assert!(matches!(error, ModelError::Unauthorized { .. }), "{error:?}");
}

// S2-14
#[tokio::test]
async fn a_probe_reads_the_prompt() {
    for wire in [CHAT, RESPONSES] {
        let usage = Usage { input: 40, cache_read: 2_000, cache_write: 0, output: 9, searches: 0 };
        let server = wire.server([Answer::text("ok").usage(usage)]).await;
        assert_eq!(probe(wire.client(&server).as_ref(), &hello()).await.unwrap().prompt(), 2_040);
        let body = only(&server).body;
        let most: Vec<&Value> = ["max_completion_tokens", "max_output_tokens"]
            .iter()
            .filter_map(|name| body.get(*name))
            .collect();
        assert_eq!(most, [&json!(16)]);
    }
}

#[tokio::test]
async fn a_quota_that_is_used_up_is_no_matter_of_waiting() {
    let said = json!({"error": {"message": "You exceeded your current quota.", "type": "insufficient_quota", "code": "insufficient_quota"}});
    let server = CHAT.server([Answer::status(429, said)]).await;
    let error = failure(CHAT.client(&server).as_ref(), &hello()).await.1;
    assert!(matches!(error, ModelError::Unpaid { .. }), "{error:?}");
}

#[tokio::test]
async fn an_answer_that_is_let_go_is_stopped() {
    for wire in [CHAT, RESPONSES] {
        let slow = Answer::text("a long answer that is not awaited")
            .wait_each(std::time::Duration::from_millis(200));
        let server = wire.server([slow]).await;
        let client: Arc<dyn LanguageModel> = wire.client(&server);
        drop(client.stream(&hello()).await.unwrap());
        hangs_up(&server).await;
    }
}

#[tokio::test]
async fn a_missing_model_is_an_error() {
    let server = Server::start(Script::new().key(KEY).model("other", 8_192)).await.unwrap();
    for wire in [CHAT, RESPONSES] {
        let error = failure(wire.client(&server).as_ref(), &hello()).await.1;
        assert!(matches!(error, ModelError::UnknownModel { .. }), "{error:?}");
    }
    let sent = CHAT.server([Answer::error(ErrorKind::NotFound)]).await;
    let error = failure(CHAT.client(&sent).as_ref(), &hello()).await.1;
    assert!(matches!(error, ModelError::UnknownModel { .. }), "{error:?}");
}

#[tokio::test]
async fn the_phase_of_a_message_goes_back_with_it() {
    let said = |text: &str, phase: &str| {
        json!({"type": "message", "role": "assistant", "id": format!("msg_{phase}"), "phase": phase,
            "content": [{"type": "output_text", "text": text}]})
    };
    let output = [said("I look.", "commentary"), said("It is fine.", "final_answer")];
    let done = json!({"type": "response.completed", "response": {"output": output}});
    let stream = Answer::raw("text/event-stream", format!("data: {done}\n\n").into_bytes());
    let server = RESPONSES.server([stream, Answer::text("ok")]).await;
    let model = RESPONSES.client(&server);
    let (message, _, _) = answer(model.as_ref(), &hello()).await;
    answer(model.as_ref(), &request([Message::user("hello"), message, Message::user("and?")])).await;
    let received = server.received();
    let input = received.last().unwrap().body["input"].as_array().unwrap();
    let back: Vec<(&str, &str)> = input
        .iter()
        .filter(|item| item["role"] == "assistant")
        .map(|item| (item["phase"].as_str().unwrap(), item["content"][0]["text"].as_str().unwrap()))
        .collect();
    assert_eq!(back, [("commentary", "I look."), ("final_answer", "It is fine.")]);
}
