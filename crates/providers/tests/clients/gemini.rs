//! Google's models by the Gemini API and by Code Assist.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a client that does otherwise fails the test"
)]

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_completion::{
    CompletionEvent, CompletionRequest, LanguageModel, ModelError, ModelInfo, StopReason,
};
use throughline_conversation::{
    ContentBlock, Message, Role, Thinking, ToolCall, ToolDefinition, ToolResult, Usage,
};
use throughline_providers::gemini::{CodeAssist, GeminiModel};
use throughline_providers::http::{Endpoint, ReqwestTransport};
use throughline_testserver::{Answer, ErrorKind, Script, Server};

use crate::contract::{KEY, Wire, answer, events, failure, hello, info, only, request};

const GEMINI: Wire = Wire {
    model: |endpoint| Arc::new(gemini(endpoint, "m")),
    keyed: true,
    ids: true,
    gives_back: None,
    thinking: |sent| Thinking { signature: None, redacted: None, ..sent },
    usage: |sent| Usage { input: sent.input + sent.cache_write, cache_write: 0, ..sent },
    stops: &[
        (StopReason::EndTurn, StopReason::EndTurn),
        (StopReason::MaxTokens, StopReason::MaxTokens),
        (StopReason::Refusal, StopReason::Refusal),
    ],
    limit: true,
};

const CODE_ASSIST: Wire = Wire {
    model: |endpoint| {
        Arc::new(gemini(endpoint, "m").with_code_assist(CodeAssist { project: Some("p-1".to_owned()) }))
    },
    ..GEMINI
};

// Without `parallel_calls`, whose first call has a signature here, and `broken_arguments`: a call that cannot be read does not come, and the answer is asked for again.
crate::suite!(
    @ by_api, GEMINI,
    answers { a_text, a_text_in_small_pieces, thinking_goes_back, usage, reasons_to_stop, an_empty_answer }
    failures { too_many_requests, overload, a_wrong_key, a_request_that_is_too_long, a_page, no_server,
        an_invalid_request }
    streams { a_cut_answer, a_broken_piece, an_error_inside, a_slow_answer, a_silent_answer, a_silent_server,
        a_dropped_answer, a_dropped_request, a_slow_reader }
    secrets { the_key_shows_nowhere }
);
crate::suite!(
    @ by_code_assist, CODE_ASSIST,
    answers { a_text, a_text_in_small_pieces, thinking_goes_back, usage, reasons_to_stop, an_empty_answer }
    failures { too_many_requests, overload, a_wrong_key, a_request_that_is_too_long, a_page, no_server,
        an_invalid_request }
    streams { a_cut_answer, a_broken_piece, an_error_inside, a_slow_answer, a_silent_answer, a_silent_server,
        a_dropped_answer, a_dropped_request, a_slow_reader }
    secrets { the_key_shows_nowhere }
);

fn gemini(endpoint: Endpoint, name: &str) -> GeminiModel {
    let info = ModelInfo { name: name.to_owned(), ..info("gemini") };
    GeminiModel::new(info, endpoint, Arc::new(ReqwestTransport::default()))
}

fn call(id: &str) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall {
        id: id.to_owned(),
        name: "read".to_owned(),
        input: json!({"path": "a.rs"}),
    })
}

fn says(role: Role, content: Vec<ContentBlock>) -> Message {
    Message { role, content }
}

/// A stream of these chunks.
fn chunks(all: &[Value]) -> Answer {
    let text: String = all.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    Answer::raw("text/event-stream", text.into_bytes())
}

/// One request to a model of this name, and the parts of its contents with their roles.
async fn parts(name: &str, messages: Vec<Message>) -> Vec<(String, Value)> {
    let server = GEMINI.server([Answer::text("ok")]).await;
    answer(&gemini(GEMINI.endpoint(&server.url()), name), &request(messages)).await;
    let received = only(&server);
    assert_eq!(received.faults, Vec::<String>::new());
    let contents = received.body["contents"].as_array().unwrap().clone();
    let of = |content: Value| -> Vec<(String, Value)> {
        let role = content["role"].as_str().unwrap().to_owned();
        content["parts"].as_array().unwrap().iter().map(|part| (role.clone(), part.clone())).collect()
    };
    contents.into_iter().flat_map(of).collect()
}

#[tokio::test]
async fn a_request_goes_to_the_streaming_method_with_the_key_in_its_own_header() {
    let server = GEMINI.server([Answer::text("ok")]).await;
    answer(GEMINI.client(&server).as_ref(), &hello()).await;
    let received = only(&server);
    assert_eq!(
        (received.method.as_str(), received.path.as_str(), received.query.as_str()),
        ("POST", "/v1beta/models/m:streamGenerateContent", "alt=sse")
    );
    assert_eq!((received.header("x-goog-api-key"), received.header("authorization")), (Some(KEY), None));

    let server = CODE_ASSIST.server([Answer::text("ok")]).await;
    answer(CODE_ASSIST.client(&server).as_ref(), &hello()).await;
    let received = only(&server);
    assert_eq!(received.path, "/v1internal:streamGenerateContent");
    assert_eq!(received.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!((&received.body["model"], &received.body["project"]), (&json!("m"), &json!("p-1")));
    assert!(received.body["request"]["contents"].is_array());
}

#[tokio::test]
async fn a_stream_ends_with_its_finish_reason_and_not_with_a_done() {
    let server = GEMINI.server([Answer::text("ok")]).await;
    let (message, stop, _) = answer(GEMINI.client(&server).as_ref(), &hello()).await;
    assert_eq!((message.text().as_str(), stop), ("ok", StopReason::EndTurn));
    let cut = chunks(&[json!({"candidates": [{"content": {"parts": [{"text": "ok"}]}}]})]);
    let server = GEMINI.server([cut]).await;
    let (_, error) = failure(GEMINI.client(&server).as_ref(), &hello()).await;
    assert!(matches!(error, ModelError::Interrupted { .. }), "{error:?}");
}

#[tokio::test]
async fn roles_are_user_and_model_and_the_system_prompt_is_no_content() {
    let server = GEMINI.server([Answer::text("ok")]).await;
    let messages = [Message::user("one"), Message::assistant("two"), Message::user("three")];
    answer(GEMINI.client(&server).as_ref(), &request(messages)).await;
    let body = only(&server).body;
    let roles: Vec<&str> =
        body["contents"].as_array().unwrap().iter().map(|one| one["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "model", "user"]);
    assert_eq!(body["systemInstruction"], json!({"parts": [{"text": "You are an agent."}]}));
}

#[tokio::test]
async fn a_part_of_an_unknown_kind_comes_in_and_goes_back_unchanged() {
    let code = json!({"executableCode": {"code": "1 + 1", "language": "PYTHON"}});
    let end = json!({"candidates": [{"content": {"parts": [code, {"text": "2"}]}, "finishReason": "STOP"}]});
    let server = GEMINI.server([chunks(&[end])]).await;
    let (message, _, _) = answer(GEMINI.client(&server).as_ref(), &hello()).await;
    let back = parts("m", vec![Message::user("hello"), message, Message::user("more")]).await;
    assert!(back.contains(&("model".to_owned(), code)), "{back:?}");
}

#[tokio::test]
async fn a_call_without_an_id_gets_one_and_its_result_goes_back_under_it() {
    let calls = json!([{"functionCall": {"name": "read", "args": {}}}, {"functionCall": {"name": "list"}}]);
    let end = json!({"candidates": [{"content": {"parts": calls}, "finishReason": "STOP"}]});
    let server = GEMINI.server([chunks(&[end])]).await;
    let (message, stop, _) = answer(GEMINI.client(&server).as_ref(), &hello()).await;
    assert_eq!(stop, StopReason::ToolUse, "the reason is STOP behind calls, too");
    let ids: Vec<String> = message.tool_calls().map(|call| call.id.clone()).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1] && ids.iter().all(|id| !id.is_empty()), "{ids:?}");
    let results = Message::results(ids.iter().map(|id| ToolResult::text(id.as_str(), "fine")));
    let back = parts("m", vec![Message::user("hello"), message, results]).await;
    let answered: Vec<&Value> =
        back.iter().map(|(_, part)| &part["functionResponse"]).filter(|part| part.is_object()).collect();
    assert_eq!(answered.len(), 2);
    assert_eq!((&answered[0]["name"], &answered[0]["id"]), (&json!("read"), &json!(ids[0])));
    assert_eq!(
        (&answered[1]["name"], &answered[1]["response"]),
        (&json!("list"), &json!({"output": "fine"}))
    );
}

#[tokio::test]
async fn all_results_of_an_answer_are_in_the_one_content_behind_it() {
    let messages = vec![
        Message::user("hello"),
        says(Role::Assistant, vec![call("a"), call("b")]),
        Message::results([ToolResult::text("a", "A"), ToolResult::text("b", "B")]),
        Message::user("and?"),
    ];
    let server = GEMINI.server([Answer::text("ok")]).await;
    answer(GEMINI.client(&server).as_ref(), &request(messages)).await;
    let body = only(&server).body;
    let last = body["contents"].as_array().unwrap().last().unwrap()["parts"].as_array().unwrap();
    let responses = last.iter().filter(|part| part["functionResponse"].is_object()).count();
    assert_eq!((body["contents"].as_array().unwrap().len(), responses, last.len()), (3, 2, 3), "{body:#}");
}

#[tokio::test]
async fn of_parallel_calls_the_first_is_signed_and_its_signature_goes_back_on_it() {
    let server = GEMINI.server([Answer::blocks(vec![call("a"), call("b")])]).await;
    let (message, _, _) = answer(GEMINI.client(&server).as_ref(), &hello()).await;
    let results = Message::results([ToolResult::text("a", "A"), ToolResult::text("b", "B")]);
    let back = parts("gemini-3-pro", vec![Message::user("hello"), message, results]).await;
    let calls: Vec<&Value> =
        back.iter().map(|(_, part)| part).filter(|part| part["functionCall"].is_object()).collect();
    assert!(calls[0]["thoughtSignature"].as_str().unwrap().starts_with("c2ln"), "{calls:?}");
    assert_eq!(calls[1].get("thoughtSignature"), None);
}

#[tokio::test]
async fn calls_of_sequential_steps_each_have_their_own_signature() {
    let server = GEMINI.server([Answer::blocks(vec![call("a")]), Answer::blocks(vec![call("b")])]).await;
    let model = GEMINI.client(&server);
    let mut messages = vec![Message::user("hello")];
    for id in ["a", "b"] {
        let (message, _, _) = answer(model.as_ref(), &request(messages.clone())).await;
        messages.extend([message, Message::results([ToolResult::text(id, "fine")])]);
    }
    let back = parts("gemini-3-pro", messages).await;
    let signed: Vec<&str> = back.iter().filter_map(|(_, part)| part["thoughtSignature"].as_str()).collect();
    assert!(signed.len() == 2 && signed[0] != signed[1], "{signed:?}");
}

#[tokio::test]
async fn a_call_that_another_model_made_in_the_turn_skips_the_check_of_signatures() {
    let messages = vec![
        Message::user("hello"),
        says(Role::Assistant, vec![call("a"), call("b")]),
        Message::results([ToolResult::text("a", "A"), ToolResult::text("b", "B")]),
    ];
    let signatures = |parts: Vec<(String, Value)>| -> Vec<String> {
        parts.iter().filter_map(|(_, part)| Some(part["thoughtSignature"].as_str()?.to_owned())).collect()
    };
    let found = signatures(parts("gemini-3-pro", messages.clone()).await);
    assert_eq!(found, ["skip_thought_signature_validator"]);
    // Models before Gemini 3 check none.
    assert_eq!(signatures(parts("gemini-2.5-pro", messages).await), Vec::<String>::new());
}

#[tokio::test]
async fn the_last_report_of_usage_counts_for_the_whole_answer() {
    let chunk = |usage: Value, end: Option<&str>| json!({"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": end}], "usageMetadata": usage});
    let answers = [
        chunk(
            json!({"promptTokenCount": 1_200, "cachedContentTokenCount": 1_024, "candidatesTokenCount": 10}),
            None,
        ),
        chunk(
            json!({"promptTokenCount": 1_200, "cachedContentTokenCount": 1_024, "candidatesTokenCount": 17,
                "thoughtsTokenCount": 43, "toolUsePromptTokenCount": 9_000}),
            Some("STOP"),
        ),
    ];
    let server = GEMINI.server([chunks(&answers)]).await;
    let (_, _, usage) = answer(GEMINI.client(&server).as_ref(), &hello()).await;
    assert_eq!(usage, Some(Usage { input: 176, cache_read: 1_024, cache_write: 0, output: 60, searches: 0 }));
}

#[tokio::test]
async fn tokens_are_counted_by_count_tokens_with_tools_and_system_prompt() {
    let server = GEMINI.server([]).await;
    let model = gemini(GEMINI.endpoint(&server.url()), "models/gemini-3-pro");
    let count = model.count(&hello()).await.unwrap().unwrap();
    let received = only(&server);
    assert_eq!(received.path, "/v1beta/models/gemini-3-pro:countTokens");
    assert_eq!(received.faults, Vec::<String>::new());
    let counted = &received.body["generateContentRequest"];
    assert_eq!(counted["model"], "models/gemini-3-pro");
    assert!(counted["tools"].is_array() && counted["systemInstruction"].is_object(), "{counted:#}");
    let bare = CompletionRequest { tools: Arc::new([]), ..hello() };
    assert!(count > model.count(&bare).await.unwrap().unwrap(), "tools are counted");
    // Code Assist counts no tools, so nothing is asked there.
    let server = CODE_ASSIST.server([]).await;
    assert_eq!(CODE_ASSIST.client(&server).count(&hello()).await.unwrap(), None);
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn a_schema_goes_whole_as_json_schema_and_not_in_the_older_subset() {
    let schema = json!({
        "type": "object",
        "properties": {"to": {"$ref": "#/$defs/place"}},
        "$defs": {"place": {"type": ["string", "null"]}},
        "additionalProperties": false,
    });
    let tool = ToolDefinition { input_schema: schema.clone(), ..hello().tools.first().unwrap().clone() };
    let server = GEMINI.server([Answer::text("ok")]).await;
    answer(GEMINI.client(&server).as_ref(), &CompletionRequest { tools: Arc::new([tool]), ..hello() }).await;
    let declared = only(&server).body.pointer("/tools/0/functionDeclarations/0").unwrap().clone();
    assert_eq!((&declared["parametersJsonSchema"], declared.get("parameters")), (&schema, None));
}

#[tokio::test]
async fn thinking_is_asked_for_by_level_or_by_budget() {
    for (name, asked) in [
        ("gemini-3-pro", json!({"thinkingLevel": "medium", "includeThoughts": true})),
        ("gemini-2.5-pro", json!({"thinkingBudget": 4_096, "includeThoughts": true})),
    ] {
        let server = GEMINI.server([Answer::text("ok")]).await;
        answer(&gemini(GEMINI.endpoint(&server.url()), name).with_thinking(4_096), &hello()).await;
        assert_eq!(only(&server).body["generationConfig"]["thinkingConfig"], asked, "{name}");
    }
}

#[tokio::test]
async fn errors_say_how_long_to_wait_and_what_does_not_fit() {
    let limited = ErrorKind::RateLimited { retry_after_s: Some(12) };
    let server = GEMINI.server([Answer::error(limited)]).await;
    let (_, error) = failure(GEMINI.client(&server).as_ref(), &hello()).await;
    assert!(matches!(error, ModelError::RateLimited { retry_after_ms: Some(12_000), .. }), "{error:?}");
    let server =
        GEMINI.server([Answer::error(ErrorKind::TooLong { tokens: 1_100_000, limit: 1_048_576 })]).await;
    let (_, error) = failure(GEMINI.client(&server).as_ref(), &hello()).await;
    assert!(format!("{error:?}").contains("1048576"), "{error:?}");
    assert!(!matches!(error, ModelError::InvalidRequest { .. }), "{error:?}");
    let server = GEMINI.server([Answer::error(ErrorKind::Overloaded)]).await;
    let (_, error) = failure(GEMINI.client(&server).as_ref(), &hello()).await;
    assert!(matches!(error, ModelError::Unavailable { .. }), "{error:?}");
}

#[tokio::test]
async fn code_assist_answers_in_an_envelope() {
    let script = Script::new().key(KEY).then(Answer::text("ok"));
    let server = Server::start(script).await.unwrap();
    let events = events(CODE_ASSIST.client(&server).as_ref(), &hello()).await;
    assert!(events.iter().any(|event| matches!(event, CompletionEvent::TextDelta(text) if text == "ok")));
}
