//! The operations by values and by name, their errors and keys, and lists that a framework owns.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may fail")]

use serde_json::{Value, json};
use throughline_contexts::{
    CacheLifetime, CachePlace, CachePoint, CallResult, Contexts, ErrorCode, GetReceipts, GiveAnswer,
    GiveResults, GiveStop, NextRequest, OPERATIONS, Object, Open, Reference, Sends, SyncList, Then, Tool,
    UserMessage, WireForm,
};

fn object(value: Value) -> Object {
    serde_json::from_value(value).unwrap()
}

fn open(wire: WireForm) -> Open {
    let tool = Tool {
        name: "dump".to_owned(),
        description: "Dumps rows.".to_owned(),
        input_schema: object(json!({ "type": "object" })),
        deferrable: false,
    };
    Open {
        model: "test".to_owned(),
        window: Some(24_000),
        max_output: Some(2_000),
        wire,
        system: Some("You are careful.".to_owned()),
        tools: vec![tool],
        ..Open::default()
    }
}

fn calls(step: usize) -> Value {
    let call =
        json!({ "type": "tool_use", "id": format!("c{step}"), "name": "dump", "input": { "of": step } });
    json!({ "content": [call], "stop_reason": "tool_use", "usage": { "input_tokens": 900, "output_tokens": 40 } })
}

fn rows(step: usize) -> String {
    (0..60).map(|row| format!("row {row} of {step}: name_{} is {}\n", row * 7 + step, row * step)).collect()
}

/// The bodies of a session of 30 steps by typed calls.
async fn by_values() -> Vec<Value> {
    let contexts = Contexts::default();
    contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
    let said = UserMessage { text: "Dump everything.".to_owned(), images: Vec::new() };
    contexts.run("mine", None, said).await.unwrap();
    let mut bodies = Vec::new();
    for step in 0..30 {
        let next = contexts.run("mine", None, NextRequest {}).await.unwrap();
        bodies.push(Value::Object(next.body));
        let answer = GiveAnswer { request: next.id, body: object(calls(step)) };
        let followed = contexts.run("mine", None, answer).await.unwrap();
        assert_eq!(followed.then, Then::Calls);
        let result =
            CallResult { call: format!("c{step}"), text: rows(step), images: Vec::new(), is_error: false };
        contexts.run("mine", None, GiveResults { results: vec![result] }).await.unwrap();
    }
    bodies
}

/// The same by name.
async fn by_name() -> Vec<Value> {
    let contexts = Contexts::default();
    let call = async |name: &str, mut input: Value| {
        input["context"] = json!("mine");
        contexts.call(name, input).await.unwrap()
    };
    call("open", serde_json::to_value(open(WireForm::Anthropic)).unwrap()).await;
    call("user", json!({ "text": "Dump everything." })).await;
    let mut bodies = Vec::new();
    for step in 0..30 {
        let next = call("next_request", json!({})).await;
        bodies.push(next["body"].clone());
        call("answer", json!({ "request": next["id"], "body": calls(step) })).await;
        let result = json!({ "call": format!("c{step}"), "text": rows(step) });
        call("results", json!({ "results": [result] })).await;
    }
    bodies
}

#[tokio::test]
async fn values_and_names_give_the_same_bodies() {
    let (values, names) = (by_values().await, by_name().await);
    for (step, (value, name)) in values.iter().zip(&names).enumerate() {
        assert_eq!(value.to_string(), name.to_string(), "request {step}");
    }
    assert_eq!(values.len(), names.len());
    let messages = |body: &Value| body["messages"].as_array().unwrap().len();
    assert!(
        values.iter().any(|body| messages(body) < 59) && messages(values.last().unwrap()) < 59,
        "compacted"
    );
    let body = &values[0];
    assert_eq!(
        (&body["model"], &body["max_tokens"], &body["stream"]),
        (&json!("test"), &json!(2_000), &json!(false))
    );
}

async fn code(contexts: &Contexts, name: &str, input: Value) -> (ErrorCode, String) {
    let error = contexts.call(name, input).await.unwrap_err();
    (error.code, error.message)
}

#[tokio::test]
async fn operations_at_the_wrong_time_and_bad_input_have_codes() {
    let contexts = Contexts::default();
    let id = json!({ "context": "mine" });
    assert_eq!(code(&contexts, "state", id.clone()).await.0, ErrorCode::UnknownContext);
    let (unknown, says) = code(&contexts, "next_reqest", id.clone()).await;
    assert!(unknown == ErrorCode::UnknownOperation && says.contains("`next_request` is near"), "{says}");
    let listed = json!({ "context": "mine", "model": "unlisted" });
    assert_eq!(code(&contexts, "open", listed).await.0, ErrorCode::UnknownModel);
    assert!(contexts.list().contexts.is_empty(), "what was not opened is not listed");

    contexts.open("mine", Some("o"), open(WireForm::Anthropic)).await.unwrap();
    contexts.open("mine", Some("o"), open(WireForm::Anthropic)).await.unwrap();
    let again = contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap_err();
    assert_eq!(again.code, ErrorCode::AlreadyOpen);
    let (input, says) = code(&contexts, "user", json!({ "context": "mine", "text": "Hi.", "txt": 1 })).await;
    assert!(input == ErrorCode::InvalidInput && says.contains("`txt`"), "{says}");
    for (operation, input, field) in [
        ("user", json!({ "text": "Hi.", "txt": 1 }), "txt"),
        ("user", json!({}), "text"),
        ("user", json!({ "text": 1 }), "text"),
        ("user", json!({ "text": "", "images": [{ "media_type": "image/png" }] }), "images[0].data"),
        ("undo", json!({ "what": "foo" }), "what"),
        ("sync", json!({ "messages": [], "usage": { "input": "many" } }), "usage.input"),
        ("receipts", json!({ "most": -1 }), "most"),
    ] {
        let mut given = input.clone();
        given["context"] = json!("mine");
        let refused = contexts.call(operation, given).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::InvalidInput, "{operation} {input}");
        assert_eq!(refused.data.unwrap_or_default().get("field"), Some(&json!(field)), "{operation} {input}");
    }
    assert_eq!(code(&contexts, "next_request", id.clone()).await.0, ErrorCode::NothingToAnswer);
    let answer = json!({ "context": "mine", "request": 1, "body": calls(0) });
    assert_eq!(code(&contexts, "answer", answer).await.0, ErrorCode::NoRequest);
    contexts.call("user", json!({ "context": "mine", "text": "Dump." })).await.unwrap();
    let next = contexts.call("next_request", id.clone()).await.unwrap();
    assert_eq!(code(&contexts, "next_request", id.clone()).await.0, ErrorCode::RequestOpen);
    let bad =
        json!({ "context": "mine", "request": next["id"], "body": { "content": [{ "type": "text" }] } });
    let (shape, says) = code(&contexts, "answer", bad).await;
    assert!(shape == ErrorCode::InvalidAnswer && says.contains("content[0].text"), "{says}");
    let refused =
        json!({ "context": "mine", "request": next["id"], "body": { "error": { "message": "Overloaded" } } });
    assert_eq!(code(&contexts, "answer", refused).await.0, ErrorCode::ProviderError);
    contexts.call("close", id.clone()).await.unwrap();
    assert_eq!(code(&contexts, "close", id).await.0, ErrorCode::UnknownContext);
}

#[tokio::test]
async fn a_repeated_key_returns_the_same_and_changes_nothing() {
    let contexts = Contexts::default();
    contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
    let call = async |name: &str, input: Value| contexts.call(name, input).await;
    for _ in 0..2 {
        call("user", json!({ "context": "mine", "key": "a", "text": "Dump." })).await.unwrap();
    }
    let first = call("next_request", json!({ "context": "mine", "key": "b" })).await.unwrap();
    assert_eq!(call("next_request", json!({ "context": "mine", "key": "b" })).await.unwrap(), first);
    let state = call("state", json!({ "context": "mine" })).await.unwrap();
    assert_eq!((&state["messages"], &state["requests"]), (&json!(1), &json!(1)), "{state}");
    let other = call("user", json!({ "context": "mine", "key": "b", "text": "?" })).await.unwrap_err();
    assert_eq!(other.code, ErrorCode::KeyReused);
}

#[tokio::test]
async fn large_outputs_of_keys_are_remembered_up_to_a_limit() {
    let contexts = Contexts::default();
    contexts.open("mine", None, Open { window: Some(1_000_000), ..open(WireForm::Anthropic) }).await.unwrap();
    let said = UserMessage { text: "word ".repeat(80_000), images: Vec::new() };
    contexts.run("mine", None, said).await.unwrap();
    let mut bodies = Vec::new();
    for key in ["a", "b", "c", "d"] {
        let next = contexts.run("mine", Some(key), NextRequest {}).await.unwrap();
        assert_eq!(contexts.run("mine", Some(key), NextRequest {}).await.unwrap(), next);
        let stop = GiveStop { request: next.id, text: String::new() };
        contexts.run("mine", None, stop).await.unwrap();
        let more = UserMessage { text: "More.".to_owned(), images: Vec::new() };
        contexts.run("mine", None, more).await.unwrap();
        bodies.push(next);
    }
    // 400 kB each: the last two fit into 1 MiB. A key that is not remembered is a new call.
    assert_eq!(contexts.run("mine", Some("c"), NextRequest {}).await.unwrap(), bodies[2]);
    assert_ne!(contexts.run("mine", Some("a"), NextRequest {}).await.unwrap(), bodies[0]);
}

#[tokio::test]
async fn a_session_in_memory_is_forgotten_when_its_caller_asks_for_it() {
    let contexts = Contexts::default();
    let id = json!({ "context": "mine" });
    for is_forgotten in [false, true] {
        contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
        contexts.call("user", json!({ "context": "mine", "text": "Remember." })).await.unwrap();
        contexts.call("close", json!({ "context": "mine", "forget": is_forgotten })).await.unwrap();
        let opened = contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
        assert_eq!(opened.resumed, !is_forgotten, "{opened:?}");
        contexts.close("mine").await.unwrap();
    }
    contexts.close_and_forget("mine").await.unwrap();
    assert_eq!(contexts.close_and_forget("mine").await.unwrap_err().code, ErrorCode::UnknownContext);
    assert_eq!(code(&contexts, "state", id).await.0, ErrorCode::UnknownContext);
}

#[tokio::test]
async fn the_newest_receipts_are_those_of_the_end_of_the_log() {
    let contexts = Contexts::default();
    contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
    contexts.call("user", json!({ "context": "mine", "text": "Dump everything." })).await.unwrap();
    for step in 0..12 {
        let next = contexts.run("mine", None, NextRequest {}).await.unwrap();
        contexts.run("mine", None, GiveAnswer { request: next.id, body: object(calls(step)) }).await.unwrap();
        let result = json!([{ "call": format!("c{step}"), "text": "a row" }]);
        contexts.call("results", json!({ "context": "mine", "results": result })).await.unwrap();
    }
    let receipts = async |most: u32| {
        let list = contexts.run("mine", None, GetReceipts { most }).await.unwrap();
        list.receipts.iter().map(|receipt| receipt["request"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(receipts(0).await, [0; 0]);
    assert_eq!(receipts(2).await, [11, 12]);
    assert_eq!(receipts(100).await, (1..=12).collect::<Vec<u64>>());
}

#[tokio::test]
async fn an_overflow_is_rebuilt_and_a_closed_session_is_resumed() {
    let contexts = Contexts::default();
    contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
    let said = UserMessage { text: "Dump everything.".to_owned(), images: Vec::new() };
    contexts.run("mine", None, said).await.unwrap();
    for step in 0..6 {
        let next = contexts.run("mine", None, NextRequest {}).await.unwrap();
        contexts.run("mine", None, GiveAnswer { request: next.id, body: object(calls(step)) }).await.unwrap();
        let result = json!([{ "call": format!("c{step}"), "text": rows(step) }]);
        contexts.call("results", json!({ "context": "mine", "results": result })).await.unwrap();
    }
    let next = contexts.run("mine", None, NextRequest {}).await.unwrap();
    let body = r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9001 tokens > 8192 maximum"}}"#;
    let refusal = json!({ "context": "mine", "request": next.id, "status": 400, "body": body });
    let taken = contexts.call("refused", refusal).await.unwrap();
    assert_eq!((&taken["then"], &taken["kind"]), (&json!("request"), &json!("overflow")), "{taken}");
    let smaller = contexts.run("mine", None, NextRequest {}).await.unwrap();
    let size = |body: &Object| serde_json::to_string(body).unwrap().len();
    assert!(size(&smaller.body) < size(&next.body));
    contexts.close("mine").await.unwrap();
    let opened = contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
    assert!(opened.resumed && opened.messages > 0);
}

/// A list in the form of Chat Completions: a system prompt, and steps with calls and results.
fn chat(steps: usize) -> Vec<Object> {
    let mut list =
        vec![json!({ "role": "system", "content": "Mine." }), json!({ "role": "user", "content": "Go." })];
    for step in 0..steps {
        let function = json!({ "name": "dump", "arguments": format!("{{\"of\":{step}}}") });
        let call = json!({ "id": format!("c{step}"), "type": "function", "function": function });
        list.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
        list.push(json!({ "role": "tool", "tool_call_id": format!("c{step}"), "content": rows(step) }));
    }
    list.into_iter().map(object).collect()
}

#[tokio::test]
async fn a_list_gives_references_to_its_own_messages() {
    let contexts = Contexts::default();
    contexts.open("list", None, open(WireForm::OpenaiChat)).await.unwrap();
    let list = chat(3);
    let whole = SyncList { messages: list.clone(), ..SyncList::default() };
    let synced = contexts.run("list", None, whole.clone()).await.unwrap();
    assert_eq!(synced.references, [Reference::Given { from: 0, to: list.len() as u64 }]);
    assert_eq!((synced.known, synced.appended), (1, list.len() as u64 - 1));
    let again = contexts.run("list", None, whole).await.unwrap();
    assert_eq!((again.appended, again.hidden), (0, 0));

    let mut longer = chat(40);
    let tail = SyncList { known: list.len() as u64, messages: longer.split_off(list.len()), usage: None };
    let synced = contexts.run("list", None, tail).await.unwrap();
    assert_eq!((synced.known, synced.appended), (list.len() as u64, 74));
    assert!(synced.references.iter().any(|one| !matches!(one, Reference::Given { .. })), "it was compacted");
    let made: Vec<&Object> = synced
        .references
        .iter()
        .flat_map(|one| match one {
            Reference::Given { .. } => &[],
            Reference::Changed { messages, .. } | Reference::Made { messages, .. } => messages.as_slice(),
        })
        .collect();
    assert!(!made.is_empty() && made.iter().all(|message| message.contains_key("role")), "{made:?}");

    let said = object(json!({ "role": "assistant", "content": "All is dumped." }));
    let known = list.len() as u64 + 74;
    let last = SyncList { known, messages: vec![said], usage: None };
    assert_eq!(contexts.run("list", None, last).await.unwrap_err().code, ErrorCode::NothingToAnswer);
    let handoff = contexts.call("handoff", json!({ "context": "list" })).await.unwrap();
    assert_eq!(handoff["last_answer"], "All is dumped.");

    let gap = SyncList { known: 500, ..SyncList::default() };
    assert_eq!(contexts.run("list", None, gap).await.unwrap_err().code, ErrorCode::WholeListNeeded);
    let wrong = SyncList { messages: vec![object(json!({ "role": "robot" }))], ..SyncList::default() };
    let wrong = contexts.run("list", None, wrong).await.unwrap_err();
    assert_eq!((wrong.code, wrong.data.unwrap()["message"].clone()), (ErrorCode::InvalidMessage, json!(0)));
}

#[tokio::test]
async fn a_large_result_is_stored_before_the_list_has_it() {
    let contexts = Contexts::default();
    contexts.open("list", None, open(WireForm::OpenaiChat)).await.unwrap();
    let mut list = chat(2);
    let whole: String = (0..40).map(rows).collect();
    let offload =
        json!({ "context": "list", "call": "c1", "name": "dump", "input": { "of": 1 }, "text": whole });
    let shown = contexts.call("offload", offload.clone()).await.unwrap()["text"].clone();
    let reference = shown
        .as_str()
        .unwrap()
        .split("r-")
        .nth(1)
        .map(|rest| format!("r-{}", rest.chars().take(16).collect::<String>()))
        .unwrap();
    assert!(shown.as_str().unwrap().len() < whole.len() / 2, "{shown}");
    assert_eq!(contexts.call("offload", offload).await.unwrap()["text"], shown, "the same again");
    let length = list.len();
    list[length - 1].insert("content".to_owned(), shown);
    let synced =
        contexts.run("list", None, SyncList { messages: list, ..SyncList::default() }).await.unwrap();
    assert_eq!(synced.references, [Reference::Given { from: 0, to: length as u64 }]);
    let read = json!({ "ref_id": reference, "search": "row 59 of 39" });
    let read = contexts
        .call("call", json!({ "context": "list", "name": "read_result", "input": read }))
        .await
        .unwrap();
    assert!(read["text"].as_str().unwrap().contains("row 59 of 39"), "{read}");
    let small = json!({ "context": "list", "call": "c9", "name": "dump", "text": "one row" });
    assert_eq!(contexts.call("offload", small).await.unwrap()["text"], "one row");
}

#[tokio::test]
async fn a_handoff_has_requests_that_a_summary_replaced() {
    let contexts = Contexts::default();
    contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
    for step in 0..40 {
        let text = format!("Request {step}: look at the rows.");
        contexts.run("mine", None, UserMessage { text, images: Vec::new() }).await.unwrap();
        let next = contexts.run("mine", None, NextRequest {}).await.unwrap();
        let body = json!({ "content": [{ "type": "text", "text": rows(step) }], "stop_reason": "end_turn" });
        contexts.run("mine", None, GiveAnswer { request: next.id, body: object(body) }).await.unwrap();
    }
    let state = contexts.call("state", json!({ "context": "mine" })).await.unwrap();
    assert!(state["messages"].as_u64().unwrap() < 40, "it was compacted: {state}");
    let handoff = contexts.call("handoff", json!({ "context": "mine" })).await.unwrap();
    let requests = handoff["requests"].as_array().unwrap();
    assert_eq!(requests[0], "Request 39: look at the rows.");
    assert!(requests.iter().any(|one| one == "Request 0: look at the rows."), "{requests:?}");
}

#[tokio::test]
async fn a_context_that_is_not_used_is_closed_and_the_next_operation_opens_it_again() {
    let contexts = Contexts::default();
    contexts.open("mine", None, open(WireForm::Anthropic)).await.unwrap();
    let said = UserMessage { text: "Dump everything.".to_owned(), images: Vec::new() };
    contexts.run("mine", None, said).await.unwrap();
    let next = contexts.run("mine", None, NextRequest {}).await.unwrap();
    contexts.close_idle().await;
    assert_eq!(contexts.list().contexts.len(), 1, "it was used");
    contexts.close_idle().await;
    assert_eq!(contexts.list().contexts.len(), 0);
    let body = object(calls(0));
    contexts.run("mine", None, GiveAnswer { request: next.id, body }).await.unwrap();
    assert_eq!(contexts.list().contexts.len(), 1, "the answer has opened it");
    for _ in 0..2 {
        contexts.close_idle().await;
    }
    let result = CallResult { call: "c0".to_owned(), text: rows(0), images: Vec::new(), is_error: false };
    contexts.run("mine", None, GiveResults { results: vec![result] }).await.unwrap();
    let next = contexts.run("mine", None, NextRequest {}).await.unwrap();
    assert!(json!(next.body).to_string().contains("row 59 of 0") && next.body.contains_key("tools"));
    for _ in 0..2 {
        contexts.close_idle().await;
    }
    contexts.close("mine").await.unwrap();
    assert_eq!(contexts.close("mine").await.unwrap_err().code, ErrorCode::UnknownContext);
}

/// Messages of the request that these references are.
fn length(references: &[Reference]) -> u64 {
    let lengths = references.iter().map(|one| match one {
        Reference::Given { from, to } => to - from,
        Reference::Changed { messages, .. } | Reference::Made { messages, .. } => messages.len() as u64,
    });
    lengths.sum()
}

#[tokio::test]
async fn a_list_says_where_the_prompt_cache_is_marked() {
    let contexts = Contexts::default();
    let provider = Some("anthropic".to_owned());
    contexts.open("claude", None, Open { provider, ..open(WireForm::OpenaiChat) }).await.unwrap();
    contexts.open("gpt", None, open(WireForm::OpenaiChat)).await.unwrap();
    for steps in [3, 40] {
        let list = SyncList { messages: chat(steps), ..SyncList::default() };
        let synced = contexts.run("claude", None, list.clone()).await.unwrap();
        let end = CachePoint {
            place: CachePlace::Messages,
            messages: length(&synced.references),
            lifetime: CacheLifetime::FiveMinutes,
        };
        assert_eq!(synced.breakpoints.last(), Some(&end), "{steps} steps: {:?}", synced.breakpoints);
        let places: Vec<_> = synced.breakpoints.iter().map(|one| (one.place as u8, one.messages)).collect();
        assert!(places.is_sorted() && places.len() <= 4, "{places:?}");
        assert_eq!(contexts.run("gpt", None, list).await.unwrap().breakpoints, []);
    }
}

#[tokio::test]
async fn the_same_list_continues_after_the_summary_that_it_needs() {
    let contexts = Contexts::default();
    let by_caller = Open { summaries_by_caller: true, ..open(WireForm::OpenaiChat) };
    contexts.open("list", None, by_caller).await.unwrap();
    let list = chat(30);
    let known = list.len() as u64;
    let asked = contexts.run("list", None, SyncList { messages: list, ..SyncList::default() }).await.unwrap();
    assert!(asked.send == Sends::Summary && asked.summary.is_some());
    let said =
        "### Now\nDumping.\n### Done\nThe rows of zero to nine, name_MARKER among them.\n### Next\nThe rest.";
    let summary = json!({ "context": "list", "id": asked.id, "text": said });
    contexts.call("summary", summary).await.unwrap();
    let synced = contexts.run("list", None, SyncList { known, ..SyncList::default() }).await.unwrap();
    assert_eq!(synced.send, Sends::Request);
    assert!(json!(synced.references).to_string().contains("name_MARKER"));
}

#[tokio::test]
async fn a_list_that_ends_with_the_model_is_taken_over() {
    let contexts = Contexts::default();
    contexts.open("list", None, open(WireForm::OpenaiChat)).await.unwrap();
    let mut list = chat(1);
    list.push(object(json!({ "role": "assistant", "content": "Dumped." })));
    let whole = SyncList { messages: list.clone(), ..SyncList::default() };
    let ended = contexts.run("list", None, whole).await.unwrap_err();
    assert_eq!(ended.code, ErrorCode::NothingToAnswer);
    let handoff = contexts.call("handoff", json!({ "context": "list" })).await.unwrap();
    assert_eq!(handoff["last_answer"], "Dumped.");

    let more = vec![object(json!({ "role": "user", "content": "Again." }))];
    let tail = SyncList { known: list.len() as u64, messages: more, usage: None };
    let synced = contexts.run("list", None, tail).await.unwrap();
    assert_eq!((synced.known, synced.appended, synced.hidden), (list.len() as u64, 1, 0));
}

#[test]
fn every_operation_has_a_line_and_whole_schemas() {
    for entry in OPERATIONS {
        assert!(entry.about().ends_with('.'), "{}: {}", entry.name, entry.about());
        let (input, output) = (entry.whole_input(), entry.whole_output());
        for schema in [&input, &output] {
            assert_eq!(schema["type"], "object", "{}: {schema}", entry.name);
            assert!(!schema.to_string().contains("$ref"), "{}: {schema}", entry.name);
        }
        assert_eq!(entry.of_context, input["properties"].get("context").is_some(), "{}", entry.name);
        assert_eq!(input["additionalProperties"], false, "{}: unknown fields are refused", entry.name);
    }
    for code in ErrorCode::ALL {
        assert_eq!(json!(code), json!(code.name()), "the name is the one that is sent");
        assert!(code.about().ends_with('.'));
    }
}

#[test]
fn the_handle_is_shared_between_threads() {
    fn check<T: Clone + Send + Sync + 'static>() {}
    fn send<T: Send>(_: &T) {}
    check::<Contexts>();
    let contexts = Contexts::default();
    send(&contexts.run("mine", None, NextRequest {}));
    send(&contexts.call("state", Value::Null));
}
