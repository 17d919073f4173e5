//! What a failing model does to a turn.

use std::sync::Arc;

use throughline_agent::{Event, TurnError};
use throughline_completion::{CompletionEvent, ModelError, Reply};
use throughline_conversation::{EditReason, Usage};
use throughline_testkit::render;

use crate::first_streams::FirstStreams;
use crate::harness::{World, echo, session, text, turn};

/// A model that begins some answers with what is not shown, then says that it is overloaded.
fn stumbles(world: &World, times: u64, begins_with: Vec<CompletionEvent>) -> Arc<FirstStreams> {
    FirstStreams::new(world, times, begins_with, Some(overloaded))
}

fn overloaded() -> ModelError {
    ModelError::Unavailable { message: "overloaded".to_owned(), retry_after_ms: None }
}

/// What may come before anybody sees anything.
fn unseen() -> [Vec<CompletionEvent>; 3] {
    let usage = CompletionEvent::Usage(Usage { input: 10, ..Usage::default() });
    let call = CompletionEvent::Block(echo("c1", 3));
    [vec![usage.clone()], vec![usage.clone(), call], vec![usage, CompletionEvent::TextDelta(String::new())]]
}

#[tokio::test]
async fn what_was_not_shown_does_not_keep_an_answer_from_being_asked_for_again() {
    for begins_with in unseen() {
        let world = World::new(4_000, [Reply::text("Here.")]);
        let model = stumbles(&world, 2, begins_with);
        let mut agent = world.builder_for(model, world.settings.clone()).open(session()).await.unwrap();
        let (outcome, events) = turn(&mut agent, "Go.").await;
        assert_eq!(outcome.unwrap().text, "Here.");
        assert_eq!(events.iter().filter(|event| matches!(event, Event::Retrying { .. })).count(), 2);
        assert!(!events.iter().any(|event| matches!(event, Event::ToolStarted { .. })), "{events:?}");
    }
}

#[tokio::test]
async fn what_was_not_shown_does_not_keep_another_model_from_answering() {
    for begins_with in unseen() {
        let world = World::new(4_000, [Reply::text("Here.")]);
        let builder = world.builder_for(stumbles(&world, 9, begins_with), world.settings.clone());
        let next = world.next("openai", "o1", 4_000);
        let mut agent = builder.fallback(next).open(session()).await.unwrap();
        assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Here.");
        assert_eq!(agent.model().name, "o1");
    }
}

#[tokio::test]
async fn a_transient_error_is_tried_again_before_the_first_event() {
    let busy = || Reply::Fail(overloaded());
    let world = World::new(4_000, [busy(), busy(), Reply::text("Here.")]);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Here.");
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Retrying { .. })).count(), 2);
}

#[tokio::test]
async fn tries_are_counted_and_hopeless_errors_are_not_tried_again() {
    let busy = || Reply::Fail(overloaded());
    let world = World::new(4_000, [busy(), busy(), busy(), Reply::text("too late")]);
    let mut agent = world.agent().await;
    let error = turn(&mut agent, "Go.").await.0.unwrap_err();
    assert!(matches!(error, TurnError::Model(ModelError::Unavailable { .. })), "{error:?}");
    assert_eq!(world.model.request_count(), 3);

    let key = Reply::Fail(ModelError::Unauthorized { message: "bad key".to_owned() });
    let world = World::new(4_000, [key, Reply::text("never")]);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap_err();
    assert_eq!(world.model.request_count(), 1);
}

fn half() -> Reply {
    Reply::BreakOff(vec![text("Half an")])
}

/// What becomes of an answer, in order.
fn course(events: &[Event]) -> Vec<String> {
    let step = |event: &Event| match event {
        Event::Text(text) => Some(text.clone()),
        Event::Withdrawn { why } => Some(format!("withdrawn: {why}")),
        Event::Retrying { .. } => Some("again".to_owned()),
        Event::Switched { to, .. } => Some(format!("to {to}")),
        _ => None,
    };
    events.iter().filter_map(step).collect()
}

const BROKE: &str = "withdrawn: the answer broke off: the connection broke";

#[tokio::test]
async fn an_answer_that_breaks_off_is_withdrawn_and_asked_for_again() {
    let world = World::new(4_000, [half(), half(), Reply::text("Whole.")]);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Whole.");
    assert_eq!(course(&events), ["Half an", BROKE, "again", "Half an", BROKE, "again", "Whole."]);
    assert_eq!(render(agent.view().transcript().messages()), "user: Go.\nassistant: Whole.\n");
}

#[tokio::test]
async fn an_answer_that_always_breaks_off_is_not_kept() {
    let world = World::new(4_000, [half(), half(), half(), Reply::text("Whole.")]);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    let error = outcome.unwrap_err();
    assert!(matches!(error, TurnError::Model(ModelError::Interrupted { .. })), "{error:?}");
    assert_eq!(course(&events), ["Half an", BROKE, "again", "Half an", BROKE, "again", "Half an"]);
    assert_eq!(render(agent.view().transcript().messages()), "user: Go.\n");
    assert_eq!(turn(&mut agent, "Again.").await.0.unwrap().text, "Whole.");
}

#[tokio::test]
async fn another_model_continues_after_an_answer_that_always_breaks_off() {
    let world = World::new(4_000, [half(), half(), half(), Reply::text("Whole.")]);
    let next = world.next("openai", "o1", 4_000);
    let mut agent = world.builder().fallback(next).open(session()).await.unwrap();
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Whole.");
    assert_eq!(course(&events)[6..], ["Half an", BROKE, "to openai/o1", "Whole."]);
}

#[tokio::test]
async fn an_overflow_compacts_once_and_sends_again() {
    let overflow = || {
        Reply::Fail(ModelError::Overflow {
            message: "prompt is too long".to_owned(),
            limit: None,
            tokens: None,
        })
    };
    let mut replies: Vec<Reply> = (0..5).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.extend([overflow(), Reply::text("Done.")]);
    let world = World::new(10_000, replies);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Done.");
    let compacted = events
        .iter()
        .any(|event| matches!(event, Event::Compacted(receipt) if receipt.reason == EditReason::Overflow));
    assert!(compacted, "{events:?}");
}

#[tokio::test]
async fn a_provider_that_always_overflows_ends_the_turn() {
    let overflow = || {
        Reply::Fail(ModelError::Overflow {
            message: "prompt is too long".to_owned(),
            limit: None,
            tokens: None,
        })
    };
    let mut replies: Vec<Reply> = (0..5).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 300)])).collect();
    replies.extend((0..20).map(|_| overflow()));
    let world = World::new(10_000, replies);
    let mut agent = world.agent().await;
    let error = turn(&mut agent, "Go.").await.0.unwrap_err();
    assert!(
        matches!(error, TurnError::Model(ModelError::Overflow { .. }) | TurnError::DoesNotFit { .. }),
        "{error:?}"
    );
    assert!(world.model.request_count() <= 5 + 3, "{} requests", world.model.request_count());
}

#[tokio::test]
async fn a_limit_that_the_provider_names_is_remembered() {
    let limit = Reply::Fail(ModelError::Overflow {
        message: "too long".to_owned(),
        limit: Some(5_000),
        tokens: None,
    });
    let mut replies: Vec<Reply> = (0..5).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 500)])).collect();
    replies.extend([limit, Reply::text("Done.")]);
    let world = World::new(10_000, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    assert_eq!(agent.budget().total, 5_000);
}

#[tokio::test]
async fn a_limit_that_leaves_no_room_for_an_answer_is_not_believed() {
    let limit =
        Reply::Fail(ModelError::Overflow { message: "too long".to_owned(), limit: Some(8), tokens: None });
    let mut replies: Vec<Reply> = (0..5).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 500)])).collect();
    replies.extend([limit, Reply::text("Done.")]);
    let world = World::new(10_000, replies);
    let mut agent = world.agent().await;
    assert_eq!(turn(&mut agent, "Go.").await.0.unwrap().text, "Done.");
    assert_eq!(agent.budget().total, 10_000);
}

#[tokio::test]
async fn a_provider_that_asks_to_come_back_much_later_is_not_waited_for() {
    let busy = || ModelError::Unavailable { message: "overloaded".to_owned(), retry_after_ms: Some(120_000) };
    let world = World::new(4_000, [Reply::Fail(busy()), Reply::text("never")]);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    let TurnError::Model(error) = outcome.unwrap_err() else { panic!("no error of the model") };
    assert!(error.to_string().contains("asks to retry in 2 min"), "{error}");
    assert_eq!(world.model.request_count(), 1);
    assert!(!events.iter().any(|event| matches!(event, Event::Retrying { .. })));
}

/// Work of some size, then these replies. A wording that no list knows is an invalid request.
fn after_work(last: Vec<Reply>) -> Vec<Reply> {
    let work = (0..5).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 500)]));
    work.chain(last).collect()
}

fn unknown_words(text: &str) -> Reply {
    Reply::Fail(ModelError::InvalidRequest { message: text.to_owned() })
}

#[tokio::test]
async fn unknown_words_for_a_request_that_is_too_long_are_guessed_by_their_numbers() {
    let words = "token budget of 2200 is less than the 2900 that came";
    let world = World::new(10_000, after_work(vec![unknown_words(words), Reply::text("Done.")]));
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Done.");
    assert!(events.iter().any(|event| matches!(event, Event::Compacted(_))), "{events:?}");
    assert_eq!(agent.budget().total, 2_200);
}

#[tokio::test]
async fn a_guess_that_does_not_help_is_withdrawn_and_not_repeated() {
    let words = "token budget of 2200 is less than the 2900 that came";
    let last = vec![unknown_words(words), unknown_words(words), unknown_words(words)];
    let world = World::new(10_000, after_work(last));
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    let error = outcome.unwrap_err();
    assert!(matches!(error, TurnError::Model(ModelError::InvalidRequest { .. })), "{error:?}");
    let said =
        |text: &str| events.iter().any(|one| matches!(one, Event::Notice(line) if line.contains(text)));
    assert!(said("is taken for") && said("no overflow after all"), "{events:?}");
    assert_eq!((world.model.request_count(), agent.budget().total), (7, 10_000));
    // There are no more guesses.
    turn(&mut agent, "Again.").await.0.unwrap_err();
    assert_eq!(world.model.request_count(), 8);
}
