//! Answers that a provider withholds: by a filter, by an empty answer, or since the window is full.

use std::sync::Arc;

use throughline_agent::Event;
use throughline_completion::{CompletionEvent, ModelError, Reply, StopReason};
use throughline_conversation::Usage;

use crate::first_streams::FirstStreams;
use crate::harness::{World, echo, session, text, turn};

fn filtered() -> Reply {
    Reply::Fail(ModelError::Filtered { message: "Content Exists Risk".to_owned() })
}

#[tokio::test]
async fn what_a_filter_refuses_is_hidden_and_the_next_turn_is_answered() {
    let world = World::new(4_000, [Reply::Say(vec![echo("c1", 3)]), filtered(), Reply::text("Hello.")]);
    let mut agent = world.agent().await;
    let outcome = turn(&mut agent, "Read the odd file.").await.0.unwrap();
    let refused = outcome.refused.unwrap();
    assert_eq!(outcome.stop, "refusal");
    assert_eq!(refused.details.explanation.as_deref(), Some("Content Exists Risk"));
    assert!(refused.hidden.is_some());
    assert_eq!(turn(&mut agent, "Hi.").await.0.unwrap().text, "Hello.");
    let last = world.model.requests().pop().unwrap();
    let says = |part: &str| last.transcript.messages().any(|message| message.text().contains(part));
    assert!(says("Hi.") && !says("odd file"), "{:?}", last.transcript);
}

#[tokio::test]
async fn another_model_answers_what_a_filter_refuses() {
    let world = World::new(4_000, [filtered(), Reply::text("Here.")]);
    let next = world.next("openai", "o1", 4_000);
    let mut agent = world.builder().fallback(next).open(session()).await.unwrap();
    let outcome = turn(&mut agent, "Go.").await.0.unwrap();
    assert_eq!((outcome.text.as_str(), outcome.refused), ("Here.", None));
    assert_eq!(agent.model().name, "o1");
}

/// A model that ends some answers so.
fn withholds(world: &World, times: u64, answer: Vec<CompletionEvent>) -> Arc<FirstStreams> {
    FirstStreams::new(world, times, answer, None)
}

#[tokio::test]
async fn another_model_answers_after_a_refusal_and_after_two_empty_answers() {
    let used = CompletionEvent::Usage(Usage { input: 10, output: 2, ..Usage::default() });
    let call = CompletionEvent::Block(echo("c1", 3));
    let refusal = vec![used.clone(), call, CompletionEvent::Finished(StopReason::Refusal)];
    let empty = vec![used, CompletionEvent::Finished(StopReason::EndTurn)];
    for (times, answer) in [(1, refusal), (2, empty)] {
        let world = World::new(4_000, [Reply::text("Here.")]);
        let builder = world.builder_for(withholds(&world, times, answer), world.settings.clone());
        let mut agent = builder.fallback(world.next("openai", "o1", 4_000)).open(session()).await.unwrap();
        let (outcome, events) = turn(&mut agent, "Go.").await;
        assert_eq!(outcome.unwrap().text, "Here.");
        assert_eq!(agent.model().name, "o1");
        assert!(!events.iter().any(|event| matches!(event, Event::ToolStarted { .. })), "{events:?}");
    }
}

#[tokio::test]
async fn an_empty_answer_of_a_full_window_compacts_and_the_turn_continues() {
    let full = CompletionEvent::Finished(StopReason::Other(StopReason::WINDOW_FULL.to_owned()));
    let steps = (0..6).map(|step| Reply::Say(vec![echo(&format!("c{step}"), 300)]));
    let world = World::new(10_000, steps.chain([Reply::text("Read."), Reply::text("Here.")]));
    let model = withholds(&world, 0, vec![full]);
    let mut agent = world.builder_for(model.clone(), world.settings.clone()).open(session()).await.unwrap();
    turn(&mut agent, "Read all.").await.0.unwrap();
    model.repeat(1);
    let (outcome, events) = turn(&mut agent, "And now?").await;
    assert_eq!(outcome.unwrap().text, "Here.");
    assert!(events.iter().any(|event| matches!(event, Event::Compacted(_))), "{events:?}");
}

#[tokio::test]
async fn the_text_of_an_answer_that_filled_the_window_stays() {
    let full = CompletionEvent::Finished(StopReason::Other(StopReason::WINDOW_FULL.to_owned()));
    let world = World::new(4_000, []);
    let answer = vec![CompletionEvent::Block(text("Half an")), full];
    let model = withholds(&world, 1, answer);
    let mut agent = world.builder_for(model, world.settings.clone()).open(session()).await.unwrap();
    let outcome = turn(&mut agent, "Go.").await.0.unwrap();
    assert_eq!((outcome.text.as_str(), outcome.stop.as_str()), ("Half an", StopReason::WINDOW_FULL));
}
