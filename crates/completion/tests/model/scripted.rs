//! The scripted model is as strict as a provider.

use futures_util::StreamExt;
use serde_json::json;
use throughline_completion::{
    Assembly, CompletionEvent, CompletionRequest, LanguageModel, ModelError, ModelInfo, Reply, ScriptedModel,
    StopReason,
};
use throughline_conversation::{ContentBlock, Message, Place, Transcript, Usage};
use throughline_testkit::{WordCounter, parse};

use crate::request::{marker, request, tool};

const HEAD: u64 = 18;

fn model(window: u64, replies: impl IntoIterator<Item = Reply>) -> ScriptedModel {
    ScriptedModel::new(ModelInfo::with_window("test", window, 100), Box::new(WordCounter), replies)
}

/// Sends a request and adds the answer up, as the engine does.
async fn ask(
    model: &ScriptedModel,
    request: &CompletionRequest,
) -> Result<(Message, StopReason, Option<Usage>), ModelError> {
    let mut stream = model.stream(request).await?;
    let mut assembly = Assembly::default();
    while let Some(event) = stream.next().await {
        assembly.push(event?);
    }
    assembly.finish().map(|answer| (answer.message, answer.stop, answer.usage))
}

#[tokio::test]
async fn it_answers_from_its_script_and_fails_after_the_end() {
    let model = model(1_000, [Reply::text("one two"), Reply::call("c1", "read", json!({"path": "a.rs"}))]);
    let request = request("user: hello");
    let (message, stop, _) = ask(&model, &request).await.expect("an answer");
    assert_eq!((message.text().as_str(), stop), ("one two", StopReason::EndTurn));
    let (message, stop, _) = ask(&model, &request).await.expect("an answer");
    assert_eq!((message.tool_calls().count(), stop), (1, StopReason::ToolUse));
    let (message, ..) = ask(&model, &request).await.expect("an answer");
    assert_eq!(message.text(), "[the script has no more answers]");
    model.extend([Reply::text("more")]);
    model.interject(Reply::text("first"));
    assert_eq!(ask(&model, &request).await.expect("an answer").0.text(), "first");
    assert_eq!(ask(&model, &request).await.expect("an answer").0.text(), "more");
    assert_eq!(model.request_count(), 5);
}

#[tokio::test]
async fn it_may_look_at_the_request() {
    let look = |request: &CompletionRequest| {
        vec![ContentBlock::Text { text: format!("{} messages", request.transcript.len()) }]
    };
    let model = model(1_000, [Reply::Look(Box::new(look))]);
    let (message, ..) = ask(&model, &request("user: a\nassistant: b\nuser: c")).await.expect("an answer");
    assert_eq!(message.text(), "3 messages");
    assert_eq!(format!("{:?}", Reply::Look(Box::new(look))), "Look");
}

#[tokio::test]
async fn a_text_is_streamed_before_its_block() {
    let model = model(1_000, [Reply::text("one two")]);
    let stream = model.stream(&request("user: hello")).await.expect("an answer");
    let events: Vec<CompletionEvent> = stream.map(|event| event.expect("an event")).collect().await;
    let block = ContentBlock::Text { text: "one two".to_owned() };
    let usage = Usage { input: 0, cache_read: 0, cache_write: HEAD + 1, output: 2, searches: 0 };
    assert_eq!(
        events,
        [
            CompletionEvent::TextDelta("one two".to_owned()),
            CompletionEvent::Block(block),
            CompletionEvent::Usage(usage),
            CompletionEvent::Finished(StopReason::EndTurn),
        ]
    );
}

#[tokio::test]
async fn a_malformed_request_is_refused_and_uses_up_no_answer() {
    let model = model(1_000, [Reply::text("here")]);
    let mut bad = request("user: hello");
    bad.transcript = Transcript::from_messages(parse("user: a\nassistant:\n  -> c1 read {}\nuser: b"));
    bad.tools = [tool("read"), tool("read")].into();
    let refused = ask(&model, &bad).await.expect_err("two faults");
    let ModelError::InvalidRequest { message } = refused else { panic!("{refused:?}") };
    assert_eq!(message, "two tools are named \"read\"; message 1: call c1 has no result in the next message");

    let mut marked = request("user: hello");
    marked.breakpoints = vec![marker(Place::Tool(0)); 5];
    let refused = ask(&model, &marked).await.expect_err("five markers");
    let ModelError::InvalidRequest { message } = refused else { panic!("{refused:?}") };
    assert_eq!(message, "at most 4 cache breakpoints may be set, found 5");

    assert_eq!(ask(&model, &request("user: hello")).await.expect("an answer").0.text(), "here");
    assert_eq!(model.request_count(), 3);
}

#[tokio::test]
async fn a_request_over_the_window_less_its_output_overflows() {
    // 18 of head and 10 reserved for the answer leave 2 of 30.
    let model = model(30, [Reply::text("here")]);
    let refused = ask(&model, &request("user: one two three")).await.expect_err("one too many");
    let ModelError::Overflow { message, limit, .. } = refused else { panic!("{refused:?}") };
    assert_eq!((message.as_str(), limit), ("prompt is too long: 21 tokens > 20 maximum", Some(30)));

    let (_, _, usage) = ask(&model, &request("user: one two")).await.expect("it just fits");
    assert_eq!(usage.map(|usage| usage.prompt()), Some(20));
}

#[tokio::test]
async fn usage_tells_what_the_cache_did() {
    let model = model(1_000, [Reply::text("three four"), Reply::text("six")]);
    let (_, _, first) = ask(&model, &request("user: one two")).await.expect("an answer");
    assert_eq!(first, Some(Usage { input: 0, cache_read: 0, cache_write: HEAD + 2, output: 2, searches: 0 }));

    let mut next = request("user: one two\nassistant: three four\nuser: five");
    next.tail = vec!["a note here".to_owned()];
    let (_, _, second) = ask(&model, &next).await.expect("an answer");
    assert_eq!(
        second,
        Some(Usage { input: 3, cache_read: HEAD + 2, cache_write: 3, output: 1, searches: 0 })
    );
}

#[tokio::test]
async fn a_request_that_is_not_answered_warms_nothing() {
    let unavailable = ModelError::Unavailable { message: "overloaded".to_owned(), retry_after_ms: None };
    let model = model(40, [Reply::Fail(unavailable), Reply::text("here")]);
    let request_ = request("user: one two");
    let failed = ask(&model, &request_).await.expect_err("the script says so");
    assert!(matches!(failed, ModelError::Unavailable { .. }), "{failed:?}");
    let long = format!("user: one two\nassistant: ok\nuser:{}", " word".repeat(40));
    let failed = ask(&model, &request(&long)).await.expect_err("too long");
    assert!(matches!(failed, ModelError::Overflow { .. }), "{failed:?}");
    let (_, _, usage) = ask(&model, &request_).await.expect("an answer");
    assert_eq!(usage.map(|usage| (usage.cache_read, usage.cache_write)), Some((0, HEAD + 2)));
}

#[tokio::test]
async fn an_answer_that_breaks_off_leaves_nothing() {
    let half = vec![ContentBlock::Text { text: "half an ans".to_owned() }];
    let model = model(1_000, [Reply::BreakOff(half), Reply::text("whole")]);
    let request = request("user: hello");
    let mut stream = model.stream(&request).await.expect("it begins");
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await {
        seen.push(event);
    }
    assert!(matches!(seen.last(), Some(Err(ModelError::Interrupted { .. }))), "{seen:?}");
    let finished = |event: &Result<CompletionEvent, ModelError>| {
        matches!(event, Ok(CompletionEvent::Finished(_) | CompletionEvent::Usage(_)))
    };
    assert!(!seen.iter().any(finished), "a broken answer is neither finished nor reported");
    assert_eq!(ask(&model, &request).await.expect("an answer").0.text(), "whole");
}

#[tokio::test]
async fn requests_are_kept_only_when_asked_for() {
    let silent = model(1_000, []);
    ask(&silent, &request("user: hello")).await.expect("an answer");
    assert_eq!(silent.requests(), []);
    let recording = model(1_000, []).recording();
    let mut bad = request("user: hello");
    bad.max_output_tokens = 0;
    for request in [&request("user: hello"), &bad] {
        let _ = ask(&recording, request).await;
    }
    assert_eq!(recording.requests(), [request("user: hello"), bad]);
    assert_eq!(recording.info(), ModelInfo::with_window("test", 1_000, 100));
}
