//! Tests of background jobs. Commands signal with files; no test waits for a fixed time.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{LONG, Workspace, soon};
use crate::builtin::{BuiltinTools, CommandRunner, Jobs};

/// Waits until the file exists.
async fn until(workspace: &Workspace, path: &str) {
    soon(path, || workspace.path(path).exists()).await;
}

/// Returns true if the process exists and is not a zombie.
fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

/// Waits until a process that was sent a signal has ended: signals are delivered asynchronously.
pub(super) async fn gone(pid: &str) {
    soon("the end of a process", || !lives(pid)).await;
}

#[tokio::test]
async fn a_job_continues_and_its_output_is_read_in_parts() {
    let workspace = Workspace::of(&[]);
    let command = "echo one; touch one; until [ -e go ]; do sleep 0.01; done; echo two; exit 3";
    let text = workspace.fine("shell", json!({"command": command, "background": true})).await;
    assert_eq!(text, "Started as job 1. shell_output shows what it writes, shell_stop ends it.");
    until(&workspace, "one").await;
    let mut text = String::new();
    let begun = Instant::now();
    while !text.starts_with("one\n") {
        assert!(begun.elapsed() < LONG, "{text}");
        // Without a pause the single thread of this test would not run the task that reads the job's output.
        tokio::time::sleep(Duration::from_millis(5)).await;
        text = workspace.fine("shell_output", json!({"job": 1})).await;
    }
    assert!(text.starts_with("one\n[it runs since "), "{text}");
    let text = workspace.fine("shell_output", json!({"job": "1"})).await;
    assert!(text.starts_with("[no new output]\n[it runs since "), "{text}");
    workspace.put("go", b"");
    let text = workspace.fine("shell_output", json!({"job": 1, "wait_seconds": 60})).await;
    assert_eq!(text, "two\n[exit status: 3]");
    assert_eq!(workspace.fine("shell_output", json!({"job": 1})).await, "[no new output]\n[exit status: 3]");
}

#[tokio::test]
async fn a_job_is_stopped_with_all_its_processes() {
    let workspace = Workspace::of(&[]);
    // The shell may notice first that its child was ended, and writes that to stderr.
    let command =
        "sleep 300 & echo $! > child; exec 2>/dev/null; trap 'echo bye; exit 0' TERM; touch up; wait";
    workspace.fine("shell", json!({"command": command, "background": true})).await;
    until(&workspace, "up").await;
    let text = workspace.fine("shell_stop", json!({"job": 1})).await;
    assert_eq!(text, "bye\n[exit status: 0]", "SIGTERM comes first");
    let child = workspace.read("child");
    assert!(!child.trim().is_empty());
    gone(&child).await;
    let text = workspace.fine("shell_stop", json!({"job": 1})).await;
    assert_eq!(text, "[no new output]\n[exit status: 0]", "stopping twice does no harm");
}

#[tokio::test]
async fn a_job_that_ignores_sigterm_is_killed() {
    let workspace = Workspace::of(&[]);
    let command = "trap '' TERM; touch up; while :; do sleep 0.05; done";
    workspace.fine("shell", json!({"command": command, "background": true})).await;
    until(&workspace, "up").await;
    let text = workspace.fine("shell_stop", json!({"job": 1})).await;
    assert_eq!(text, "[no new output]\n[ended by signal 9]");
}

#[tokio::test]
async fn jobs_end_with_the_session() {
    let mut workspace = Workspace::of(&[]);
    let command = "sleep 300 & echo $! > child.new; mv child.new child; wait";
    workspace.fine("shell", json!({"command": command, "background": true})).await;
    until(&workspace, "child").await;
    let child = workspace.read("child");
    assert!(lives(&child));
    workspace.tools.clear();
    gone(&child).await;
}

#[tokio::test]
async fn a_job_outlives_the_turn_and_has_its_own_limit() {
    let workspace = Workspace::of(&[]);
    workspace.fine("shell", json!({"command": "touch up; sleep 300", "background": true})).await;
    workspace.context.cancel.cancel();
    until(&workspace, "up").await;
    let text = workspace.fine("shell_output", json!({"job": 1})).await;
    assert!(text.contains("[it runs since"), "{text}");
    let workspace = Workspace::of(&[]);
    let input = json!({"command": "sleep 300", "background": true, "timeout_seconds": 1});
    workspace.fine("shell", input).await;
    let text = workspace.fine("shell_output", json!({"job": 1, "wait_seconds": 60})).await;
    assert_eq!(text, "[no new output]\n[its time was over; all its processes were ended]");
}

#[tokio::test]
async fn jobs_are_bounded_in_number_and_in_output() {
    let runner = CommandRunner::new().with_max_output(1_000_000);
    let workspace = Workspace::with(&[], &BuiltinTools::new().runner(runner));
    workspace.fine("shell", json!({"command": "yes", "background": true})).await;
    let text = workspace.fine("shell_output", json!({"job": 1, "wait_seconds": 60})).await;
    assert!(text.lines().last().unwrap().starts_with("[ended after 1"), "{}", text.len());
    assert!(text.len() < 530_000 && text.contains(" bytes left out; all of it is in "), "{}", text.len());
    for _ in 0..16 {
        workspace.fine("shell", json!({"command": "sleep 300", "background": true})).await;
    }
    let text = workspace.refused("shell", json!({"command": "true", "background": true})).await;
    assert!(text.starts_with("Too many background jobs run already: 2, 3,"), "{text}");
}

#[tokio::test]
async fn a_missing_job_is_answered_with_the_list_of_jobs() {
    let workspace = Workspace::of(&[]);
    for tool in ["shell_output", "shell_stop"] {
        let text = workspace.refused(tool, json!({"job": 1})).await;
        assert!(text.starts_with("There is no job 1. Start one with shell"), "{text}");
    }
    workspace.fine("shell", json!({"command": "true", "background": true})).await;
    workspace.fine("shell_output", json!({"job": 1, "wait_seconds": 60})).await;
    let text = workspace.refused("shell_stop", json!({"job": 2})).await;
    assert_eq!(text, "There is no job 2. The jobs are: 1 (true; has ended).");
    let text = workspace.refused("shell_output", json!({"job": "the first"})).await;
    assert!(text.contains("expected u64"), "{text}");
}

#[tokio::test]
async fn a_command_that_a_call_waits_for_becomes_a_job() {
    let jobs = Jobs::new();
    let workspace = Workspace::with(&[], &BuiltinTools::new().jobs(jobs.clone()).watching_commands("."));
    assert!(!jobs.release(), "no call waits");
    let command = "echo one; touch up; until [ -e go ]; do sleep 0.01; done; echo two; exit 3";
    let call = workspace.fine("shell", json!({"command": command, "timeout_seconds": 1}));
    let release = async {
        until(&workspace, "up").await;
        // The output is read by the task of the call.
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(jobs.release());
    };
    let (text, ()) = tokio::join!(call, release);
    assert!(
        text.starts_with("one\n[the user moved this command to the background: it runs on as job 1."),
        "{text}"
    );
    // The time limit of the call does not hold for the job.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(jobs.list()[0].ending, None);
    let (job, written) = jobs.recent_output(1).unwrap();
    assert_eq!(written, "one\n", "a person sees what it wrote before");
    assert!(job.age >= Duration::from_millis(1_150), "its time counts from its start: {:?}", job.age);
    let mut ends = jobs.ends();
    workspace.put("go", b"");
    let text = workspace.fine("shell_output", json!({"job": 1, "wait_seconds": 60})).await;
    assert_eq!(text, "two\n[exit status: 3]");
    assert!(ends.try_recv().is_err(), "this receiver is younger than the job");
    assert!(jobs.take_unknown_ends().is_empty(), "the model has read the end");
    assert!(!jobs.release());
}

#[tokio::test]
async fn a_person_sees_jobs_and_their_ends_and_the_model_hears_of_an_end_once() {
    let jobs = Jobs::new();
    let mut ends = jobs.ends();
    let workspace = Workspace::with(&[], &BuiltinTools::new().jobs(jobs.clone()));
    let command = "printf 'one\\rtwo\\n'; seq 1 2000; exit 4";
    workspace.fine("shell", json!({"command": command, "background": true})).await;
    let ended = ends.recv().await.unwrap();
    assert_eq!((ended.number, ended.ending.as_deref()), (1, Some("exit status 4")));
    assert_eq!(jobs.list(), std::slice::from_ref(&ended));
    let (_, recent) = jobs.recent_output(1).unwrap();
    assert!(recent.ends_with("1999\n2000\n") && recent.len() <= 4_096, "{}", recent.len());
    assert_eq!(jobs.take_unknown_ends(), [ended]);
    assert!(jobs.take_unknown_ends().is_empty());
    let text = workspace.fine("shell_output", json!({"job": 1})).await;
    assert!(text.starts_with("two\n1\n"), "what a person looks at stays unread: {text}");

    workspace.fine("shell", json!({"command": "sleep 300", "background": true})).await;
    assert!(jobs.stop(2).await);
    assert!(!jobs.stop(2).await && !jobs.stop(3).await);
    assert_eq!(ends.recv().await.unwrap().ending.as_deref(), Some("ended by signal 15"));
    drop(workspace);
    drop(jobs);
    assert!(ends.recv().await.is_none(), "the receiver closes with the session");
}
