//! Undo, redo, drop and pin at every point of a turn.

use std::sync::Arc;

use throughline_completion::StopReason;
use throughline_continuity::InMemoryMessageLog;
use throughline_conversation::{ExchangeId, Message};
use throughline_engine::{
    Answer, Answered, Change, ChangeError, ContextEngine, EngineError, OrderError, PinTarget, WaitsFor,
};
use throughline_tools::ToolOutput;

use super::harness::{answer, call, open, request, rows};

/// An engine with one answered turn for each of these messages.
async fn answered(log: &Arc<InMemoryMessageLog>, said: &[&str]) -> ContextEngine {
    let mut engine = open(log).await;
    for text in said {
        engine.user(Message::user(*text)).await.unwrap();
        let asked = request(&mut engine).await.id;
        engine.answer(asked, answer(Message::assistant("Done."))).await.unwrap();
    }
    engine
}

/// What the view shows, live and after the session was opened again.
async fn shown(engine: &ContextEngine, log: &Arc<InMemoryMessageLog>) -> Vec<String> {
    let texts = |engine: &ContextEngine| -> Vec<String> {
        let results =
            |message: &Message| message.tool_results().map(|one| one.content.clone()).collect::<String>();
        let entries = engine.view().entries().iter();
        entries.map(|entry| entry.message.text() + &results(&entry.message)).collect()
    };
    let (live, again) = (texts(engine), texts(&open(log).await));
    assert_eq!(live, again, "a restart shows the same");
    live
}

fn one(id: &str, text: &str) -> [(String, ToolOutput); 1] {
    [(id.to_owned(), ToolOutput::text(text))]
}

#[tokio::test]
async fn what_is_said_after_an_undo_is_not_hidden_with_the_undone_turn() {
    let log = Arc::default();
    let mut engine = answered(&log, &["One.", "Two."]).await;
    engine.change(Change::Undo).await.unwrap();
    engine.interject(Message::user("Never push.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.answer(asked, answer(call("c1"))).await.unwrap();
    engine.results(one("c1", "rows")).await.unwrap();
    assert_eq!(shown(&engine, &log).await, ["One.", "Done.", "Never push.", "", "rows"]);
    engine.change(Change::Undo).await.unwrap();
    assert_eq!(shown(&engine, &log).await, ["One.", "Done."]);
}

#[tokio::test]
async fn an_answer_after_an_undo_is_not_hidden_with_the_undone_turn() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("One.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.cancelled(asked, "").await.unwrap();
    engine.user(Message::user("Two.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    let refusal = Answer { stop: StopReason::Refusal, ..answer(Message::assistant("I cannot.")) };
    engine.answer(asked, refusal).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.answer(asked, answer(Message::assistant("Yes."))).await.unwrap();
    assert_eq!(shown(&engine, &log).await.last().map(String::as_str), Some("Yes."));
    engine.interject(Message::user("Only list.")).await.unwrap();
    assert_eq!(shown(&engine, &log).await.last().map(String::as_str), Some("Only list."));
}

#[tokio::test]
async fn a_change_that_hides_what_is_open_gives_it_up() {
    let log = Arc::default();
    let mut engine = answered(&log, &["One."]).await;
    engine.user(Message::user("Two.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.change(Change::Undo).await.unwrap();
    let late = engine.answer(asked, answer(call("c1"))).await.unwrap_err();
    assert!(matches!(late, EngineError::Order(OrderError::NoRequest)), "{late}");
    engine.change(Change::Redo).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.answer(asked, answer(call("c1"))).await.unwrap();
    engine.change(Change::Undo).await.unwrap();
    let late = engine.results(one("c1", "rows")).await.unwrap_err();
    assert!(matches!(late, EngineError::Order(OrderError::UnknownCall(_))), "{late}");
    assert_eq!(shown(&engine, &log).await, ["One.", "Done."]);
    engine.change(Change::Redo).await.unwrap();
    assert!(shown(&engine, &log).await.last().unwrap().contains("cut off"));
    request(&mut engine).await;
}

#[tokio::test]
async fn a_change_elsewhere_leaves_open_what_is_open() {
    let log = Arc::default();
    let mut engine = answered(&log, &["One.", "Two."]).await;
    engine.user(Message::user("Three.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.change(Change::Drop(ExchangeId(1))).await.unwrap();
    let calls = engine.answer(asked, answer(call("c1"))).await.unwrap();
    assert!(matches!(calls, Answered::Calls(_)), "{calls:?}");
    engine.pin(PinTarget::Group(ExchangeId(2)), None).await.unwrap();
    engine.change(Change::Restore(ExchangeId(1))).await.unwrap();
    assert_eq!(engine.status().waits_for, WaitsFor::Results { calls: vec!["c1".to_owned()] });
    engine.results(one("c1", "rows")).await.unwrap();
    assert_eq!(shown(&engine, &log).await, ["One.", "Done.", "Two.", "Done.", "Three.", "", "rows"]);
}

#[tokio::test]
async fn a_refused_change_leaves_open_what_is_open() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("One.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.answer(asked, answer(call("c1"))).await.unwrap();
    let refused = engine.change(Change::RedoCompaction).await.unwrap_err();
    assert!(matches!(refused, ChangeError::Group(_)), "{refused}");
    engine.pin(PinTarget::Group(ExchangeId(77)), None).await.unwrap_err();
    log.failures().fail_with("no space left");
    engine.change(Change::Undo).await.unwrap_err();
    log.failures().recover();
    engine.results(one("c1", "rows")).await.unwrap();
    assert_eq!(shown(&engine, &log).await, ["One.", "", "rows"]);
}

/// Some servers restart their call ids with each answer.
#[tokio::test]
async fn calls_with_repeated_ids_come_back_after_a_compaction() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    for turn in 0..6 {
        engine.user(Message::user(format!("Turn {turn}."))).await.unwrap();
        for _ in 0..3 {
            let asked = request(&mut engine).await.id;
            let Answered::Calls(calls) = engine.answer(asked, answer(call("call_0"))).await.unwrap() else {
                panic!("no calls")
            };
            engine.results(one(&calls[0].id, &rows(turn, 60))).await.unwrap();
        }
        let asked = request(&mut engine).await.id;
        engine.answer(asked, answer(Message::assistant("Done."))).await.unwrap();
        if turn == 3 {
            engine.compact(None).await.unwrap();
            engine = open(&log).await;
        }
    }
    engine.change(Change::UndoCompaction).await.unwrap();
    engine.change(Change::Undo).await.unwrap();
    engine.change(Change::Redo).await.unwrap();
    engine.user(Message::user("And now?")).await.unwrap();
    request(&mut engine).await;
}

/// A window of no turns shows all of them.
#[tokio::test]
async fn a_window_of_zero_shows_everything() {
    let log = Arc::default();
    let mut engine = answered(&log, &["One.", "Two."]).await;
    engine.change(Change::Window(Some(1))).await.unwrap();
    assert_eq!(shown(&engine, &log).await, ["Two.", "Done."]);
    engine.change(Change::Window(Some(0))).await.unwrap();
    assert_eq!(shown(&engine, &log).await, ["One.", "Done.", "Two.", "Done."]);
}

/// Results that have come are not said to be cut off.
#[tokio::test]
async fn calls_that_are_given_up_have_the_results_that_have_come() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("One.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    let mut both = call("c1");
    both.content.extend(call("c2").content);
    engine.answer(asked, answer(both)).await.unwrap();
    let missing = engine.results(one("c2", "rows of c2")).await.unwrap_err();
    assert!(matches!(missing, EngineError::Order(OrderError::CallsOpen(_))), "{missing}");
    engine.user(Message::user("Two.")).await.unwrap();
    let results = shown(&engine, &log).await[2].clone();
    assert!(results.contains("cut off") && results.ends_with("rows of c2"), "{results}");
}
