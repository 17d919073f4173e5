//! From the events of an answer to its message.

use serde_json::json;
use throughline_completion::{Assembly, CompletionEvent, ModelError, StopReason};
use throughline_conversation::{ContentBlock, Message, Role, ToolCall, Usage};

fn text(text: &str) -> ContentBlock {
    ContentBlock::Text { text: text.to_owned() }
}

fn assemble(
    events: impl IntoIterator<Item = CompletionEvent>,
) -> Result<(Message, StopReason, Option<Usage>), ModelError> {
    let mut assembly = Assembly::default();
    events.into_iter().for_each(|event| assembly.push(event));
    assembly.finish().map(|answer| (answer.message, answer.stop, answer.usage))
}

#[test]
fn the_message_is_made_of_whole_blocks_and_the_last_report_counts() {
    let call =
        ContentBlock::ToolCall(ToolCall { id: "c1".to_owned(), name: "read".to_owned(), input: json!({}) });
    let early = Usage { input: 10, ..Usage::default() };
    let late = Usage { output: 4, ..early };
    let (message, stop, usage) = assemble([
        CompletionEvent::Usage(early),
        CompletionEvent::ThinkingDelta("hm".to_owned()),
        CompletionEvent::TextDelta("let me ".to_owned()),
        CompletionEvent::TextDelta("look".to_owned()),
        CompletionEvent::Block(text("let me look")),
        CompletionEvent::Unknown(json!({"type": "ping"})),
        CompletionEvent::Block(call.clone()),
        CompletionEvent::Usage(late),
        CompletionEvent::Finished(StopReason::ToolUse),
    ])
    .expect("a whole answer");
    assert_eq!(message, Message { role: Role::Assistant, content: vec![text("let me look"), call] });
    assert_eq!((stop, usage), (StopReason::ToolUse, Some(late)));
}

#[test]
fn blank_texts_are_left_out_and_an_answer_may_be_empty() {
    let events = [text(" \n"), text("x"), text("")].map(CompletionEvent::Block);
    let done = CompletionEvent::Finished(StopReason::EndTurn);
    let (message, _, usage) = assemble(events.into_iter().chain([done.clone()])).expect("a whole answer");
    assert_eq!((message.content, usage), (vec![text("x")], None));
    let (message, ..) = assemble([done]).expect("an empty answer");
    assert_eq!(message.content, []);
}

#[test]
fn a_stream_that_just_ends_is_an_interruption() {
    let broken = assemble([CompletionEvent::Block(text("half an ans"))]);
    assert!(matches!(broken, Err(ModelError::Interrupted { .. })), "{broken:?}");
}

#[test]
fn every_stop_reason_has_its_word() {
    use StopReason::{EndTurn, MaxTokens, Other, Pause, Refusal, StopSequence, ToolUse};
    for reason in [EndTurn, ToolUse, MaxTokens, StopSequence, Refusal, Pause] {
        let word = serde_json::to_string(&reason).expect("text");
        assert_eq!(word, format!("\"{}\"", reason.name()));
    }
    assert_eq!(Other("new_reason".to_owned()).name(), "new_reason");
}

#[test]
fn the_calls_of_a_refused_answer_are_left_out() {
    let call = ToolCall { id: "c1".to_owned(), name: "shell".to_owned(), input: json!({}) };
    let events = [text("I will"), ContentBlock::ToolCall(call)].map(CompletionEvent::Block);
    let end = |stop: StopReason| events.clone().into_iter().chain([CompletionEvent::Finished(stop)]);
    let (message, ..) = assemble(end(StopReason::Refusal)).expect("a whole answer");
    assert_eq!(message.content, vec![text("I will")]);
    let (message, ..) = assemble(end(StopReason::MaxTokens)).expect("a whole answer");
    assert_eq!(message.content.len(), 2);
}
