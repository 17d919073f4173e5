//! Operations at the wrong time are typed errors that change nothing.

use std::sync::Arc;

use throughline_conversation::Message;
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
    assert!(engine.status().to_string().contains("1 requests, 2 messages in view"), "{}", engine.status());
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
