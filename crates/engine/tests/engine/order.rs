//! Operations at the wrong time are typed errors that change nothing.

use std::sync::Arc;

use throughline_conversation::{EntryKind, Message};
use throughline_engine::{EngineError, OrderError, RequestId, WaitsFor};
use throughline_tools::ToolOutput;

use super::harness::{answer, call, open, request};

#[tokio::test]
async fn an_answer_needs_its_request_and_a_request_its_answer() {
    let mut engine = open(&Arc::default()).await;
    let none = engine.answer(RequestId(1), answer(Message::assistant("?"))).await.unwrap_err();
    assert!(matches!(none, EngineError::Order(OrderError::NoRequest)), "{none}");
    engine.user(Message::user("Hi.")).await.unwrap();
    let prepared = request(&mut engine).await;
    let open = engine.next_request().await.unwrap_err();
    assert!(matches!(open, EngineError::Order(OrderError::RequestOpen(id)) if id == prepared.id), "{open}");
    let other = engine.answer(RequestId(99), answer(Message::assistant("?"))).await.unwrap_err();
    assert!(matches!(other, EngineError::Order(OrderError::OtherRequest { .. })), "{other}");
    assert_eq!(engine.status().waits_for, WaitsFor::Answer { request: prepared.id.0 });
    engine.answer(prepared.id, answer(Message::assistant("Hello."))).await.unwrap();
    assert_eq!(engine.status().waits_for, WaitsFor::Nothing);
    assert!(engine.status().to_string().contains("1 request, 2 messages in view"), "{}", engine.status());
}

#[tokio::test]
async fn every_call_needs_its_result() {
    let mut engine = open(&Arc::default()).await;
    engine.user(Message::user("Dump.")).await.unwrap();
    let prepared = request(&mut engine).await;
    engine.answer(prepared.id, answer(call("c1"))).await.unwrap();
    let open = engine.next_request().await.unwrap_err();
    assert!(matches!(&open, EngineError::Order(OrderError::CallsOpen(ids)) if ids == &["c1"]), "{open}");
    let unknown = engine.results([("c2".to_owned(), ToolOutput::text("?"))]).await.unwrap_err();
    assert!(matches!(unknown, EngineError::Order(OrderError::UnknownCall(_))), "{unknown}");
    let missing = engine.results([]).await.unwrap_err();
    assert!(matches!(missing, EngineError::Order(OrderError::CallsOpen(_))), "{missing}");
    engine.results([("c1".to_owned(), ToolOutput::text("rows"))]).await.unwrap();
    request(&mut engine).await;
}

#[tokio::test]
async fn a_message_of_the_user_in_a_turn_stands_behind_the_results_and_begins_no_turn() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("Hi.")).await.unwrap();
    let early = request(&mut engine).await;
    let refused = engine.interject(Message::user("Wait.")).await.unwrap_err();
    assert!(matches!(refused, EngineError::Order(OrderError::RequestOpen(_))), "{refused}");
    engine.answer(early.id, answer(call("c1"))).await.unwrap();
    let refused = engine.interject(Message::user("Wait.")).await.unwrap_err();
    assert!(matches!(refused, EngineError::Order(OrderError::CallsOpen(_))), "{refused}");
    engine.results([("c1".to_owned(), ToolOutput::text("rows"))]).await.unwrap();
    engine.interject(Message::user("Only the first row.")).await.unwrap();

    let next = request(&mut engine).await;
    let before = early.request.transcript.messages().len();
    let texts: Vec<String> = next.request.transcript.messages().map(Message::text).collect();
    assert_eq!(texts.len(), before + 3, "{texts:?}");
    assert!(texts[before + 2].starts_with("Only the first row."), "{texts:?}");
    engine.answer(next.id, answer(Message::assistant("Done."))).await.unwrap();
    let again = open(&log).await;
    let said = again.view().entries().iter().filter(|entry| entry.kind == EntryKind::User);
    let exchanges: Vec<u64> = said.map(|entry| entry.exchange.0).collect();
    assert_eq!(exchanges, [1, 1], "the log has both as the user's, in one turn");
}
