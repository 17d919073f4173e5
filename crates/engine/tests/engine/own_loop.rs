//! A loop of the caller's own: requests, answers, results, compaction, resume.

use std::sync::Arc;

use serde_json::json;
use throughline_completion::{ModelError, ModelInfo};
use throughline_continuity::InMemoryMessageLog;
use throughline_conversation::{EntryKind, Message};
use throughline_engine::{Answered, ContextEngine, Refused};
use throughline_policies::{Estimator, Policy};
use throughline_tools::ToolOutput;

use super::harness::{answer, call, id, open, request, rows};

#[tokio::test]
async fn a_loop_needs_no_agent_and_its_session_is_resumed() {
    let log = Arc::new(InMemoryMessageLog::default());
    let mut engine = open(&log).await;
    engine.user(Message::user("Dump everything.")).await.unwrap();
    let mut last = 0;
    for step in 0..200 {
        let prepared = request(&mut engine).await;
        assert_eq!(prepared.request.faults(), [], "no invalid request leaves");
        last = prepared.request.transcript.len();
        let id = prepared.id;
        drop(prepared);
        let call_id = format!("c{step}");
        let answered = engine.answer(id, answer(call(&call_id))).await.unwrap();
        let Answered::Calls(calls) = answered else { panic!("{answered:?}") };
        assert_eq!(calls[0].id, call_id);
        let output = ToolOutput::text(rows(step, 12));
        assert_eq!(engine.results([(call_id, output)]).await.unwrap(), Answered::Request);
    }
    assert!(engine.view().epoch() > 0, "the session was compacted on the way");
    assert!(last < 400, "{last} messages are left of 401");
    let prepared = request(&mut engine).await;
    let done = engine.answer(prepared.id, answer(Message::assistant("Done."))).await.unwrap();
    assert!(matches!(done, Answered::Finished { text, .. } if text == "Done."));
    let view = engine.view().transcript().clone();
    engine.close().await;

    let resumed = open(&log).await;
    assert_eq!(resumed.view().transcript(), &view);
}

#[tokio::test]
async fn calls_of_the_engines_own_tools_never_reach_the_caller() {
    let mut engine = open(&Arc::default()).await;
    engine.user(Message::user("Search a tool.")).await.unwrap();
    let prepared = request(&mut engine).await;
    let mut message = call("c1");
    for block in &mut message.content {
        if let throughline_conversation::ContentBlock::ToolCall(call) = block {
            call.name = "tool_search".to_owned();
            call.input = json!({ "query": "dump rows" });
        }
    }
    let answered = engine.answer(prepared.id, answer(message)).await.unwrap();
    assert_eq!(answered, Answered::Request);
    let next = request(&mut engine).await;
    let results = next.request.transcript.messages().last().unwrap().tool_results().count();
    assert_eq!(results, 1, "the call is answered");

    let output = engine.call("tool_search", &json!({ "query": "dump rows" })).await.unwrap();
    assert!(output.to_text().contains("dump"), "{}", output.to_text());
    assert!(engine.call("dump", &json!({})).await.is_none(), "the caller's own tool is not the engine's");
}

#[tokio::test]
async fn an_overflow_shrinks_the_view_and_another_request_follows() {
    let mut engine = open(&Arc::default()).await;
    engine.user(Message::user("Dump.")).await.unwrap();
    for step in 0..4 {
        let prepared = request(&mut engine).await;
        let id = format!("c{step}");
        engine.answer(prepared.id, answer(call(&id))).await.unwrap();
        engine.results([(id, ToolOutput::text(rows(step, 60)))]).await.unwrap();
    }
    let prepared = request(&mut engine).await;
    let before = engine.view().tokens();
    let overflow =
        ModelError::Overflow { message: "prompt is too long".to_owned(), limit: None, tokens: None };
    let refused = engine.refused(prepared.id, overflow).await.unwrap();
    assert!(matches!(refused, Refused::Rebuilt), "{refused:?}");
    assert!(engine.view().tokens() < before);
    let prepared = request(&mut engine).await;
    let unauthorized = ModelError::Unauthorized { message: "no".to_owned() };
    let refused = engine.refused(prepared.id, unauthorized).await.unwrap();
    assert!(matches!(refused, Refused::OtherModel(_)), "{refused:?}");
}

#[tokio::test]
async fn an_answer_is_the_models_whatever_role_its_message_has() {
    let mut engine = open(&Arc::default()).await;
    engine.user(Message::user("Hi.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.answer(asked, answer(Message::user("Hello."))).await.unwrap();
    assert_eq!(engine.view().entries()[1].kind, EntryKind::Assistant);
}

#[tokio::test]
async fn a_message_that_is_accepted_can_be_sent() {
    let info = ModelInfo::with_window("test", 4_000, 400);
    let settings = Policy::Throughline.settings(4_000, 400);
    for words in (700..1_000).step_by(2) {
        let mut engine =
            ContextEngine::builder(info.clone(), Estimator::default().counter(), settings.clone())
                .open(id())
                .await
                .unwrap();
        let text: String = (0..words).map(|word| format!("word{} ", word * 7)).collect();
        if engine.user(Message::user(text)).await.is_ok() {
            let next = engine.next_request().await;
            assert!(next.is_ok(), "{words} words: {}", next.unwrap_err());
        }
    }
}
