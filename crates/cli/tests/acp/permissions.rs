//! Calls that wait for the user's permission.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use agent_client_protocol::v1::schema::{
    ClientCapabilities, PermissionOptionKind, SessionUpdate, StopReason, ToolCallContent, ToolCallStatus,
};
use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::editor::{Editor, prompt, said, status_of};
use crate::home::Home;

fn write(id: &str, path: &str) -> Answer {
    Answer::call(id, "write_file", json!({ "path": path, "content": "new\n" }))
}

/// A model that writes `docs/b.txt`, which it has read, and `docs/c.txt`, which is new.
async fn home() -> Home {
    let read = Answer::call("call_0", "read_file", json!({ "path": "docs/b.txt" }));
    let script =
        Script::new().then(read).then(write("call_1", "docs/b.txt")).then(write("call_2", "docs/c.txt"));
    let home = Home::new(script.then(Answer::text("Fine.")).repeat_last()).await;
    std::fs::create_dir(home.work().join("docs")).unwrap();
    std::fs::write(home.work().join("docs/b.txt"), "old\n").unwrap();
    home
}

/// What the model was given as the result of its last call.
fn last_result(home: &Home) -> String {
    home.requests().last().unwrap().body["messages"].as_array().unwrap().last().unwrap().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_runs_once_it_is_allowed_and_a_refusal_reaches_the_model() {
    let home = home().await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    editor.answer(&["once", "deny"]);
    let ended = editor.prompt(&id, "Write.").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    let asked = editor.asked();
    assert_eq!(asked.len(), 2, "{asked:#?}");
    let options: Vec<_> =
        asked[0].options.iter().map(|one| (&*one.option_id.0, &*one.name, one.kind)).collect();
    let expected = [
        ("once", "Allow once", PermissionOptionKind::AllowOnce),
        ("always", "Always allow edit(docs/**)", PermissionOptionKind::AllowAlways),
        ("deny", "Reject", PermissionOptionKind::RejectOnce),
    ];
    assert_eq!(options, expected);
    let fields = &asked[0].tool_call.fields;
    assert_eq!(
        (&*asked[0].tool_call.tool_call_id.0, fields.status),
        ("call_1", Some(ToolCallStatus::Pending))
    );
    assert_eq!(fields.raw_input.as_ref().unwrap()["path"], "docs/b.txt");
    let Some([why, ToolCallContent::Diff(diff)]) = fields.content.as_deref() else { panic!("{fields:#?}") };
    assert!(format!("{why:?}").contains("it changes a file"), "{why:?}");
    assert_eq!((diff.old_text.as_deref(), &*diff.new_text), (Some("old\n"), "new\n"));

    let updates = editor.updates(&id);
    assert_eq!(status_of(&updates, "call_1"), Some(ToolCallStatus::Completed));
    assert_eq!(status_of(&updates, "call_2"), Some(ToolCallStatus::Failed));
    assert_eq!(home.read("docs/b.txt"), "new\n");
    assert!(!home.work().join("docs/c.txt").exists());
    assert!(last_result(&home).contains("was not run"), "{}", last_result(&home));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_a_command_has_all_of_it() {
    let command = "cd docs; rm -rf old && echo ok 2>&1; rm -rf older\nrm -rf oldest";
    let script = Script::new().then(Answer::call("call_1", "shell", json!({ "command": command })));
    let home = Home::new(script.then(Answer::text("Fine.")).repeat_last()).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    editor.answer(&["deny"]);
    editor.prompt(&id, "Clean.").await.unwrap();
    let asked = editor.asked();
    let fields = &asked[0].tool_call.fields;
    let first = command.lines().next().unwrap();
    assert_eq!(fields.title.as_deref(), Some(&*format!("shell {first} …")));
    let Some([_, shown]) = fields.content.as_deref() else { panic!("{fields:#?}") };
    assert!(serde_json::to_value(shown).unwrap()["content"]["text"].as_str().unwrap().contains(command));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reading_command_is_asked_about_where_the_folder_brings_its_program() {
    let shell = |id, command: &str| Answer::call(id, "shell", json!({ "command": command }));
    let script = Script::new()
        .then(shell("call_1", "ls"))
        .then(shell("call_2", "git status --short"))
        .then(shell("call_3", "file -m/etc/passwd a.txt"));
    let home = Home::new(script.then(Answer::text("Fine.")).repeat_last()).await;
    let work = home.work();
    let made = std::process::Command::new("git").args(["init", "-q"]).arg(&work).status();
    assert!(made.is_ok_and(|made| made.success()));
    let settings = work.join(".git/config");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, format!("{text}[core]\n\tfsmonitor = touch ran; false\n")).unwrap();
    std::fs::create_dir_all(work.join(".venv/bin")).unwrap();
    std::fs::write(work.join(".venv/bin/ls"), "#!/bin/sh\ntouch ran\n").unwrap();
    std::fs::set_permissions(work.join(".venv/bin/ls"), Permissions::from_mode(0o755)).unwrap();
    let agent = home.agent_with_programs_in(".venv/bin");
    let editor = Editor::connect(agent, ClientCapabilities::new()).await;
    let id = editor.open(&home).await;
    editor.answer(&["deny", "deny", "deny"]);
    editor.prompt(&id, "Look around.").await.unwrap();
    assert_eq!(editor.asked().len(), 3, "{:#?}", editor.asked());
    assert!(!work.join("ran").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn always_is_remembered_for_the_project() {
    let home = home().await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    editor.answer(&["always"]);
    editor.prompt(&id, "Write.").await.unwrap();
    assert_eq!(editor.asked().len(), 1, "the rule covers the second call");
    assert!(home.work().join("docs/c.txt").exists());
    let other = editor.open(&home).await;
    home.model.push(write("call_3", "docs/d.txt"));
    editor.prompt(&other, "Write more.").await.unwrap();
    assert_eq!(editor.asked().len(), 1, "and those of other sessions here");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_cancels_a_question_has_refused_the_call() {
    let home = home().await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    editor.answer(&["cancelled", "no-such-option"]);
    let ended = editor.prompt(&id, "Write.").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    assert_eq!(home.read("docs/b.txt"), "old\n");
    assert!(!home.work().join("docs/c.txt").exists());
    assert_eq!(said(&editor.updates(&id)), "Fine.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_turn_withdraws_its_question() {
    let home = home().await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let turn = editor.agent.send_request(prompt(&id, "Write."));
    editor.until(|| !editor.asked().is_empty()).await;
    editor.cancel(&id);
    let ended = tokio::time::timeout(crate::editor::LONGEST, turn.block_task()).await.unwrap().unwrap();
    assert_eq!(ended.stop_reason, StopReason::Cancelled);
    assert_eq!(status_of(&editor.updates(&id), "call_1"), Some(ToolCallStatus::Failed));
    assert_eq!(home.read("docs/b.txt"), "old\n");
    assert_eq!(home.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_during_a_question_has_refused_the_call() {
    let home = home().await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let turn = editor.agent.send_request(prompt(&id, "Write."));
    editor.until(|| !editor.asked().is_empty()).await;
    drop(turn);
    let (code, errors) = editor.leave().await;
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(home.read("docs/b.txt"), "old\n");
    assert_eq!(home.requests().len(), 2);
    let messages = home.printed(&["messages", "show", &id, "1"]).await;
    assert!(messages.contains("Write.") && messages.contains("write_file"), "{messages}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_question_the_updates_still_show_what_was_changed() {
    let home = home().await;
    let editor = Editor::start(&home, &["--mode", "auto-edit"]).await;
    let id = editor.open(&home).await;
    editor.prompt(&id, "Write.").await.unwrap();
    assert!(editor.asked().is_empty());
    let updates = editor.updates(&id);
    let diffs: Vec<_> = updates
        .iter()
        .filter_map(|update| match update {
            SessionUpdate::ToolCallUpdate(update) => update.fields.content.as_deref(),
            _ => None,
        })
        .flatten()
        .filter_map(|content| match content {
            ToolCallContent::Diff(diff) => Some((diff.old_text.as_deref(), &*diff.new_text)),
            _ => None,
        })
        .collect();
    assert_eq!(diffs, [(Some("old\n"), "new\n"), (None, "new\n")], "{updates:#?}");
}
