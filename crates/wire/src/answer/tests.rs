//! An answer is the same whole or as a stream, and a body that is not one is refused with its place.

use serde_json::{Value, json};
use throughline_completion::{Answer, ModelError, StopReason};
use throughline_conversation::ContentBlock;

use super::WireAnswer as _;
use crate::error::WireError;
use crate::stream::AnswerStream;
use crate::wire::Wire;

/// One answer of each API, whole and as a stream.
const SAMPLES: [(Wire, &str, &str); 5] = [
    (
        Wire::Anthropic,
        include_str!("../anthropic/decode/cases/thinking_and_calls.json"),
        include_str!("../anthropic/decode/cases/thinking_and_calls.sse"),
    ),
    (
        Wire::OpenAiChat,
        include_str!("../openai_chat/decode/cases/reasoning_and_parallel_calls.json"),
        include_str!("../openai_chat/decode/cases/reasoning_and_parallel_calls.sse"),
    ),
    (
        Wire::OpenAiResponses,
        include_str!("../openai_responses/decode/cases/reasoning_and_call.json"),
        include_str!("../openai_responses/decode/cases/reasoning_and_call.sse"),
    ),
    (
        Wire::Gemini,
        include_str!("../gemini/decode/cases/thinking_and_calls.json"),
        include_str!("../gemini/decode/cases/thinking_and_calls.sse"),
    ),
    (
        Wire::Ollama,
        include_str!("../ollama/decode/cases/thinking_and_calls.json"),
        include_str!("../ollama/decode/cases/thinking_and_calls.ndjson"),
    ),
];

/// The answer without what its made-up ids begin with, which differs from answer to answer.
fn without_prefixes(mut answer: Answer) -> Answer {
    for block in &mut answer.message.content {
        if let ContentBlock::ToolCall(call) = block
            && let Some((_, id)) = call.id.split_once("-call_")
        {
            call.id = format!("call_{id}");
        }
    }
    answer
}

fn whole(wire: Wire, body: &str) -> Result<Answer, WireError> {
    Answer::from_wire(wire, &serde_json::from_str(body).unwrap())
}

#[test]
fn an_answer_is_the_same_whole_or_as_a_stream() {
    for (wire, document, stream) in SAMPLES {
        let whole = without_prefixes(whole(wire, document).unwrap());
        let streamed = without_prefixes(Answer::from_stream(wire, stream.as_bytes()).unwrap());
        assert_eq!(whole, streamed, "{wire}");
        assert_eq!(whole.stop, StopReason::ToolUse, "{wire}");
        assert!(whole.usage.is_some() && whole.message.tool_calls().count() > 0, "{wire}");
        assert!(whole.details.identity.id.is_some() || whole.details.identity.model.is_some(), "{wire}");
    }
}

/// Where an answer is at fault after this change of the sample.
fn fault(wire: Wire, pointer: &str, value: Value) -> String {
    let (_, document, _) = SAMPLES.into_iter().find(|(of, ..)| *of == wire).unwrap();
    let mut body: Value = serde_json::from_str(document).unwrap();
    *body.pointer_mut(pointer).unwrap() = value;
    match Answer::from_wire(wire, &body) {
        Err(WireError::Shape { place, fault, .. }) => format!("{place} {fault}"),
        other => panic!("{wire} {pointer}: {other:?}"),
    }
}

#[test]
fn a_fault_names_its_place() {
    for (wire, pointer, value, expected) in [
        (Wire::Anthropic, "/content", json!(null), "content is missing"),
        (Wire::Anthropic, "/content/2", json!("hi"), "content[2] is not an object"),
        (Wire::Anthropic, "/content/2/text", json!(null), "content[2].text is missing"),
        (Wire::Anthropic, "/content/3/input", json!("{}"), "content[3].input is not an object"),
        (Wire::Anthropic, "/content/3/id", json!(""), "content[3].id is empty"),
        (Wire::Anthropic, "/stop_reason", json!(null), "stop_reason is missing"),
        (Wire::Anthropic, "/usage", json!(7), "usage is not an object"),
        (Wire::OpenAiChat, "/choices", json!([]), "choices is empty"),
        (Wire::OpenAiChat, "/choices/0/message", json!("hi"), "choices[0].message is not an object"),
        (
            Wire::OpenAiChat,
            "/choices/0/message/content",
            json!(7),
            "choices[0].message.content is neither a text nor a list",
        ),
        (
            Wire::OpenAiChat,
            "/choices/0/message/tool_calls/1/function/name",
            json!(null),
            "choices[0].message.tool_calls[1].function.name is missing",
        ),
        (Wire::OpenAiResponses, "/output", json!({}), "output is not a list"),
        (Wire::OpenAiResponses, "/output/2/call_id", json!(null), "output[2].call_id is missing"),
        (
            Wire::OpenAiResponses,
            "/output/1/content/0/text",
            json!(7),
            "output[1].content[0].text is not a text",
        ),
        (Wire::Gemini, "/candidates", json!(null), "candidates is missing"),
        (
            Wire::Gemini,
            "/candidates/0/content/parts/2/functionCall/args",
            json!([]),
            "candidates[0].content.parts[2].functionCall.args is not an object",
        ),
        (Wire::Gemini, "/candidates/0/finishReason", json!(null), "candidates[0].finishReason is missing"),
        (Wire::Ollama, "/message", json!(null), "message is missing"),
        (
            Wire::Ollama,
            "/message/tool_calls/0/function/arguments",
            json!(7),
            "message.tool_calls[0].function.arguments is neither a text nor an object",
        ),
        (Wire::Ollama, "/done", json!(false), "done is not true"),
        (Wire::Ollama, "", json!("hi"), "the body is not an object"),
    ] {
        assert_eq!(fault(wire, pointer, value), expected);
    }
}

#[test]
fn an_error_in_place_of_an_answer_is_the_provider_s() {
    let body = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let error = ModelError::from(Answer::from_wire(Wire::Anthropic, &body).unwrap_err());
    assert!(
        matches!(&error, ModelError::Unavailable { message, .. } if message == "Overloaded"),
        "{error:?}"
    );
    let failed = json!({"status": "failed", "output": [], "error": {"code": "context_length_exceeded",
        "message": "Your input exceeds the context window of this model."}});
    let error = ModelError::from(Answer::from_wire(Wire::OpenAiResponses, &failed).unwrap_err());
    assert!(matches!(error, ModelError::Overflow { .. }), "{error:?}");
    let cut = Answer::from_stream(Wire::Ollama, b"{\"message\":{\"content\":\"hi\"}}\n").unwrap_err();
    assert!(matches!(cut, WireError::Model(ModelError::Interrupted { .. })), "{cut:?}");
    let shape = ModelError::from(Answer::from_wire(Wire::Gemini, &json!({})).unwrap_err());
    let says = "this is no answer of the Gemini API: candidates is missing";
    assert!(matches!(&shape, ModelError::InvalidRequest { message } if message == says), "{shape:?}");
}

#[test]
fn a_prompt_that_is_blocked_has_no_candidate() {
    let body = json!({"promptFeedback": {"blockReason": "SAFETY"}});
    assert_eq!(Answer::from_wire(Wire::Gemini, &body).unwrap().stop, StopReason::Refusal);
}

#[test]
fn ids_that_the_request_has_are_not_given_again() {
    let (_, document, _) = SAMPLES[1];
    let document: Value = serde_json::from_str(document).unwrap();
    let messages =
        throughline_testkit::parse("user: a\nassistant: b\n  -> call_a read\nresults:\n  call_a = x");
    let request = throughline_testkit::request(messages);
    let stream = AnswerStream::after(Wire::OpenAiChat, &request);
    let answer = Answer::from_events(stream.whole(document)).unwrap();
    let ids: Vec<&str> = answer.message.tool_calls().map(|call| call.id.as_str()).collect();
    assert!(ids[0].ends_with("-call_1") && ids[1] == "call_b", "{ids:?}");
}
