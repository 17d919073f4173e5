//! The cost of an operation does not grow with the session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use throughline_conversation::Message;
use throughline_engine::ContextEngine;

use super::harness::{answer, call, open, request, result};

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

/// A list of one step with that many calls, each result in a message of its own.
fn parallel(calls: usize) -> Vec<Message> {
    let ids: Vec<String> = (0..calls).map(|call| format!("c{call}")).collect();
    let mut asked = call("first");
    asked.content = ids.iter().flat_map(|id| call(id).content).collect();
    let results = ids.iter().map(|id| result(id, &"a row of a table ".repeat(200)));
    [Message::user("Dump all."), asked].into_iter().chain(results).collect()
}

#[tokio::test]
async fn comparing_a_list_costs_the_same_for_each_result_of_a_step() {
    let (few, many) = (parallel(30), parallel(240));
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    let (mut of_few, mut of_many) = (open(&Arc::default()).await, open(&Arc::default()).await);
    for _ in 0..20 {
        for (engine, list, least) in [(&mut of_few, &few, &mut short), (&mut of_many, &many, &mut long)] {
            let begun = Instant::now();
            engine.sync(list).await.unwrap();
            *least = begun.elapsed().min(*least);
        }
    }
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    assert!(ratio < 16.0, "{long:?} for 240 results, {short:?} for 30: {ratio:.1}");
}

#[tokio::test]
async fn a_tail_behind_an_unknown_place_is_refused() {
    let mut engine = open(&Arc::default()).await;
    engine.sync(&[Message::user("Hi.")]).await.unwrap();
    let refused = engine.sync_tail(5, &[Message::user("More.")]).await.unwrap_err();
    assert!(refused.to_string().contains("hand over the whole list"), "{refused}");
}
