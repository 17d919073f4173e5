//! What the encoders write is what the lists are read as.

use std::sync::Arc;

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Message, Role, ToolCall, ToolResult, Transcript};

use crate::{Wire, WireRequest as _};

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
fn a_call_of_gemini_without_an_id_is_paired_by_place() {
    let call = json!({ "functionCall": { "name": "dump", "args": {} } });
    let result =
        |text: &str| json!({ "functionResponse": { "name": "dump", "response": { "result": text } } });
    let list = [
        json!({ "role": "user", "parts": [{ "text": "Dump." }] }),
        json!({ "role": "model", "parts": [call, call] }),
        json!({ "role": "user", "parts": [result("one"), result("two")] }),
    ];
    let listed = Wire::Gemini.listed(&list, 0).unwrap();
    assert_eq!(listed, Wire::Gemini.listed(&list, 0).unwrap(), "the ids are always the same");
    let calls: Vec<&str> = listed[1].message.tool_calls().map(|call| call.id.as_str()).collect();
    let answered: Vec<&str> =
        listed[2].message.tool_results().map(|result| result.call_id.as_str()).collect();
    assert_eq!(calls, answered);
    assert_ne!(calls[0], calls[1]);
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
