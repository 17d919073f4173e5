//! A repeated key changes nothing.

use std::sync::Arc;

use throughline_conversation::Message;
use throughline_engine::{Answered, EngineError};
use throughline_tools::ToolOutput;

use super::harness::{answer, call, open, request};

#[tokio::test]
async fn a_repeated_key_returns_the_outcome_and_changes_nothing() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.keyed("a").user(Message::user("Dump.")).await.unwrap();
    engine.keyed("a").user(Message::user("Dump.")).await.unwrap();
    assert_eq!(engine.view().entries().len(), 1);
    let id = request(&mut engine).await.id;
    let first = engine.keyed("b").answer(id, answer(call("c1"))).await.unwrap();
    let again = engine.keyed("b").answer(id, answer(call("c1"))).await.unwrap();
    assert_eq!(first, again);
    assert!(matches!(again, Answered::Calls(calls) if calls.len() == 1));
    for _ in 0..2 {
        let results = [("c1".to_owned(), ToolOutput::text("rows"))];
        assert_eq!(engine.keyed("c").results(results).await.unwrap(), Answered::Request);
    }
    assert_eq!(engine.view().entries().len(), 3);
    let wrong = engine.keyed("b").user(Message::user("?")).await.unwrap_err();
    assert!(matches!(wrong, EngineError::Key { before: "answer", now: "user", .. }), "{wrong}");
}
