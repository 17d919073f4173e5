//! Tests of running calls side by side.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use tokio::sync::{Barrier, Notify};

use super::{CANCELLED, PARALLEL_CALLS, RunningCalls, run_calls};
use crate::{Tool, ToolContext, ToolOutput, ToolRegistry};

/// What a probe does when it is called.
#[derive(Debug)]
enum Deed {
    /// Waits until this many calls wait.
    Meet(Barrier),
    /// Sleeps for the milliseconds that the call names, and counts who sleeps.
    Sleep { now: AtomicUsize, most: AtomicUsize },
    /// Panics.
    Panic,
    /// Never comes back; counts in its drop.
    Hang(Arc<AtomicUsize>),
}

#[derive(Debug)]
struct Probe(&'static str, Deed);

struct Left(Arc<AtomicUsize>);

impl Drop for Left {
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
            Deed::Meet(barrier) => {
                barrier.wait().await;
            }
            Deed::Sleep { now, most } => {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(call.input["ms"].as_u64().unwrap())).await;
                now.fetch_sub(1, Ordering::SeqCst);
            }
            Deed::Panic => panic!("wires crossed at {}", call.id),
            Deed::Hang(left) => {
                let _left = Left(Arc::clone(left));
                std::future::pending::<()>().await;
            }
        }
        ToolOutput::text(format!("{} answers {}", self.0, call.id))
    }
}

fn registry(probes: impl IntoIterator<Item = Arc<Probe>>) -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    for probe in probes {
        registry.register(probe).unwrap();
    }
    registry
}

fn call(id: &str, name: &str, ms: u64) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), input: json!({ "ms": ms }) }
}

fn texts(outputs: &[ToolOutput]) -> Vec<String> {
    outputs.iter().map(ToolOutput::to_text).collect()
}

// S4-26
#[tokio::test]
async fn calls_of_one_message_run_side_by_side() {
    let registry = registry([Arc::new(Probe("meet", Deed::Meet(Barrier::new(3))))]);
    let calls = ["a", "b", "c"].map(|id| call(id, "meet", 0));
    // One after the other they would wait for each other for ever.
    let outputs = run_calls(&registry, &calls, &ToolContext::new("."), 3).await;
    assert_eq!(texts(&outputs), ["meet answers a", "meet answers b", "meet answers c"]);
}

// C-11
#[tokio::test]
async fn four_run_at_once_and_results_are_in_call_order() {
    assert_eq!(PARALLEL_CALLS, 4);
    let sleeper =
        Arc::new(Probe("sleep", Deed::Sleep { now: AtomicUsize::new(0), most: AtomicUsize::new(0) }));
    let registry = registry([Arc::clone(&sleeper)]);
    let calls: Vec<ToolCall> = (0..12).map(|n| call(&format!("c{n}"), "sleep", 30 - 2 * n)).collect();
    let outputs = run_calls(&registry, &calls, &ToolContext::new("."), PARALLEL_CALLS).await;
    let expected: Vec<String> = (0..12).map(|n| format!("sleep answers c{n}")).collect();
    assert_eq!(texts(&outputs), expected);
    let Deed::Sleep { most, .. } = &sleeper.1 else { panic!("the probe sleeps") };
    assert_eq!(most.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_limit_of_none_runs_one_after_the_other() {
    let sleeper =
        Arc::new(Probe("sleep", Deed::Sleep { now: AtomicUsize::new(0), most: AtomicUsize::new(0) }));
    let registry = registry([Arc::clone(&sleeper)]);
    let outputs =
        run_calls(&registry, &[call("a", "sleep", 2), call("b", "sleep", 1)], &ToolContext::new("."), 0)
            .await;
    assert_eq!(texts(&outputs), ["sleep answers a", "sleep answers b"]);
    let Deed::Sleep { most, .. } = &sleeper.1 else { panic!("the probe sleeps") };
    assert_eq!(most.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_missing_tool_and_a_panic_are_answers_like_others() {
    let registry = registry([
        Arc::new(Probe("meet", Deed::Meet(Barrier::new(1)))),
        Arc::new(Probe("crash", Deed::Panic)),
    ]);
    let calls = [call("a", "crash", 0), call("b", "met", 0), call("c", "meet", 0)];
    let outputs = run_calls(&registry, &calls, &ToolContext::new("."), 4).await;
    assert_eq!(outputs.iter().map(|output| output.is_error).collect::<Vec<_>>(), [true, true, false]);
    expect_test::expect![[r#"
        The tool crash broke down: wires crossed at a. This is a fault of the tool. Try other arguments or another tool.
        There is no tool named "met". Tools with a similar name: meet.
        meet answers c"#]]
    .assert_eq(&texts(&outputs).join("\n"));
    assert!(run_calls(&registry, &[], &ToolContext::new("."), 4).await.is_empty());
}

// C-11
#[tokio::test]
async fn cancel_answers_every_unfinished_call_and_stops_it() {
    let left = Arc::new(AtomicUsize::new(0));
    let registry = registry([
        Arc::new(Probe("quick", Deed::Meet(Barrier::new(1)))),
        Arc::new(Probe("hang", Deed::Hang(Arc::clone(&left)))),
    ]);
    let context = ToolContext::new(".");
    let cancel = context.cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(30)).await;
        cancel.cancel();
    });
    let calls = [call("a", "quick", 0), call("b", "hang", 0), call("c", "hang", 0), call("d", "quick", 0)];
    let outputs = run_calls(&registry, &calls, &context, 2).await;
    assert_eq!(texts(&outputs), ["quick answers a", CANCELLED, CANCELLED, CANCELLED]);
    assert_eq!(outputs.iter().map(|output| output.is_error).collect::<Vec<_>>(), [false, true, true, true]);
    assert_eq!(left.load(Ordering::SeqCst), 2, "both hanging calls were dropped");
    let late = run_calls(&registry, &calls, &context, 4).await;
    assert_eq!(texts(&late), [CANCELLED; 4]);
}

/// Tells that it was begun, and answers as soon as it is told to stop.
#[derive(Debug)]
struct Watchful(Arc<Notify>);

#[async_trait]
impl Tool for Watchful {
    fn definition(&self) -> ToolDefinition {
        Probe("watch", Deed::Panic).definition()
    }

    async fn call(&self, _call: &ToolCall, context: &ToolContext) -> ToolOutput {
        self.0.notify_one();
        context.cancel.cancelled().await;
        ToolOutput::text("half of it")
    }
}

#[tokio::test]
async fn a_cancelled_tool_may_hand_over_what_it_has() {
    let mut registry = ToolRegistry::new();
    let begun = Arc::new(Notify::new());
    registry.register(Arc::new(Watchful(Arc::clone(&begun)))).unwrap();
    let context = ToolContext::new(".");
    let cancel = context.cancel.clone();
    tokio::spawn(async move {
        begun.notified().await;
        cancel.cancel();
    });
    let outputs = run_calls(&registry, &[call("a", "watch", 0), call("b", "watch", 0)], &context, 1).await;
    assert_eq!(texts(&outputs), ["half of it", CANCELLED], "what has not begun does not begin");
}

#[tokio::test]
async fn dropping_the_run_stops_the_tools() {
    let left = Arc::new(AtomicUsize::new(0));
    let registry = registry([Arc::new(Probe("hang", Deed::Hang(Arc::clone(&left))))]);
    let calls = [call("a", "hang", 0)];
    let context = ToolContext::new(".");
    let run = run_calls(&registry, &calls, &context, 4);
    assert!(tokio::time::timeout(Duration::from_millis(20), run).await.is_err());
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(left.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn outputs_are_given_as_they_come() {
    let registry = registry([
        Arc::new(Probe("meet", Deed::Meet(Barrier::new(2)))),
        Arc::new(Probe("quick", Deed::Meet(Barrier::new(1)))),
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
