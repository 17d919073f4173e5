//! Tests of the recorded model.

use std::sync::Arc;

use futures_util::StreamExt;
use throughline_completion::{
    Answer, Assembly, CompletionRequest, LanguageModel, ModelError, ModelInfo, StopReason,
};
use throughline_conversation::{Message, Usage};
use throughline_testkit::{WordCounter, render, view};

use super::{MockWireCheck, RecordedModel};
use crate::sample::session;

const TALK: &str = "user: one two\nassistant:\n  -> c1 read {}\nresults:\n  c1 = three four\nassistant: five\n\
    user: six\nassistant: seven eight";

fn model(window: u64, factor: f64) -> RecordedModel {
    let info = ModelInfo::with_window("recorded", window, 10);
    RecordedModel::new(Arc::new(session(TALK)), info, Arc::new(WordCounter), factor)
}

fn request(notation: &str) -> CompletionRequest {
    CompletionRequest {
        model: "recorded".to_owned(),
        session: None,
        tools: Arc::from([]),
        system: Arc::from([]),
        transcript: view(notation).transcript().clone(),
        tail: Vec::new(),
        breakpoints: Vec::new(),
        max_output_tokens: 10,
    }
}

async fn ask(model: &RecordedModel, notation: &str) -> Result<(Message, StopReason, Usage), ModelError> {
    let mut stream = model.stream(&request(notation)).await?;
    let mut assembly = Assembly::default();
    while let Some(event) = stream.next().await {
        assembly.push(event?);
    }
    let Answer { message, stop, usage, .. } = assembly.finish()?;
    Ok((message, stop, usage.unwrap()))
}

#[tokio::test]
async fn recorded_answers_come_in_order_with_a_cache_of_our_own_requests() {
    let model = model(1_000, 1.0);
    let (message, stop, usage) = ask(&model, "user: one two").await.unwrap();
    assert_eq!((render([&message]).as_str(), stop), ("assistant:\n  -> c1 read {}\n", StopReason::ToolUse));
    assert_eq!(usage, Usage { input: 0, cache_read: 0, cache_write: 2, output: 2, searches: 0 });
    let (message, stop, usage) =
        ask(&model, "user: one two\nassistant:\n  -> c1 read {}\nresults:\n  c1 = [stored]").await.unwrap();
    assert_eq!((message.text().as_str(), stop), ("five", StopReason::EndTurn));
    assert_eq!(usage, Usage { input: 0, cache_read: 2, cache_write: 3, output: 1, searches: 0 });
    let measured = model.measured();
    assert_eq!((measured.figures.costs.read, measured.figures.costs.write), (2, 5));
    // The whole history is 2 words, then 2 + 2 + 2 of them.
    assert_eq!(
        (measured.figures.full.read, measured.figures.full.write, measured.figures.full.peak),
        (2, 6, 6)
    );
}

#[tokio::test]
async fn figures_are_those_of_the_provider() {
    let model = model(1_000, 1.5);
    let (_, _, usage) = ask(&model, "user: one two").await.unwrap();
    assert_eq!(usage, Usage { input: 0, cache_read: 0, cache_write: 3, output: 3, searches: 0 });
    assert_eq!((model.measured().figures.costs.write, model.measured().figures.full.write), (3, 3));
}

#[tokio::test]
async fn a_request_over_the_window_is_refused_and_its_answer_waits() {
    let model = model(16, 2.0);
    // Four words are eight tokens; six are left next to the reserved output.
    let refused = ask(&model, "user: one two three four").await.unwrap_err();
    let ModelError::Overflow { message, limit, .. } = refused else { panic!("{refused}") };
    assert_eq!((message.as_str(), limit), ("prompt is too long: 8 tokens > 6 maximum", Some(16)));
    let (message, _, usage) = ask(&model, "user: one two three").await.unwrap();
    assert_eq!(message.tool_calls().count(), 1, "the first answer is still to be given");
    assert_eq!(usage.cache_write, 6, "a refused request is in no cache");
    assert_eq!((model.measured().over_window, model.measured().figures.costs.requests), (1, 1));
}

#[tokio::test]
async fn a_request_that_is_not_valid_is_counted_and_answered() {
    let mut check = MockWireCheck::new();
    check.expect_check().times(2).returning(|request| match request.transcript.len() {
        1 => vec!["messages.0: the wire has a rule of its own".to_owned()],
        _ => Vec::new(),
    });
    let model = model(1_000, 1.0).checked_by(Arc::new(check));
    ask(&model, "user: one").await.unwrap();
    assert_eq!(model.measured().invalid, 1);
    ask(&model, "user: one\nassistant: two").await.unwrap();
    let measured = model.measured();
    assert_eq!(measured.invalid, 2);
    assert_eq!(
        measured.faults,
        [
            "messages.0: the wire has a rule of its own",
            "the last message is the model's; a request must end with the user's side"
        ]
    );
}

#[tokio::test]
async fn turns_are_begun_by_the_caller_and_no_answer_is_made_up() {
    let model = model(1_000, 1.0);
    model.begin_turn(1);
    let (message, _, _) = ask(&model, "user: six").await.unwrap();
    assert_eq!(message.text(), "seven eight");
    assert_eq!(model.last_calls_of_cut_off_turn(), None);
    let (message, stop, _) = ask(&model, "user: six").await.unwrap();
    assert_eq!(message.text(), "[the recording has no further answer in this turn]");
    assert_eq!(stop, StopReason::EndTurn);
    assert_eq!((model.measured().unrecorded, model.measured().figures.costs.requests), (1, 1));
}
