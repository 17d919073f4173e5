//! Tests of the shell tool. Commands signal with files, and /proc shows which processes live.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::json;

use super::jobs::gone;
use super::{LONG, Workspace, soon};
use crate::builtin::{BuiltinTools, CommandRunner};
use crate::contract::outputs_of;
use crate::environment::Environment;
use crate::output_sink::MockOutputSink;
use crate::registry::ToolRegistry;
use crate::run::CANCELLED;

#[tokio::test]
async fn output_is_in_order_and_the_last_line_is_the_status() {
    let workspace = Workspace::of(&[("a.txt", "hello\n")]);
    let command = "cat a.txt; echo oops >&2; printf end";
    let text = workspace.fine("shell", json!({ "command": command })).await;
    assert_eq!(text, "hello\noops\nend\n[exit status: 0]");
    assert_eq!(workspace.fine("shell", json!({"command": "true"})).await, "[exit status: 0]");
    let text = workspace.refused("shell", json!({"command": "echo no; exit 3"})).await;
    assert_eq!(text, "no\n[exit status: 3]");
    let text = workspace.refused("shell", json!({"command": "kill -TERM $$"})).await;
    assert_eq!(text, "[ended by signal 15]");
    let text = workspace.fine("shell", json!({"command": "cat; echo $PAGER"})).await;
    assert_eq!(text, "cat\n[exit status: 0]", "there is no input to wait for");
    let text = workspace.refused("shell", json!({"command": " "})).await;
    assert!(text.starts_with("The command is empty"));
}

#[tokio::test]
async fn output_bytes_are_unchanged() {
    let workspace = Workspace::of(&[]);
    let output = workspace.call("shell", json!({"command": r"printf '\377\000x\n'"})).await;
    assert_eq!(output.bytes, b"\xff\0x\n[exit status: 0]");
}

#[tokio::test]
async fn a_large_output_is_truncated_and_stored_in_a_file() {
    let workspace = Workspace::of(&[]);
    let command = "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo last";
    let output = workspace.call("shell", json!({ "command": command })).await;
    let mib = 1024 * 1024;
    assert!(output.bytes.len() > 4 * mib && output.bytes.len() < 5 * mib, "{}", output.bytes.len());
    let text = output.to_text();
    let all = 20_000_000 + 1 + 5;
    let start = format!("\n[... {} bytes left out; all of it is in ", all - 4 * mib);
    let (_, place) = text.split_once(&start).unwrap();
    let (place, _) = place.split_once(" ...]\n").unwrap();
    assert_eq!(std::fs::metadata(place).unwrap().len(), all as u64);
    assert!(text.ends_with("\nlast\n[exit status: 0]"));
    // The file can be read, but not written, and paths through it lead nowhere.
    let part = workspace.fine("read_file", json!({"path": place, "offset": 2})).await;
    assert_eq!(part, "     2\tlast\n[end of file: 2 lines]");
    let found = workspace.fine("grep", json!({"path": place, "pattern": "^la"})).await;
    assert_eq!(found, format!("{place}:2:last"));
    let edit = json!({"path": place, "old_string": "last", "new_string": "x"});
    let text = workspace.refused("edit_file", edit).await;
    assert!(text.ends_with("is an output of a command: it is read, not written."), "{text}");
    let text = workspace.refused("read_file", json!({"path": format!("{place}/../../x")})).await;
    assert!(text.contains("outside of the workspace"), "{text}");
}

#[tokio::test]
async fn a_command_that_writes_without_end_is_ended() {
    let runner = CommandRunner::new().with_max_output(3_000_000);
    let workspace = Workspace::with(&[], &BuiltinTools::new().runner(runner));
    let text = workspace.refused("shell", json!({"command": "yes"})).await;
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("[ended after 3")
            && last.ends_with("it would not have stopped. Write less, or into a file]")
    );
    assert!(text.len() < 4_000_000, "{}", text.len());
}

#[tokio::test]
async fn the_output_sink_receives_output_while_the_command_runs() {
    let mut workspace = Workspace::of(&[]);
    let parts = Arc::new(Mutex::new(Vec::new()));
    let (seen, received) = (workspace.path("seen"), Arc::clone(&parts));
    let mut sink = MockOutputSink::new();
    sink.expect_output().returning(move |call_id, part| {
        // The command waits for this file after its first line.
        std::fs::write(&seen, "").unwrap();
        received.lock().unwrap().push((call_id.to_owned(), part.to_vec()));
    });
    workspace.context.output = Some(Arc::new(sink));
    let command = "echo first; until [ -e seen ]; do sleep 0.01; done; echo second";
    let text = workspace.fine("shell", json!({"command": command, "timeout_seconds": 60})).await;
    assert_eq!(text, "first\nsecond\n[exit status: 0]");
    let parts = parts.lock().unwrap();
    assert!(parts.iter().all(|(call, part)| call == "c1" && !part.is_empty()));
    let all: Vec<u8> = parts.iter().flat_map(|(_, part)| part.clone()).collect();
    assert_eq!(all, b"first\nsecond\n");
}

/// Starts a background process and writes its process id to the file `pid`.
const LEAVES: &str = "sleep 300 & echo $! > pid.new; mv pid.new pid";

#[tokio::test]
async fn a_command_that_times_out_is_ended_with_its_children() {
    let command = format!("echo start; {LEAVES}; sleep 300");
    let mut limit = 1;
    loop {
        let workspace = Workspace::of(&[]);
        let begun = Instant::now();
        let input = json!({"command": command, "timeout_seconds": limit});
        let text = workspace.refused("shell", input).await;
        assert!(begun.elapsed() < LONG * 2, "{:?}", begun.elapsed());
        if workspace.path("pid").exists() {
            let end = format!("start\n[timed out after {limit} s; all its processes were ended.");
            assert!(text.starts_with(&end), "{text}");
            return gone(&workspace.read("pid")).await;
        }
        // On a slow machine it had no time to start.
        assert!(limit < 60, "{text}");
        limit *= 4;
    }
}

#[tokio::test]
async fn background_processes_end_with_the_command() {
    let workspace = Workspace::of(&[]);
    let begun = Instant::now();
    let command = format!("{LEAVES}; echo done");
    assert_eq!(workspace.fine("shell", json!({ "command": command })).await, "done\n[exit status: 0]");
    assert!(begun.elapsed() < LONG, "it does not wait for background processes");
    gone(&workspace.read("pid")).await;
}

#[tokio::test]
async fn cancel_ends_the_whole_group_and_returns_partial_output() {
    let workspace = Workspace::of(&[]);
    let mut registry = ToolRegistry::new();
    for tool in &workspace.tools {
        registry.register(Arc::clone(tool)).unwrap();
    }
    let input = json!({ "command": format!("echo so far; {LEAVES}; wait") });
    let call = throughline_conversation::ToolCall { id: "c1".to_owned(), name: "shell".to_owned(), input };
    let cancel = workspace.context.cancel.clone();
    let pid = workspace.path("pid");
    let stopping = tokio::spawn(async move {
        soon("the process", || pid.exists()).await;
        cancel.cancel();
    });
    let outputs = outputs_of(&registry, std::slice::from_ref(&call), &workspace.context, 4).await;
    stopping.await.unwrap();
    assert_eq!((outputs[0].to_text(), outputs[0].is_error), (format!("so far\n{CANCELLED}"), true));
    gone(&workspace.read("pid")).await;
    let text = workspace.refused("shell", call.input.clone()).await;
    assert!(text.ends_with(CANCELLED), "the tool itself watches the flag: {text}");
}

#[tokio::test]
async fn a_missing_workspace_is_an_error() {
    let workspace = Workspace::of(&[]);
    std::fs::remove_dir(workspace.root()).unwrap();
    let text = workspace.refused("shell", json!({"command": "true"})).await;
    assert!(text.starts_with("The command could not be started"), "{text}");
}

#[tokio::test]
async fn commands_get_the_variables_of_the_list_alone() {
    let workspace = Workspace::of(&[]);
    let text = workspace
        .fine("shell", json!({ "command": "env -0 | tr '\\n' ' ' | tr '\\0' '\\n' | cut -d= -f1" }))
        .await;
    let listed: Vec<String> =
        Environment::new().of(std::env::vars_os()).map(|(name, _)| name.into_string().unwrap()).collect();
    // The shell and the runner set these.
    let own = ["PWD", "OLDPWD", "SHLVL", "_", "PAGER", "GIT_PAGER", "GIT_TERMINAL_PROMPT"];
    let names = text.lines().filter(|line| !line.starts_with("[exit status"));
    let others: Vec<&str> =
        names.filter(|name| !own.contains(name) && !listed.iter().any(|listed| listed == name)).collect();
    assert_eq!(others, Vec::<&str>::new());
    assert!(listed.iter().all(|name| text.lines().any(|line| line == name)), "{text}");
}
