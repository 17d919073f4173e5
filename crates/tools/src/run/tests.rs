//! Tests of concurrent calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use tokio::sync::{Barrier, Notify};

use super::{CANCELLED, RunningCalls};
use crate::contract::outputs_of;
use crate::output::ToolOutput;
use crate::registry::ToolRegistry;
use crate::tool::{Tool, ToolContext};

/// What a probe does in a call.
#[derive(Debug)]
enum Behavior {
    /// Waits until as many calls have met here as the barrier needs.
    Meet(Barrier),
    /// Yields as often as the call says, and counts the calls that run.
    Yield { now: AtomicUsize, most: AtomicUsize },
    /// Panics.
    Panic,
    /// Never returns; its drop is counted.
    Hang(Arc<AtomicUsize>),
}

#[derive(Debug)]
struct Probe(&'static str, Behavior);

struct CountsDrop(Arc<AtomicUsize>);

impl Drop for CountsDrop {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Tool for Probe {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: self.0.to_owned(),
            description: "for tests".to_owned(),
            input_schema: json!({"type": "object"}),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        match &self.1 {
            Behavior::Meet(barrier) => {
                barrier.wait().await;
            }
            Behavior::Yield { now, most } => {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                yields(call.input["yields"].as_u64().unwrap()).await;
                now.fetch_sub(1, Ordering::SeqCst);
            }
            Behavior::Panic => panic!("wires crossed at {}", call.id),
            Behavior::Hang(left) => {
                let _guard = CountsDrop(Arc::clone(left));
                std::future::pending::<()>().await;
            }
        }
        ToolOutput::text(format!("{} answers {}", self.0, call.id))
    }
}

/// Lets the other tasks run.
async fn yields(times: u64) {
    for _ in 0..times {
        tokio::task::yield_now().await;
    }
}

fn registry(probes: impl IntoIterator<Item = Arc<Probe>>) -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    for probe in probes {
        registry.register(probe).unwrap();
    }
    registry
}

fn call(id: &str, name: &str, yields: u64) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), input: json!({ "yields": yields }) }
}

fn texts(outputs: &[ToolOutput]) -> Vec<String> {
    outputs.iter().map(ToolOutput::to_text).collect()
}

// S4-26
#[tokio::test]
async fn calls_of_one_message_run_concurrently() {
    let registry = registry([Arc::new(Probe("meet", Behavior::Meet(Barrier::new(3))))]);
    let calls = ["a", "b", "c"].map(|id| call(id, "meet", 0));
    // In sequence they would wait for each other for ever.
    let outputs = outputs_of(&registry, &calls, &ToolContext::new("."), 3).await;
    assert_eq!(texts(&outputs), ["meet answers a", "meet answers b", "meet answers c"]);
}

// C-11
#[tokio::test]
async fn the_limit_is_respected_and_outputs_are_in_call_order() {
    let yielder =
        Arc::new(Probe("yield", Behavior::Yield { now: AtomicUsize::new(0), most: AtomicUsize::new(0) }));
    let registry = registry([Arc::clone(&yielder)]);
    let calls: Vec<ToolCall> = (0..12).map(|n| call(&format!("c{n}"), "yield", 30 - 2 * n)).collect();
    let outputs = outputs_of(&registry, &calls, &ToolContext::new("."), 4).await;
    let expected: Vec<String> = (0..12).map(|n| format!("yield answers c{n}")).collect();
    assert_eq!(texts(&outputs), expected);
    let Behavior::Yield { most, .. } = &yielder.1 else { panic!("the probe yields") };
    assert_eq!(most.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_limit_of_zero_runs_one_call_at_a_time() {
    let yielder =
        Arc::new(Probe("yield", Behavior::Yield { now: AtomicUsize::new(0), most: AtomicUsize::new(0) }));
    let registry = registry([Arc::clone(&yielder)]);
    let outputs =
        outputs_of(&registry, &[call("a", "yield", 2), call("b", "yield", 1)], &ToolContext::new("."), 0)
            .await;
    assert_eq!(texts(&outputs), ["yield answers a", "yield answers b"]);
    let Behavior::Yield { most, .. } = &yielder.1 else { panic!("the probe yields") };
    assert_eq!(most.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_missing_tool_and_a_panic_are_error_outputs() {
    let registry = registry([
        Arc::new(Probe("meet", Behavior::Meet(Barrier::new(1)))),
        Arc::new(Probe("crash", Behavior::Panic)),
    ]);
    let calls = [call("a", "crash", 0), call("b", "met", 0), call("c", "meet", 0)];
    let outputs = outputs_of(&registry, &calls, &ToolContext::new("."), 4).await;
    assert_eq!(outputs.iter().map(|output| output.is_error).collect::<Vec<_>>(), [true, true, false]);
    expect_test::expect![[r#"
        The tool crash broke down: wires crossed at a. This is a fault of the tool. Try other arguments or another tool.
        There is no tool named "met". Tools with a similar name: meet.
        meet answers c"#]]
    .assert_eq(&texts(&outputs).join("\n"));
    assert!(outputs_of(&registry, &[], &ToolContext::new("."), 4).await.is_empty());
}

// C-11
#[tokio::test]
async fn cancel_answers_every_unfinished_call_and_stops_it() {
    let left = Arc::new(AtomicUsize::new(0));
    let registry = registry([
        Arc::new(Probe("quick", Behavior::Meet(Barrier::new(1)))),
        Arc::new(Probe("hang", Behavior::Hang(Arc::clone(&left)))),
    ]);
    let context = ToolContext::new(".");
    let cancel = context.cancel.clone();
    tokio::spawn(async move {
        yields(50).await;
        cancel.cancel();
    });
    let calls = [call("a", "quick", 0), call("b", "hang", 0), call("c", "hang", 0), call("d", "quick", 0)];
    let outputs = outputs_of(&registry, &calls, &context, 2).await;
    assert_eq!(texts(&outputs), ["quick answers a", CANCELLED, CANCELLED, CANCELLED]);
    assert_eq!(outputs.iter().map(|output| output.is_error).collect::<Vec<_>>(), [false, true, true, true]);
    assert_eq!(left.load(Ordering::SeqCst), 2, "both hanging calls were dropped");
    let late = outputs_of(&registry, &calls, &context, 4).await;
    assert_eq!(texts(&late), [CANCELLED; 4]);
}

/// Signals its start, and returns partial output on cancel.
#[derive(Debug)]
struct WatchesCancel(Arc<Notify>);

#[async_trait]
impl Tool for WatchesCancel {
    fn definition(&self) -> ToolDefinition {
        Probe("watch", Behavior::Panic).definition()
    }

    async fn call(&self, _call: &ToolCall, context: &ToolContext) -> ToolOutput {
        self.0.notify_one();
        context.cancel.cancelled().await;
        ToolOutput::text("half of it")
    }
}

#[tokio::test]
async fn a_cancelled_tool_may_return_partial_output() {
    let mut registry = ToolRegistry::new();
    let begun = Arc::new(Notify::new());
    registry.register(Arc::new(WatchesCancel(Arc::clone(&begun)))).unwrap();
    let context = ToolContext::new(".");
    let cancel = context.cancel.clone();
    tokio::spawn(async move {
        begun.notified().await;
        cancel.cancel();
    });
    let outputs = outputs_of(&registry, &[call("a", "watch", 0), call("b", "watch", 0)], &context, 1).await;
    assert_eq!(texts(&outputs), ["half of it", CANCELLED], "a waiting call does not start");
}

#[tokio::test]
async fn dropping_the_run_stops_the_tools() {
    let left = Arc::new(AtomicUsize::new(0));
    let registry = registry([Arc::new(Probe("hang", Behavior::Hang(Arc::clone(&left))))]);
    let calls = [call("a", "hang", 0)];
    let context = ToolContext::new(".");
    let run = outputs_of(&registry, &calls, &context, 4);
    tokio::select! {
        _ = run => panic!("the tool never returns"),
        () = yields(50) => {}
    }
    yields(50).await;
    assert_eq!(left.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn outputs_are_yielded_as_they_complete() {
    let registry = registry([
        Arc::new(Probe("meet", Behavior::Meet(Barrier::new(2)))),
        Arc::new(Probe("quick", Behavior::Meet(Barrier::new(1)))),
    ]);
    // The first call ends after the third has begun, and that begins after the second has ended.
    let calls = [call("a", "meet", 0), call("b", "quick", 0), call("c", "meet", 0), call("d", "met", 0)];
    let context = ToolContext::new(".");
    let mut run = RunningCalls::start(&registry, &calls, &context, 2);
    let mut places = Vec::new();
    while let Some((place, _)) = run.next().await {
        places.push(place);
    }
    assert_eq!(places.first(), Some(&1));
    assert_eq!(places.len(), 4);
    assert!(run.next().await.is_none());
}
