//! The cost of an operation does not grow with the session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use throughline_conversation::Message;

use super::harness::{answer, open, request};

/// The quickest of some steps: a message, a request and an answer, in a session of that many messages, most of which were
/// compacted.
async fn quickest(messages: usize) -> Duration {
    let mut engine = open(&Arc::default()).await;
    let said: Vec<Message> = (0..messages)
        .map(|place| match place % 2 {
            0 => Message::user(format!("Question {place}: {}", "what is it worth ".repeat(20))),
            _ => Message::assistant(format!("Answer {place}: {}", "it is worth a lot ".repeat(20))),
        })
        .collect();
    engine.sync(&said).await.unwrap();
    let mut best = Duration::MAX;
    let mut known = messages;
    for turn in 0..60 {
        let begun = Instant::now();
        engine.sync_tail(known, &[Message::user(format!("More {turn}?"))]).await.unwrap();
        let prepared = request(&mut engine).await;
        let id = prepared.id;
        drop(prepared);
        engine.answer(id, answer(Message::assistant("Yes."))).await.unwrap();
        best = best.min(begun.elapsed());
        // The answer is the next message of the caller's list.
        engine.sync_tail(known + 1, &[Message::assistant("Yes.")]).await.unwrap();
        known += 2;
    }
    best
}

#[tokio::test]
async fn an_operation_costs_the_same_in_a_long_session() {
    let (short, long) = (quickest(150).await, quickest(15_000).await);
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
