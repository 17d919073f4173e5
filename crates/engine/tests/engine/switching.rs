//! A switch of the model while something is open.

use std::sync::Arc;

use throughline_completion::ModelInfo;
use throughline_conversation::Message;
use throughline_engine::{ContextEngine, EngineError, ModelProfile, NullSink, OrderError, WaitsFor};
use throughline_policies::{Estimator, Policy};
use throughline_tools::{CancelFlag, ToolOutput};

use super::harness::{WINDOW, answer, call, open, request};

pub(super) async fn switch(engine: &mut ContextEngine, name: &str, window: u64) {
    let next = ModelProfile {
        info: ModelInfo::with_window(name, window, 2_000),
        server: None,
        counter: Estimator::default().counter(),
        settings: Policy::Throughline.settings(window, 2_000),
        summarizer: None,
    };
    engine.operation(&NullSink, &CancelFlag::new()).switch_model(next).await.unwrap();
}

fn rows() -> [(String, ToolOutput); 1] {
    [("c1".to_owned(), ToolOutput::text("rows"))]
}

#[tokio::test]
async fn another_model_gives_up_calls_and_requests() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("Dump.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.answer(asked, answer(call("c1"))).await.unwrap();
    switch(&mut engine, "other", WINDOW).await;
    assert_eq!(engine.status().waits_for, WaitsFor::Nothing);
    let late = engine.results(rows()).await.unwrap_err();
    assert!(matches!(late, EngineError::Order(OrderError::UnknownCall(_))), "{late}");
    let asked = request(&mut engine).await.id;
    switch(&mut engine, "test", WINDOW).await;
    let late = engine.answer(asked, answer(call("c2"))).await.unwrap_err();
    assert!(matches!(late, EngineError::Order(OrderError::NoRequest)), "{late}");
    request(&mut engine).await;
    assert_eq!(open(&log).await.view().entries().len(), 3);
}

#[tokio::test]
async fn other_settings_of_the_same_model_leave_its_calls_open() {
    let mut engine = open(&Arc::default()).await;
    engine.user(Message::user("Dump.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    switch(&mut engine, "test", WINDOW / 2).await;
    engine.answer(asked, answer(call("c1"))).await.unwrap();
    switch(&mut engine, "test", WINDOW).await;
    engine.results(rows()).await.unwrap();
    request(&mut engine).await;
    assert_eq!(engine.view().entries()[2].message.tool_results().next().unwrap().content, "rows");
}
