//! A repeated key changes nothing, also after the process has ended.

use std::sync::Arc;

use serde_json::json;
use throughline_completion::StopReason;
use throughline_continuity::{InMemoryMessageLog, MessageLog as _, Part, read_all};
use throughline_conversation::{
    ContentBlock, KeyOutcome, Message, RecordBody, Role, Seq, ToolCall, ToolDefinition, ToolOrigin,
};
use throughline_engine::{
    Answered, CancelFlag, ContextEngine, EngineError, ModelInfo, ModelUse, NullSink, OrderError, RequestId,
    WaitsFor,
};
use throughline_policies::{Estimator, Policy};
use throughline_tools::ToolOutput;

use super::harness::{WINDOW, answer, builder, call, id, open, request};

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
    let uses = |before: &str, now: &str| before == "answer" && now == "user";
    assert!(matches!(&wrong, EngineError::Key { before, now, .. } if uses(before, now)), "{wrong}");
}

/// Does every operation twice, each time in a new process.
struct Restarting(Arc<InMemoryMessageLog>);

impl Restarting {
    async fn user(&self, key: &str, text: &str) -> ContextEngine {
        for _ in 0..2 {
            open(&self.0).await.keyed(key).user(Message::user(text)).await.unwrap();
        }
        open(&self.0).await
    }

    async fn answer(&self, key: &str, id: RequestId, message: Message) -> Answered {
        let first = open(&self.0).await.keyed(key).answer(id, answer(message.clone())).await.unwrap();
        let again = open(&self.0).await.keyed(key).answer(id, answer(message)).await.unwrap();
        assert_eq!(first, again);
        first
    }

    async fn results(&self, key: &str, call: &str) {
        for _ in 0..2 {
            let results = [(call.to_owned(), ToolOutput::text("rows"))];
            let answered = open(&self.0).await.keyed(key).results(results).await.unwrap();
            assert_eq!(answered, Answered::Request);
        }
    }
}

async fn records(log: &InMemoryMessageLog) -> Vec<RecordBody> {
    let page = read_all(log, &id(), Seq(0), Part::All).await.unwrap();
    page.records.into_iter().map(|record| record.body).collect()
}

#[tokio::test]
async fn keys_hold_over_restarts_after_each_operation() {
    let worker = Restarting(Arc::default());
    let asked = request(&mut worker.user("a", "Dump.").await).await.id;
    let Answered::Calls(calls) = worker.answer("b", asked, call("c1")).await else { panic!("no calls") };
    assert_eq!(calls[0].input, json!({ "of": "c1" }));
    let reopened = open(&worker.0).await;
    assert_eq!(reopened.status().waits_for, WaitsFor::Results { calls: vec!["c1".to_owned()] });
    assert_eq!(reopened.open_calls().cloned().collect::<Vec<_>>(), calls);
    worker.results("c", "c1").await;
    let asked = request(&mut open(&worker.0).await).await.id;
    let ended = worker.answer("d", asked, Message::assistant("Done.")).await;
    assert_eq!(ended, Answered::Finished { text: "Done.".to_owned(), stop: StopReason::EndTurn });
    let mut reopened = open(&worker.0).await;
    assert_eq!(reopened.view().entries().len(), 4);
    assert_eq!(reopened.operation_of_key("c"), Some("results"));
    let wrong = reopened.keyed("a").results([]).await.unwrap_err();
    assert!(matches!(wrong, EngineError::Key { .. }), "{wrong}");
    let keys = records(&worker.0).await.iter().filter(|body| matches!(body, RecordBody::Keyed(_))).count();
    assert_eq!(keys, 4);
}

#[tokio::test]
async fn a_key_is_written_with_what_its_operation_records_or_not_at_all() {
    let log: Arc<InMemoryMessageLog> = Arc::default();
    let mut engine = open(&log).await;
    log.failures().fail_with("no space left");
    let unwritten = engine.keyed("a").user(Message::user("Dump.")).await.unwrap_err();
    assert!(matches!(unwritten, EngineError::Unwritten { .. }), "{unwritten}");
    log.failures().recover();
    assert!(open(&log).await.operation_of_key("a").is_none(), "the log has neither");
    engine.keyed("a").user(Message::user("Dump.")).await.unwrap();
    assert_eq!(engine.view().entries().len(), 1);
    assert_eq!(open(&log).await.operation_of_key("a"), Some("user"));
}

#[tokio::test]
async fn an_operation_that_failed_leaves_its_key_free() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    let none = engine.keyed("a").answer(RequestId(1), answer(Message::assistant("?"))).await.unwrap_err();
    assert!(matches!(none, EngineError::Order(OrderError::NoRequest)), "{none}");
    engine.user(Message::user("Dump.")).await.unwrap();
    assert_eq!(engine.operation_of_key("a"), None);
    engine.keyed("a").user(Message::user("Again.")).await.unwrap();
    assert_eq!(open(&log).await.operation_of_key("a"), Some("user"));
}

/// An empty answer is asked for once more, a pause continues: neither ends the turn.
#[tokio::test]
async fn answers_that_do_not_end_the_turn_are_known_after_a_restart() {
    for (said, stop) in [("", StopReason::EndTurn), ("So far.", StopReason::Pause)] {
        let log = Arc::default();
        let mut engine = open(&log).await;
        engine.user(Message::user("Dump.")).await.unwrap();
        let asked = request(&mut engine).await.id;
        let message = match said {
            "" => Message { role: Role::Assistant, content: Vec::new() },
            said => Message::assistant(said),
        };
        let given = throughline_engine::Answer { stop: stop.clone(), ..answer(message) };
        assert_eq!(engine.keyed("a").answer(asked, given.clone()).await.unwrap(), Answered::Request);
        drop(engine);
        let mut engine = open(&log).await;
        assert_eq!(engine.keyed("a").answer(asked, given).await.unwrap(), Answered::Request, "{stop:?}");
        request(&mut engine).await;
    }
}

#[tokio::test]
async fn the_newest_64_keys_are_remembered_and_no_more_of_the_log_is_read() {
    let log: Arc<InMemoryMessageLog> = Arc::default();
    let mut engine = open(&log).await;
    for turn in 0..70 {
        engine.keyed(format!("u{turn}")).user(Message::user("Next.")).await.unwrap();
        let asked = request(&mut engine).await.id;
        engine.keyed(format!("a{turn}")).answer(asked, answer(Message::assistant("Yes."))).await.unwrap();
    }
    drop(engine);
    let engine = open(&log).await;
    assert_eq!(engine.operation_of_key("a37"), None);
    assert_eq!(engine.operation_of_key("u38"), Some("user"));
    assert_eq!(engine.operation_of_key("a69"), Some("answer"));
    let page = read_all(log.as_ref(), &id(), Seq(0), Part::All).await.unwrap();
    let keyed = |body: &RecordBody| match body {
        RecordBody::Keyed(keyed) => Some(keyed.clone()),
        _ => None,
    };
    let newest = page.records.iter().rev().find_map(|record| keyed(&record.body)).unwrap();
    assert_eq!(newest.outcome, KeyOutcome::Finished { stop: "end_turn".to_owned() });
    let first = page.records.iter().find(|record| record.seq == newest.since).map(|record| &record.body);
    assert_eq!(keyed(first.unwrap()).unwrap().key, "u38");
}

fn calls(named: &[(&str, &str)]) -> Message {
    let call = |(id, name): &(&str, &str)| {
        let input = json!({ "query": "rows" });
        ContentBlock::ToolCall(ToolCall { id: (*id).to_owned(), name: (*name).to_owned(), input })
    };
    Message { role: Role::Assistant, content: named.iter().map(call).collect() }
}

/// The log as a process leaves it that is killed before the calls of an answer have results.
async fn killed_after(message: Message) -> (Arc<InMemoryMessageLog>, RequestId) {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("Dump.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.keyed("a").answer(asked, answer(message)).await.unwrap();
    let mut records = read_all(log.as_ref(), &id(), Seq(0), Part::All).await.unwrap().records;
    let end = records.iter().position(|record| matches!(record.body, RecordBody::Keyed(_))).unwrap();
    records.truncate(end + 1);
    let killed = Arc::new(InMemoryMessageLog::default());
    killed.append(&id(), &records).await.unwrap();
    (killed, asked)
}

#[tokio::test]
async fn own_calls_that_were_cut_off_are_run_again_and_the_callers_wait() {
    let (log, _) = killed_after(calls(&[("c1", "tool_search"), ("c2", "dump")])).await;
    let mut engine = open(&log).await;
    assert_eq!(engine.open_calls().map(|call| call.id.as_str()).collect::<Vec<_>>(), ["c2"]);
    let order = engine.next_request().await.unwrap_err();
    assert!(matches!(&order, EngineError::Order(OrderError::CallsOpen(ids)) if ids == &["c2"]), "{order}");
    engine.results([("c2".to_owned(), ToolOutput::text("rows"))]).await.unwrap();
    let results: Vec<_> = engine.view().entries()[2].message.tool_results().cloned().collect();
    assert_eq!(results.len(), 2);
    assert!(!results[0].content.contains("cut off"), "{}", results[0].content);
    assert_eq!(results[1].content, "rows");
    request(&mut engine).await;
}

#[tokio::test]
async fn own_calls_alone_that_were_cut_off_are_run_for_the_next_request() {
    let (log, asked) = killed_after(calls(&[("c1", "tool_search")])).await;
    let mut engine = open(&log).await;
    assert_eq!(engine.status().waits_for, WaitsFor::Nothing);
    let again = engine.keyed("a").answer(asked, answer(calls(&[("c1", "tool_search")]))).await.unwrap();
    assert_eq!(again, Answered::Request);
    request(&mut engine).await;
    assert_eq!(engine.view().entries().len(), 3);
}

/// Runs the first of two calls, and ends without the second.
async fn killed_between_results() -> Arc<InMemoryMessageLog> {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("Dump.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    engine.answer(asked, answer(calls(&[("c1", "dump"), ("c2", "dump")]))).await.unwrap();
    let used = ModelUse { requests: 3, ..ModelUse::of(engine.model().origin()) };
    let output = ToolOutput { used: Box::new([used]), ..ToolOutput::text("deployed") };
    engine.operation(&NullSink, &CancelFlag::new()).result("c1", output).await.unwrap();
    log
}

fn results(engine: &ContextEngine) -> Vec<String> {
    let entry = &engine.view().entries()[2];
    entry.message.tool_results().map(|result| result.content.clone()).collect()
}

#[tokio::test]
async fn a_result_that_has_come_outlives_the_process_while_other_calls_run() {
    let log = killed_between_results().await;
    let spent = |body: &RecordBody| matches!(body, RecordBody::Spent(used) if used.requests == 3);
    assert!(records(&log).await.iter().any(spent), "the use of the call is recorded with it");
    let mut engine = open(&log).await;
    assert_eq!(engine.open_calls().map(|call| call.id.as_str()).collect::<Vec<_>>(), ["c2"]);
    let both = [("c2".to_owned(), ToolOutput::text("dumped")), ("c1".to_owned(), ToolOutput::text("again"))];
    assert_eq!(engine.results(both).await.unwrap(), Answered::Request);
    assert_eq!(results(&engine), ["deployed", "dumped"]);
    request(&mut engine).await;
}

#[tokio::test]
async fn a_turn_that_was_cut_off_continues_with_the_results_that_had_come() {
    let mut engine = open(&killed_between_results().await).await;
    engine.user(Message::user("Next.")).await.unwrap();
    let shown = results(&engine);
    assert!(shown[0] == "deployed" && shown[1].contains("cut off"), "{shown:?}");
    // Another model reads it.
    let log = killed_between_results().await;
    let info = ModelInfo::with_window("other", WINDOW, 2_000);
    let settings = Policy::Throughline.settings(WINDOW, 2_000);
    let builder = ContextEngine::builder(info, Estimator::default().counter(), settings);
    let engine = builder.log(Arc::clone(&log) as _).open(id()).await.unwrap();
    assert_eq!(results(&engine)[0], "deployed");
}

/// The caller runs the deferred tool that a call of `call_tool` names, also when it asks again.
#[tokio::test]
async fn a_call_of_a_deferred_tool_is_that_tools_own_after_a_restart() {
    let tools: Vec<ToolDefinition> = (0..40)
        .map(|number| {
            let about = "It is explained at length. ".repeat(20);
            let tool = ToolDefinition::new(format!("far_{number}"), about, json!({ "type": "object" }));
            ToolDefinition { origin: ToolOrigin::Mcp, ..tool }
        })
        .collect();
    let log: Arc<InMemoryMessageLog> = Arc::default();
    let open = async || builder(&log).tools(&tools).open(id()).await.unwrap();
    let mut engine = open().await;
    engine.user(Message::user("Dump.")).await.unwrap();
    let asked = request(&mut engine).await.id;
    let input = json!({ "name": "far_7", "input": { "rows": 3 } });
    let call = ToolCall { id: "c1".to_owned(), name: "call_tool".to_owned(), input };
    let message = Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] };
    let first = engine.keyed("a").answer(asked, answer(message.clone())).await.unwrap();
    let meant = ToolCall { id: "c1".to_owned(), name: "far_7".to_owned(), input: json!({ "rows": 3 }) };
    assert_eq!(first, Answered::Calls(vec![meant]));
    assert_eq!(engine.keyed("a").answer(asked, answer(message.clone())).await.unwrap(), first);
    let mut engine = open().await;
    assert_eq!(Answered::Calls(engine.open_calls().cloned().collect()), first);
    assert_eq!(engine.keyed("a").answer(asked, answer(message)).await.unwrap(), first);
}

#[tokio::test]
async fn a_message_of_the_user_and_a_change_give_up_open_calls() {
    let (log, _) = killed_after(calls(&[("c1", "dump")])).await;
    let mut engine = open(&log).await;
    engine.user(Message::user("Never mind.")).await.unwrap();
    let shown = engine.view().entries()[2].message.clone();
    assert!(shown.tool_results().all(|result| result.content.contains("cut off")), "{shown:?}");
    request(&mut engine).await;

    let (log, _) = killed_after(calls(&[("c1", "dump")])).await;
    let mut engine = open(&log).await;
    engine.change(throughline_engine::Change::Undo).await.unwrap();
    let late = engine.results([("c1".to_owned(), ToolOutput::text("rows"))]).await.unwrap_err();
    assert!(matches!(late, EngineError::Order(OrderError::UnknownCall(_))), "{late}");
}

#[tokio::test]
async fn the_answer_to_a_request_of_an_earlier_process_is_taken_directly_after_opening() {
    let log = Arc::default();
    let mut engine = open(&log).await;
    engine.user(Message::user("Dump.")).await.unwrap();
    let prepared = request(&mut engine).await;
    drop(engine);
    let mut engine = open(&log).await;
    let other = engine.answer(RequestId(7), answer(Message::assistant("Done."))).await.unwrap_err();
    assert!(matches!(other, EngineError::Order(OrderError::NoRequest)), "{other}");
    let ended = engine.keyed("a").answer(prepared.id, answer(Message::assistant("Done."))).await.unwrap();
    assert!(matches!(ended, Answered::Finished { .. }));
    let receipt = |body: &RecordBody| match body {
        RecordBody::Receipt(receipt) => Some((receipt.request, receipt.upto)),
        _ => None,
    };
    let receipts: Vec<_> = records(&log).await.iter().filter_map(receipt).collect();
    assert_eq!(receipts.len(), 1);
    assert_eq!(receipts[0].0, prepared.id.0);

    // A turn that has ended waits for no answer, and neither does a session that has changed since it was opened.
    let mut engine = open(&log).await;
    let none = engine.answer(RequestId(2), answer(Message::assistant("?"))).await.unwrap_err();
    assert!(matches!(none, EngineError::Order(OrderError::NoRequest)), "{none}");
    engine.user(Message::user("More.")).await.unwrap();
    let none = engine.answer(RequestId(2), answer(Message::assistant("?"))).await.unwrap_err();
    assert!(matches!(none, EngineError::Order(OrderError::NoRequest)), "{none}");
}
