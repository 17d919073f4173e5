//! How turns and connections end before the model ends them.

use std::time::Duration;

use agent_client_protocol::v1::schema::{LoadSessionRequest, SessionUpdate, StopReason};
use serde_json::json;
use throughline_testserver::{Answer, ErrorKind, Script};

use crate::editor::{Editor, LONGEST, prompt, said};
use crate::home::Home;

fn slow() -> Answer {
    Answer::text(&"word and word and ".repeat(200)).wait_each(Duration::from_millis(30))
}

fn is_text(update: &SessionUpdate) -> bool {
    matches!(update, SessionUpdate::AgentMessageChunk(_))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_turn_loses_nothing_and_another_follows() {
    let home = Home::new(Script::new().then(slow()).then(Answer::text("Fine."))).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let turn = editor.agent.send_request(prompt(&id, "Tell me all."));
    editor.until(|| said(&editor.updates(&id)).len() > 40).await;
    let twice = editor.prompt(&id, "At once.").await.unwrap_err();
    assert!(twice.message.contains("runs a turn"), "{twice:?}");
    let opened = editor.ask(LoadSessionRequest::new(id.clone(), home.work())).await.unwrap_err();
    assert!(opened.message.contains("runs a turn"), "{opened:?}");
    editor.cancel(&id);
    let ended = tokio::time::timeout(LONGEST, turn.block_task()).await.unwrap().unwrap();
    assert_eq!(ended.stop_reason, StopReason::Cancelled);
    let text = said(&editor.updates(&id));
    let text = text.trim_end();
    assert!(text.starts_with("word and word"), "{text:?}");
    // A cancel without a turn changes nothing.
    editor.cancel(&id);
    let ended = editor.prompt(&id, "Shorter.").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    assert_eq!(editor.leave().await.0, Some(0));
    let log = home.printed(&["export", &id]).await;
    assert!(log.contains("Tell me all.") && log.contains(&format!("\"text\":\"{text}")), "{text}: {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_prompt_is_a_cancelled_turn() {
    let home = Home::new(Script::new().then(slow())).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let turn = editor.agent.send_request(prompt(&id, "Tell me all."));
    editor.wait(&id, is_text).await;
    turn.cancel().unwrap();
    let ended = tokio::time::timeout(LONGEST, turn.block_task()).await.unwrap().unwrap();
    assert_eq!(ended.stop_reason, StopReason::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_agent_loses_nothing_that_was_recorded() {
    let read = Answer::call("call_1", "read_file", json!({ "path": "a.txt" }));
    let home = Home::new(Script::new().then(read).then(slow()).then(Answer::text("Fine."))).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let _turn = editor.agent.send_request(prompt(&id, "Tell me all."));
    editor.wait(&id, is_text).await;
    editor.kill().await;

    let editor = Editor::start(&home, &[]).await;
    let replayed = editor.load(&home, &id).await;
    assert!(matches!(&replayed[0], SessionUpdate::UserMessageChunk(_)), "{replayed:#?}");
    assert!(replayed.iter().any(|update| matches!(update, SessionUpdate::ToolCall(_))), "{replayed:#?}");
    let ended = editor.prompt(&id, "And on.").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    let received = home.requests();
    assert!(received.last().unwrap().faults.is_empty(), "{:?}", received.last().unwrap().faults);
    let sent = received.last().unwrap().body.to_string();
    assert!(sent.contains("Tell me all.") && sent.contains("alpha") && sent.contains("And on."), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_ends_the_agent_and_the_turn_is_recorded() {
    let home = Home::new(Script::new().then(slow())).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let turn = editor.agent.send_request(prompt(&id, "Tell me all."));
    editor.wait(&id, is_text).await;
    drop(turn);
    let text = said(&editor.updates(&id));
    let (code, errors) = editor.leave().await;
    assert_eq!(code, Some(0), "{errors}");
    let log = home.printed(&["export", &id]).await;
    assert!(log.contains("Tell me all.") && log.contains(text.trim()), "{text}: {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_ends_the_agent_as_the_client_does() {
    let home = Home::new(Script::new().then(slow())).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let turn = editor.agent.send_request(prompt(&id, "Tell me all."));
    editor.wait(&id, is_text).await;
    let process = editor.process().to_string();
    assert!(tokio::process::Command::new("kill").args(["-TERM", &process]).status().await.unwrap().success());
    let ended = tokio::time::timeout(LONGEST, turn.block_task()).await.unwrap().unwrap();
    assert_eq!(ended.stop_reason, StopReason::Cancelled);
    assert_eq!(editor.leave().await.0, Some(0));
    assert!(home.printed(&["export", &id]).await.contains("Tell me all."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_is_an_error_that_says_why() {
    let script = Script::new().then(Answer::error(ErrorKind::Unauthorized)).then(Answer::text("Fine."));
    let home = Home::new(script).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let failed = editor.prompt(&id, "Go.").await.unwrap_err();
    assert_eq!(failed.data.as_ref().unwrap()["outcome"], "unauthorized", "{failed:?}");
    assert!(!format!("{failed:?}").contains("sk-test-canary"), "{failed:?}");
    assert_eq!(editor.prompt(&id, "Again.").await.unwrap().stop_reason, StopReason::EndTurn);
    let replayed = editor.load(&home, &id).await;
    let users = replayed.iter().filter(|update| matches!(update, SessionUpdate::UserMessageChunk(_))).count();
    assert_eq!(users, 2, "{replayed:#?}");
}
