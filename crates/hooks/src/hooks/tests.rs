//! Matching hooks and what they are given.

use std::path::Path;

use async_trait::async_trait;
use throughline_conversation::ToolCall;

use super::*;
use crate::file::HookFile;
use crate::hook::HookOrigin;
use crate::runner::{HookEnding, HookRun};

/// Answers each command with its own name, and remembers what it was given.
#[derive(Debug, Default)]
struct Echo(Mutex<Vec<(String, Value)>>);

#[async_trait]
impl HookRunner for Echo {
    async fn run(&self, hook: &Hook, input: &str, _cancel: &CancelFlag) -> HookRun {
        self.0.lock().unwrap().push((hook.text().to_owned(), serde_json::from_str(input).unwrap()));
        HookRun { ending: HookEnding::Exit(2), stdout: String::new(), stderr: hook.text().to_owned() }
    }
}

fn hooks(text: &str) -> (Hooks, Arc<Echo>) {
    let (file, echo) =
        (HookFile::parse("h.json", text, HookOrigin::User, false).unwrap(), Arc::new(Echo::default()));
    (Hooks::new(file.hooks, Arc::clone(&echo) as Arc<dyn HookRunner>), echo)
}

fn session() -> HookSession {
    HookSession {
        id: "s1".to_owned(),
        workspace: PathBuf::from("/w"),
        transcript: None,
        mode: "default",
        agent: None,
    }
}

#[tokio::test]
async fn matching_hooks_run_once_each_and_are_given_the_call_as_scripts_know_it() {
    let (hooks, echo) = hooks(
        r#"{ "hooks": { "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "command": "a" }, { "command": "a" }, { "command": "b" }] },
            { "matcher": "Edit|Write", "hooks": [{ "command": "c" }] }
        ] } }"#,
    );
    let call = ToolCall { id: "c1".to_owned(), name: "shell".to_owned(), input: json!({ "command": "ls" }) };
    let occasion = Occasion::before_tool(&call, Path::new("/w"));
    let answer = hooks.fire(&occasion, &session(), &CancelFlag::new()).await;
    let ran = echo.0.lock().unwrap().clone();
    assert_eq!(ran.iter().map(|(command, _)| command.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let expected = json!({ "session_id": "s1", "transcript_path": "", "cwd": "/w", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "c1",
        "own_tool_name": "shell" });
    assert_eq!(ran[0].1, expected);
    assert_eq!(answer.permission, Some(crate::HookPermission::Deny("a\nb".to_owned())));
    assert!(hooks.wait_for(HookEvent::PreToolUse) && !hooks.wait_for(HookEvent::Stop));
}

#[tokio::test]
async fn an_event_without_hooks_runs_nothing_and_notices_are_given_once() {
    let (hooks, echo) =
        hooks(r#"{ "hooks": { "SessionEnd": [{ "matcher": "clear", "hooks": [{ "command": "a" }] }] } }"#);
    let answer = hooks.fire(&Occasion::session_end("other"), &session(), &CancelFlag::new()).await;
    assert_eq!((answer, echo.0.lock().unwrap().len()), (HookAnswer::default(), 0));
    hooks.fire(&Occasion::session_end("clear"), &session(), &CancelFlag::new()).await;
    assert_eq!(hooks.take_notices(), ["a"]);
    assert_eq!(hooks.take_notices(), Vec::<String>::new());
}

#[tokio::test]
async fn a_hook_in_the_background_is_not_waited_for_and_decides_nothing() {
    let (hooks, echo) = hooks(
        r#"{ "hooks": { "PostToolUse": [{ "hooks": [{ "command": "a", "async": true }, { "command": "b" }] }] } }"#,
    );
    let call = ToolCall { id: "c1".to_owned(), name: "shell".to_owned(), input: json!({ "command": "ls" }) };
    let occasion = Occasion::after_tool(&call, Path::new("/w"), "x", false, std::time::Duration::ZERO);
    let answer = hooks.fire(&occasion, &session(), &CancelFlag::new()).await;
    assert_eq!(answer.block.as_deref(), Some("b"));
    let background = hooks.background_runs(&occasion, &session());
    assert_eq!(background.len(), 1);
    for run in background {
        assert_eq!(run.run(&CancelFlag::new()).await, HookAnswer::default());
    }
    assert_eq!(echo.0.lock().unwrap().iter().map(|(text, _)| text.clone()).collect::<Vec<_>>(), ["b", "a"]);
}
