//! What the encoders write is what the lists are read as.

use std::sync::Arc;

use expect_test::expect;
use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Message, Role, ToolCall, ToolResult, Transcript};

use crate::{ListedForm, ListedMessage, Wire, WireRequest as _};

fn conversation() -> Vec<Message> {
    let call = |id: &str| {
        ContentBlock::ToolCall(ToolCall {
            id: id.to_owned(),
            name: "dump".to_owned(),
            input: json!({ "of": id }),
        })
    };
    vec![
        Message::user("Dump both."),
        Message { role: Role::Assistant, content: vec![call("c1"), call("c2")] },
        Message::results([ToolResult::text("c1", "rows"), ToolResult::text("c2", "more rows")]),
        Message::assistant("Done."),
        Message::user("Thanks."),
    ]
}

fn items(wire: Wire) -> Vec<Value> {
    let request = CompletionRequest {
        model: "any".to_owned(),
        session: None,
        tools: Arc::new([]),
        system: Arc::new([]),
        transcript: Transcript::from_messages(conversation()),
        tail: Vec::new(),
        breakpoints: Vec::new(),
        max_output_tokens: 1_000,
    };
    let body = request.body(wire);
    let list = body.get("messages").or_else(|| body.get("input")).or_else(|| body.get("contents"));
    list.unwrap().as_array().unwrap().clone()
}

#[test]
fn a_list_that_was_written_is_read_as_the_same_messages() {
    for wire in [Wire::Anthropic, Wire::OpenAiChat, Wire::OpenAiResponses, Wire::Gemini] {
        let items = items(wire);
        let listed = wire.listed(&items, 0).unwrap();
        let mut end = 0;
        for one in &listed {
            assert_eq!(one.items.start, end, "{wire}: every item belongs to one message");
            end = one.items.end;
        }
        assert_eq!(end, items.len());
        // Results may come in one message or in several.
        let blocks = |messages: &mut dyn Iterator<Item = Message>| {
            messages.flat_map(|message| message.content).collect::<Vec<ContentBlock>>()
        };
        let read = blocks(&mut listed.into_iter().map(|one| one.message));
        assert_eq!(read, blocks(&mut conversation().into_iter()), "{wire}");
    }
}

#[test]
fn calls_and_results_have_the_ids_of_their_items() {
    let ids = |wire: Wire, list: &[Value]| -> Vec<String> {
        let listed = wire.listed(list, 0).unwrap();
        let calls = listed.iter().flat_map(|one| one.message.tool_calls().map(|call| call.id.clone()));
        calls
            .chain(
                listed.iter().flat_map(|one| one.message.tool_results().map(|result| result.call_id.clone())),
            )
            .collect()
    };
    let call = json!({ "functionCall": { "name": "dump", "args": {} } });
    let result = json!({ "functionResponse": { "name": "dump", "response": { "result": "one" } } });
    let list =
        [json!({ "role": "model", "parts": [call, call] }), json!({ "role": "user", "parts": [result] })];
    assert_eq!(ids(Wire::Gemini, &list), ["", "", ""]);
    let call =
        |id: &str| json!({ "id": id, "type": "function", "function": { "name": "dump", "arguments": "{}" } });
    let list = [
        json!({ "role": "assistant", "content": null, "tool_calls": [call("a"), call("a"), call("")] }),
        json!({ "role": "tool", "tool_call_id": "a", "content": "one" }),
    ];
    assert_eq!(ids(Wire::OpenAiChat, &list), ["a", "a", "", "a"]);
    let call = |id: &str| json!({ "type": "tool_use", "id": id, "name": "dump", "input": {} });
    let list = [json!({ "role": "assistant", "content": [call(""), call("b"), call("b")] })];
    assert_eq!(ids(Wire::Anthropic, &list), ["", "b", "b"]);
    let call =
        |id: &str| json!({ "type": "function_call", "call_id": id, "name": "dump", "arguments": "{}" });
    assert_eq!(ids(Wire::OpenAiResponses, &[call("c"), call("c"), call("")]), ["c", "c", ""]);
}

#[test]
fn ids_are_set_in_the_form_of_the_api() {
    for wire in [Wire::Anthropic, Wire::OpenAiChat, Wire::OpenAiResponses, Wire::Gemini] {
        let mut items = items(wire);
        wire.set_call_ids(&mut items, ["", "x", "", "x"]);
        let read = wire.listed(&items, 0).unwrap();
        let results =
            read.iter().flat_map(|one| one.message.tool_results().map(|result| result.call_id.as_str()));
        let calls = read.iter().flat_map(|one| one.message.tool_calls().map(|call| call.id.as_str()));
        assert_eq!(calls.chain(results).collect::<Vec<_>>(), ["", "x", "", "x"], "{wire}");
        let is_left_out = !json!(items).to_string().contains(r#":"""#);
        assert_eq!(is_left_out, wire == Wire::Gemini, "{wire}: {items:?}");
    }
}

#[test]
fn an_item_that_is_no_message_is_named() {
    let list = [json!({ "role": "user", "content": "Hi." }), json!({ "role": "robot", "content": "?" })];
    let error = Wire::Anthropic.listed(&list, 3).unwrap_err();
    assert_eq!(error.place, 4);
    assert!(error.to_string().contains("its role is \"robot\""), "{error}");
    let file = [json!({ "role": "user", "content": [{ "type": "document", "source": {} }] })];
    assert!(Wire::Anthropic.listed(&file, 0).unwrap_err().to_string().contains("document"));
}

/// The kinds of the messages of a list of the Responses API, each with its ids, and how it is written.
fn responses(list: &[Value]) -> String {
    let of = |one: ListedMessage| {
        let calls =
            one.message.tool_calls().map(|call| format!("call {} {} {}", call.name, call.id, call.input));
        let results = one
            .message
            .tool_results()
            .map(|result| format!("result {} {:?}", result.call_id, result.content));
        let said: Vec<String> = calls.chain(results).collect();
        let form = match one.form {
            ListedForm::Encoded => "encoded".to_owned(),
            ListedForm::Output(fields) => json!(fields).to_string(),
            ListedForm::Unchanged => "unchanged".to_owned(),
        };
        format!("{:?} {:?}: {}; {form}\n", one.items, one.message.role, said.join(", "))
    };
    Wire::OpenAiResponses.listed(list, 0).unwrap().into_iter().map(of).collect()
}

#[test]
fn outputs_of_tools_of_the_api_are_results() {
    let list = [
        json!({ "type": "local_shell_call", "id": "l1", "call_id": "c1", "action": { "command": ["ls"] } }),
        json!({ "type": "local_shell_call_output", "id": "c1", "output": "a.rs" }),
        json!({ "type": "custom_tool_call", "call_id": "c2", "name": "patch", "input": "diff" }),
        json!({ "type": "shell_call", "call_id": "c3", "action": { "commands": ["ls"] }, "status": "completed" }),
        json!({ "type": "custom_tool_call_output", "call_id": "c2", "output": "ok" }),
        json!({ "type": "shell_call_output", "call_id": "c3", "output": [{ "stdout": "b.rs", "stderr": "" }] }),
        json!({ "type": "mcp_approval_request", "id": "m1", "name": "delete", "arguments": "{}" }),
        json!({ "type": "mcp_approval_response", "approval_request_id": "m1", "approve": true }),
    ];
    expect![[r#"
        0..1 Assistant: call local_shell c1 {"action":{"command":["ls"]}}; unchanged
        1..2 User: result c1 "a.rs"; {"type":"local_shell_call_output","id":"c1"}
        2..4 Assistant: call patch c2 {"input":"diff"}, call shell c3 {"action":{"commands":["ls"]}}; unchanged
        4..5 User: result c2 "ok"; {"type":"custom_tool_call_output","call_id":"c2"}
        5..6 User: result c3 "[{\"stdout\":\"b.rs\",\"stderr\":\"\"}]"; unchanged
        6..7 Assistant: call delete m1 {"arguments":"{}"}; unchanged
        7..8 User: result m1 "{\"type\":\"mcp_approval_response\",\"approval_request_id\":\"m1\",\"approve\":true}"; unchanged
    "#]]
    .assert_eq(&responses(&list));
}

#[test]
fn a_screenshot_is_a_picture() {
    let screenshot = json!({ "type": "computer_screenshot", "image_url": "data:image/png;base64,aGk=" });
    let list = [
        json!({ "type": "computer_call", "call_id": "c1", "action": { "type": "screenshot" } }),
        json!({ "type": "computer_call_output", "call_id": "c1", "output": screenshot }),
    ];
    let listed = Wire::OpenAiResponses.listed(&list, 0).unwrap();
    assert_eq!(listed[1].message.tool_results().next().unwrap().images.len(), 1);
}

#[test]
fn what_the_provider_runs_itself_is_the_model_s() {
    let list = [
        json!({ "type": "web_search_call", "id": "w1", "status": "completed", "action": { "type": "search" } }),
        json!({ "type": "message", "role": "assistant", "content": "Found." }),
    ];
    expect![[r#"
        0..2 Assistant: ; encoded
    "#]]
    .assert_eq(&responses(&list));
}
