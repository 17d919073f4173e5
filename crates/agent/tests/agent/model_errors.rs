//! What a failing model does to a turn.

use throughline_agent::{Event, TurnError};
use throughline_completion::{ModelError, Reply};
use throughline_conversation::EditReason;
use throughline_testkit::render;

use crate::harness::{World, echo, text, turn};

#[tokio::test]
async fn a_transient_error_is_tried_again_before_the_first_event() {
    let busy =
        || Reply::Fail(ModelError::Unavailable { message: "overloaded".to_owned(), retry_after_ms: None });
    let world = World::new(4_000, [busy(), busy(), Reply::text("Here.")]);
    let mut agent = world.agent().await;
    let (outcome, events) = turn(&mut agent, "Go.").await;
    assert_eq!(outcome.unwrap().text, "Here.");
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Retrying { .. })).count(), 2);
}

#[tokio::test]
async fn tries_are_counted_and_hopeless_errors_are_not_tried_again() {
    let busy =
        || Reply::Fail(ModelError::Unavailable { message: "overloaded".to_owned(), retry_after_ms: None });
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

#[tokio::test]
async fn an_answer_that_breaks_off_is_not_kept_and_not_tried_again() {
    let world = World::new(4_000, [Reply::BreakOff(vec![text("Half an")]), Reply::text("Whole.")]);
    let mut agent = world.agent().await;
    let error = turn(&mut agent, "Go.").await.0.unwrap_err();
    assert!(matches!(error, TurnError::Model(ModelError::Interrupted { .. })), "{error:?}");
    assert_eq!(render(agent.view().transcript().messages()), "user: Go.\n");
    assert_eq!(turn(&mut agent, "Again.").await.0.unwrap().text, "Whole.");
}

#[tokio::test]
async fn an_overflow_compacts_once_and_sends_again() {
    let overflow =
        || Reply::Fail(ModelError::Overflow { message: "prompt is too long".to_owned(), limit: None });
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
    let overflow =
        || Reply::Fail(ModelError::Overflow { message: "prompt is too long".to_owned(), limit: None });
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
    let limit = Reply::Fail(ModelError::Overflow { message: "too long".to_owned(), limit: Some(5_000) });
    let mut replies: Vec<Reply> = (0..5).map(|i| Reply::Say(vec![echo(&format!("c{i}"), 500)])).collect();
    replies.extend([limit, Reply::text("Done.")]);
    let world = World::new(10_000, replies);
    let mut agent = world.agent().await;
    turn(&mut agent, "Go.").await.0.unwrap();
    assert_eq!(agent.budget().total, 5_000);
}

#[tokio::test]
async fn a_limit_that_leaves_no_room_for_an_answer_is_not_believed() {
    let limit = Reply::Fail(ModelError::Overflow { message: "too long".to_owned(), limit: Some(8) });
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
    assert!(error.to_string().contains("come back in 2 min"), "{error}");
    assert_eq!(world.model.request_count(), 1);
    assert!(!events.iter().any(|event| matches!(event, Event::Retrying { .. })));
}
