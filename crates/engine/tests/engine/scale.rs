//! The cost of an operation does not grow with the session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use throughline_conversation::Message;
use throughline_engine::ContextEngine;

use super::harness::{answer, open, request};

/// A session of that many messages, most of which were compacted.
async fn session(messages: usize) -> (ContextEngine, usize) {
    let mut engine = open(&Arc::default()).await;
    let said: Vec<Message> = (0..messages)
        .map(|place| match place % 2 {
            0 => Message::user(format!("Question {place}: {}", "what is it worth ".repeat(20))),
            _ => Message::assistant(format!("Answer {place}: {}", "it is worth a lot ".repeat(20))),
        })
        .collect();
    engine.sync(&said).await.unwrap();
    (engine, messages)
}

/// How long a message, a request and an answer take.
async fn step((engine, known): &mut (ContextEngine, usize)) -> Duration {
    let begun = Instant::now();
    engine.sync_tail(*known, &[Message::user(format!("More {known}?"))]).await.unwrap();
    let prepared = request(engine).await;
    let id = prepared.id;
    drop(prepared);
    engine.answer(id, answer(Message::assistant("Yes."))).await.unwrap();
    let took = begun.elapsed();
    // The answer is the next message of the caller's list.
    engine.sync_tail(*known + 1, &[Message::assistant("Yes.")]).await.unwrap();
    *known += 2;
    took
}

#[tokio::test]
async fn an_operation_costs_the_same_in_a_long_session() {
    let (mut few, mut many) = (session(150).await, session(15_000).await);
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    // In turns: other work on the machine slows down both.
    for _ in 0..60 {
        short = short.min(step(&mut few).await);
        long = long.min(step(&mut many).await);
    }
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    assert!(ratio < 1.5, "{long:?} in a session of 15,000 messages, {short:?} in one of 150: {ratio:.2}");
}

#[tokio::test]
async fn a_tail_behind_an_unknown_place_is_refused() {
    let mut engine = open(&Arc::default()).await;
    engine.sync(&[Message::user("Hi.")]).await.unwrap();
    let refused = engine.sync_tail(5, &[Message::user("More.")]).await.unwrap_err();
    assert!(refused.to_string().contains("hand over the whole list"), "{refused}");
}
