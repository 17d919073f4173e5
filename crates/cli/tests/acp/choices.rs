//! What an editor may choose: modes, models, commands.

use agent_client_protocol::v1::schema::{
    CloseSessionRequest, CompactionStatus, ForkSessionRequest, LoadSessionRequest, NewSessionRequest,
    ResumeSessionRequest, SessionConfigKind, SessionConfigOption, SessionConfigOptionValue, SessionModeState,
    SessionUpdate, SetSessionConfigOptionRequest, SetSessionModeRequest, StopReason,
};
use serde_json::json;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script};

use crate::editor::{Editor, said};
use crate::home::Home;

/// The values of an option, and the current one.
fn values(options: &[SessionConfigOption], id: &str) -> (Vec<String>, String) {
    let option = options.iter().find(|option| &*option.id.0 == id).unwrap();
    let SessionConfigKind::Select(select) = &option.kind else { panic!("{option:?}") };
    let values = serde_json::to_value(&select.options).unwrap();
    let values = values.as_array().unwrap().iter().map(|one| one["value"].as_str().unwrap().to_owned());
    (values.collect(), select.current_value.0.to_string())
}

fn set(id: &str, option: &str, value: &str) -> SetSessionConfigOptionRequest {
    let value = SessionConfigOptionValue::value_id(value.to_owned());
    SetSessionConfigOptionRequest::new(id.to_owned(), option.to_owned(), value)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mode_decides_what_is_asked() {
    let write = |id: &str| Answer::call(id, "write_file", json!({ "path": "b.txt", "content": "new\n" }));
    let script = Script::new().then(write("call_1")).then(Answer::text("No.")).then(write("call_2"));
    let home = Home::new(script.then(Answer::text("Yes."))).await;
    let editor = Editor::start(&home, &[]).await;
    let opened = editor.ask(NewSessionRequest::new(home.work())).await.unwrap();
    let id = opened.session_id.to_string();
    let modes = opened.modes.unwrap();
    assert_eq!(&*modes.current_mode_id.0, "ask");
    let names: Vec<_> = modes.available_modes.iter().map(|mode| mode.id.0.to_string()).collect();
    assert_eq!(names, ["plan", "ask", "auto-edit", "yolo"]);
    assert_eq!(values(&opened.config_options.unwrap(), "mode"), (names, "ask".to_owned()));

    editor.ask(SetSessionModeRequest::new(id.clone(), "plan")).await.unwrap();
    editor.wait(&id, |update| matches!(update, SessionUpdate::ConfigOptionUpdate(_))).await;
    editor.prompt(&id, "Write.").await.unwrap();
    assert!(editor.asked().is_empty() && !home.work().join("b.txt").exists());

    let set_mode = editor.ask(set(&id, "mode", "auto-edit")).await.unwrap();
    assert_eq!(values(&set_mode.config_options, "mode").1, "auto-edit");
    editor.wait(&id, |update| matches!(update, SessionUpdate::CurrentModeUpdate(_))).await;
    editor.prompt(&id, "Write.").await.unwrap();
    assert!(editor.asked().is_empty() && home.read("b.txt") == "new\n");

    for refused in [
        editor.ask(SetSessionModeRequest::new(id.clone(), "brave")).await.unwrap_err(),
        editor.ask(set(&id, "mode", "brave")).await.unwrap_err(),
    ] {
        assert!(refused.message.contains("there is no mode \"brave\"; there are: plan, ask"), "{refused:?}");
    }
    let refused = editor.ask(set(&id, "colour", "red")).await.unwrap_err();
    assert!(refused.message.contains("there are: mode, model"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_opened_again_is_in_its_mode() {
    let home = Home::new(Script::new().then(Answer::text("Here."))).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    editor.prompt(&id, "Are you there?").await.unwrap();
    let mode = |modes: Option<SessionModeState>| modes.unwrap().current_mode_id.0.to_string();
    editor.ask(SetSessionModeRequest::new(id.clone(), "plan")).await.unwrap();
    editor.ask(CloseSessionRequest::new(id.clone())).await.unwrap();
    let load = || LoadSessionRequest::new(id.clone(), home.work());
    assert_eq!(mode(editor.ask(load()).await.unwrap().modes), "plan");
    // One that is open is closed first.
    assert_eq!(mode(editor.ask(load()).await.unwrap().modes), "plan");
    let forked = editor.ask(ForkSessionRequest::new(id.clone(), home.work())).await.unwrap();
    assert_eq!(mode(forked.modes), "plan");
    editor.ask(SetSessionModeRequest::new(id.clone(), "ask")).await.unwrap();
    editor.ask(CloseSessionRequest::new(id.clone())).await.unwrap();
    let resumed = editor.ask(ResumeSessionRequest::new(id.clone(), home.work())).await.unwrap();
    assert_eq!(mode(resumed.modes), "ask");
    editor.ask(SetSessionModeRequest::new(id.clone(), "yolo")).await.unwrap();
    drop(editor);
    let other = Editor::start(&home, &[]).await;
    assert_eq!(mode(other.ask(load()).await.unwrap().modes), "ask", "what was allowed ends with the agent");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_model_answers_once_it_is_chosen() {
    let script = Script::new().then(Answer::text("Fine.")).repeat_last();
    let script = script.model("claude-sonnet-4-5", 200_000).model("claude-haiku-4-5", 200_000);
    let home = Home::new(script).await;
    let editor = Editor::start(&home, &[]).await;
    let opened = editor.ask(NewSessionRequest::new(home.work())).await.unwrap();
    let id = opened.session_id.to_string();
    let (_, current) = values(&opened.config_options.unwrap(), "model");
    assert_eq!(current, "anthropic/claude-sonnet-4-5");
    // The models that the provider lists follow.
    editor
        .wait(&id, |update| match update {
            SessionUpdate::ConfigOptionUpdate(update) => {
                !values(&update.config_options, "model").0.is_empty()
            }
            _ => false,
        })
        .await;
    editor.prompt(&id, "Go.").await.unwrap();
    let chosen = editor.ask(set(&id, "model", "anthropic/claude-haiku-4-5")).await.unwrap();
    assert_eq!(values(&chosen.config_options, "model").1, "anthropic/claude-haiku-4-5");
    editor.prompt(&id, "On.").await.unwrap();
    let received = home.requests();
    assert_eq!(received.last().unwrap().body["model"], "claude-haiku-4-5");
    let refused = editor.ask(set(&id, "model", "anthropic/claude-haiku-4-4")).await.unwrap_err();
    assert!(refused.message.ends_with("anthropic/claude-haiku-4-5 is near"), "{refused:?}");
    assert_eq!(editor.prompt(&id, "Still.").await.unwrap().stop_reason, StopReason::EndTurn);
}

/// The names of the commands that a session offers.
async fn offered(editor: &Editor, id: &str) -> Vec<String> {
    editor.wait(id, |update| matches!(update, SessionUpdate::AvailableCommandsUpdate(_))).await;
    let commands = editor.updates(id).into_iter().find_map(|update| match update {
        SessionUpdate::AvailableCommandsUpdate(update) => Some(update.available_commands),
        _ => None,
    });
    commands.unwrap().into_iter().map(|command| command.name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_a_prompt_is_offered_and_sent_as_its_text() {
    let home = Home::new(Script::new().then(Answer::text("Deployed."))).await;
    let folder = home.work().join(".throughline/commands");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("deploy.md"), "Deploy $ARGUMENTS to the test machine.").unwrap();
    home.printed(&["trust", "work"]).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let names = offered(&editor, &id).await;
    for name in ["init", "review", "deploy"] {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
    let ended = editor.prompt(&id, "/deploy the parser").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    let sent = home.requests().last().unwrap().body["messages"].to_string();
    assert!(sent.contains("Deploy the parser to the test machine.") && !sent.contains("/deploy"), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_of_the_terminal_work_in_an_editor() {
    let write = Answer::call("call_1", "write_file", json!({ "path": "b.txt", "content": "new\n" }));
    let script = Script::new().then(write).then(Answer::text("Written.")).then(Answer::text("Fine."));
    let home = Home::new(script).await;
    let editor = Editor::start(&home, &["--mode", "auto-edit"]).await;
    let id = editor.open(&home).await;
    let names = offered(&editor, &id).await;
    for name in ["compact", "undo", "redo", "context", "messages", "help"] {
        assert!(names.iter().any(|known| known == name), "{name} in {names:?}");
    }
    assert!(!names.iter().any(|name| name == "quit" || name == "model"), "{names:?}");

    editor.prompt(&id, "Write.").await.unwrap();
    let answer = async |line: &str| {
        let before = editor.updates(&id).len();
        let ended = editor.prompt(&id, line).await.unwrap();
        assert_eq!(ended.stop_reason, StopReason::EndTurn);
        said(&editor.updates(&id)[before..])
    };
    let shown = answer("/context").await;
    assert!(shown.starts_with("```\n") && shown.contains("tokens"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "{shown}");
    let asked = answer("/undo").await;
    assert!(asked.contains("/undo --files") && home.work().join("b.txt").exists(), "{asked}");
    answer("/undo --files").await;
    assert!(!home.work().join("b.txt").exists());
    for (line, says) in [
        ("/undoo", "/undo"),
        ("/quit", "is a command of the terminal"),
        ("/session scratchpad edit", "editor in the terminal"),
        ("/compact", "nothing was compacted"),
    ] {
        let text = answer(line).await;
        assert!(text.contains(says), "{line}: {text}");
    }
    assert_eq!(home.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_is_shown_from_its_beginning_to_its_summary() {
    let long = "A long story of many words that say very little about anything at all. ".repeat(100);
    let mut script = Script::new();
    for turn in 0..6 {
        let usage =
            Usage { input: 6_000 + 2_400 * turn, cache_read: 0, cache_write: 0, output: 2_300, searches: 0 };
        script = script.then(Answer::text(&long).usage(usage));
    }
    let home = Home::new(script.then(Answer::text("Stories were asked for; all were written."))).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    for _ in 0..6 {
        editor.prompt(&id, "A story.").await.unwrap();
    }
    let before = editor.updates(&id).len();
    let ended = editor.prompt(&id, "/compact Name the heroes.").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    let updates = editor.updates(&id).split_off(before);
    let compactions: Vec<_> = updates
        .iter()
        .filter_map(|update| match update {
            SessionUpdate::CompactionUpdate(update) => Some(update.clone()),
            _ => None,
        })
        .collect();
    let statuses: Vec<_> = compactions.iter().map(|update| update.status.clone()).collect();
    use CompactionStatus::{Completed, InProgress};
    assert_eq!(statuses, [InProgress, Completed, Completed], "{updates:#?}");
    assert!(compactions.iter().all(|update| update.compaction_id == compactions[0].compaction_id));
    let summary = format!("{:?}", compactions[2].summary);
    assert!(summary.contains("Summary of earlier messages"), "{summary}");
    assert!(said(&updates).contains("Compacted 12"), "{}", said(&updates));
    assert!(home.requests().last().unwrap().body.to_string().contains("Name the heroes."));
    let used = |updates: &[SessionUpdate]| {
        updates.iter().rev().find_map(|update| match update {
            SessionUpdate::UsageUpdate(usage) => Some(usage.used),
            _ => None,
        })
    };
    assert!(used(&updates) < used(&editor.updates(&id)[..before]), "{updates:#?}");
    let replayed = editor.load(&home, &id).await;
    let again = replayed.iter().find_map(|update| match update {
        SessionUpdate::CompactionUpdate(update) => Some(format!("{:?}", update.summary)),
        _ => None,
    });
    assert!(again.unwrap().contains("What the user said"), "{replayed:#?}");
    let undone = editor.prompt(&id, "/undo --compaction").await.unwrap();
    assert_eq!(undone.stop_reason, StopReason::EndTurn);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_of_the_engine_is_shown_when_it_begins() {
    let long = "A long story of many words that say very little about anything at all. ".repeat(100);
    // More answers than turns: the engine asks for summaries.
    let script = (0..30).fold(Script::new(), |script, _| script.then(Answer::text(&long)));
    let home = Home::new(script).await;
    let editor = Editor::start(&home, &["--window", "20k"]).await;
    let id = editor.open(&home).await;
    for _ in 0..10 {
        editor.prompt(&id, "A story.").await.unwrap();
    }
    let updates = editor.updates(&id);
    let compactions: Vec<_> = updates
        .iter()
        .filter_map(|update| match update {
            SessionUpdate::CompactionUpdate(update) => {
                Some((update.compaction_id.clone(), update.status.clone()))
            }
            _ => None,
        })
        .collect();
    let [(begun, first), (ended, second), ..] = compactions.as_slice() else { panic!("{updates:#?}") };
    assert_eq!(
        (first, second),
        (&CompactionStatus::InProgress, &CompactionStatus::Completed),
        "{compactions:?}"
    );
    assert_eq!(begun, ended);
}
