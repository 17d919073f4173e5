//! Summaries by a model of the caller's: asked for as a value, given, declined, and made from other messages.

use std::sync::Arc;

use throughline_conversation::{EntryKind, Message};
use throughline_engine::{ContextEngine, Next, OrderError, SideRequest};
use throughline_tools::ToolOutput;

use super::harness::{answer, builder, call, id, request, rows};

/// Works until a summary is asked for.
async fn until_summary(engine: &mut ContextEngine) -> SideRequest {
    for step in 0..200 {
        let prepared = match engine.next_request().await.unwrap() {
            Next::Request(prepared) => prepared,
            Next::Summarize(asked) => return asked,
        };
        let id = format!("c{step}");
        engine.answer(prepared.id, answer(call(&id))).await.unwrap();
        engine.results([(id, ToolOutput::text(rows(step, 12)))]).await.unwrap();
    }
    panic!("no summary was asked for");
}

async fn engine() -> ContextEngine {
    let mut engine = builder(&Arc::default()).summaries_by_caller().open(id()).await.unwrap();
    engine.user(Message::user("Dump everything, one after the other.")).await.unwrap();
    engine
}

fn summary_of(engine: &ContextEngine) -> String {
    let entries = engine.view().entries();
    let summary = entries.iter().find(|entry| entry.kind == EntryKind::Summary);
    summary.map(|entry| entry.message.text()).unwrap_or_default()
}

#[tokio::test]
async fn a_summary_is_a_question_that_any_model_can_answer() {
    let mut engine = engine().await;
    let asked = until_summary(&mut engine).await;
    assert_eq!(asked.request.faults(), []);
    let text = asked.request.transcript.messages().next().unwrap().text();
    assert!(text.contains("row 3 of"), "the messages are in the question: {text}");
    let open = engine.next_request().await.unwrap_err();
    assert!(open.to_string().contains("call summary or no_summary first"), "{open}");
    assert_eq!(
        engine.summary(asked.id + 1, "x", None, "small").unwrap_err(),
        OrderError::UnknownSummary(asked.id + 1)
    );
    let epoch = engine.view().epoch();
    let said = "### Now\nDumping the rows.\n### Done\nThe rows of zero to nine are dumped, name_MARKER among them.\n### Next\nThe rest.";
    engine.summary(asked.id, said, None, "small").unwrap();
    request(&mut engine).await;
    assert!(engine.view().epoch() > epoch);
    assert!(summary_of(&engine).contains("name_MARKER"), "{}", summary_of(&engine));
}

#[tokio::test]
async fn a_declined_summary_is_extracted() {
    let mut engine = engine().await;
    let asked = until_summary(&mut engine).await;
    let epoch = engine.view().epoch();
    engine.no_summary(asked.id).unwrap();
    let prepared = request(&mut engine).await;
    assert_eq!(prepared.request.faults(), []);
    assert!(engine.view().epoch() > epoch);
    assert!(!summary_of(&engine).is_empty());
}
