//! Sessions: load, list, resume, fork, close, delete, and those of other processes.

use agent_client_protocol::ErrorCode;
use agent_client_protocol::v1::schema::{
    CloseSessionRequest, ContentBlock, DeleteSessionRequest, ForkSessionRequest, ListSessionsRequest,
    LoadSessionRequest, McpServer, McpServerSse, McpServerStdio, NewSessionRequest, ResumeSessionRequest,
    SessionUpdate, StopReason, ToolCallContent, ToolCallStatus,
};
use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::editor::{Editor, said, status_of};
use crate::home::Home;

fn fine() -> Script {
    Script::new().then(Answer::text("Fine.")).repeat_last()
}

fn users(updates: &[SessionUpdate]) -> Vec<String> {
    let text = |update: &SessionUpdate| match update {
        SessionUpdate::UserMessageChunk(chunk) => match &chunk.content {
            ContentBlock::Text(text) => Some(text.text.clone()),
            _ => None,
        },
        _ => None,
    };
    updates.iter().filter_map(text).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loaded_session_shows_its_history_and_continues() {
    let list = json!({ "items": [{ "description": "Change it", "status": "completed" }] });
    let edit = json!({ "path": "a.txt", "old_string": "beta", "new_string": "gamma" });
    let script = Script::new()
        .then(Answer::call("call_1", "edit_file", edit))
        .then(Answer::call("call_2", "update_checklist", list))
        .then(Answer::text("Done."))
        .then(Answer::text("Still done."));
    let home = Home::new(script).await;
    let editor = Editor::start(&home, &["--mode", "auto-edit"]).await;
    let id = editor.open(&home).await;
    editor.prompt(&id, "Change it.").await.unwrap();
    assert_eq!(editor.leave().await.0, Some(0));

    let editor = Editor::start(&home, &[]).await;
    let replayed = editor.load(&home, &id).await;
    assert_eq!((users(&replayed), said(&replayed)), (vec!["Change it.".to_owned()], "Done.".to_owned()));
    assert_eq!(status_of(&replayed, "call_1"), Some(ToolCallStatus::Completed));
    let shows_edit = replayed.iter().any(|update| match update {
        SessionUpdate::ToolCallUpdate(update) => update.fields.content.iter().flatten().any(|content| {
            matches!(content, ToolCallContent::Diff(diff)
                if diff.old_text.as_deref() == Some("beta") && diff.new_text == "gamma")
        }),
        _ => false,
    });
    assert!(shows_edit, "{replayed:#?}");
    assert!(replayed.iter().any(|update| matches!(update, SessionUpdate::Plan(_))), "{replayed:#?}");
    let ended = editor.prompt(&id, "Really?").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    // Loaded again in the same connection: the open session is closed first.
    let replayed = editor.load(&home, &id).await;
    assert_eq!(users(&replayed), ["Change it.", "Really?"]);
    assert!(home.requests().iter().all(|one| one.faults.is_empty()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_has_the_sessions_of_a_folder_in_pages() {
    let home = Home::new(fine()).await;
    let editor = Editor::start(&home, &[]).await;
    let unused = editor.open(&home).await;
    let mut ids = Vec::new();
    for number in 0..52 {
        let id = editor.open(&home).await;
        editor.prompt(&id, &format!("Number {number}.")).await.unwrap();
        editor.ask(CloseSessionRequest::new(id.clone())).await.unwrap();
        ids.push(id);
    }
    let here = || ListSessionsRequest::new().cwd(home.work());
    let page = editor.ask(here()).await.unwrap();
    assert_eq!((page.sessions.len(), page.next_cursor.as_deref()), (50, Some("50")));
    let newest = &page.sessions[0];
    assert_eq!((&*newest.session_id.0, newest.title.as_deref()), (&*ids[51], Some("Number 51.")));
    assert_eq!(newest.cwd, home.work());
    assert!(newest.updated_at.as_ref().unwrap().ends_with('Z'), "{newest:?}");
    let rest = editor.ask(here().cursor(page.next_cursor)).await.unwrap();
    assert_eq!((rest.sessions.len(), rest.next_cursor), (2, None));
    let elsewhere = editor.ask(ListSessionsRequest::new().cwd(home.path().to_owned())).await.unwrap();
    assert!(elsewhere.sessions.is_empty());
    let wrong = editor.ask(here().cursor("later".to_owned())).await.unwrap_err();
    assert!(wrong.message.contains("cursor"), "{wrong:?}");
    assert_eq!(editor.leave().await.0, Some(0));
    assert!(
        !home.printed(&["sessions", "--json"]).await.contains(&unused),
        "a session without a message is removed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_resumed_forked_and_deleted() {
    let home = Home::new(fine()).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    editor.prompt(&id, "Remember the heron.").await.unwrap();
    editor.ask(CloseSessionRequest::new(id.clone())).await.unwrap();
    let closed = editor.prompt(&id, "Who?").await.unwrap_err();
    assert_eq!(closed.code, ErrorCode::RESOURCE_NOT_FOUND, "{closed:?}");
    assert!(closed.message.contains("not open here"), "{closed:?}");

    let before = editor.updates(&id).len();
    editor.ask(ResumeSessionRequest::new(id.clone(), home.work())).await.unwrap();
    editor.prompt(&id, "Who?").await.unwrap();
    assert!(users(&editor.updates(&id)[before..]).is_empty(), "nothing is replayed");
    let sent = home.requests().last().unwrap().body.to_string();
    assert!(sent.contains("Remember the heron."), "{sent}");

    editor.ask(CloseSessionRequest::new(id.clone())).await.unwrap();
    let copy = editor.ask(ForkSessionRequest::new(id.clone(), home.work())).await.unwrap();
    let copy = copy.session_id.to_string();
    assert_ne!(copy, id);
    editor.prompt(&copy, "And in the copy?").await.unwrap();
    let sent = home.requests().last().unwrap().body.to_string();
    assert!(sent.contains("Remember the heron.") && sent.contains("And in the copy?"), "{sent}");

    editor.ask(DeleteSessionRequest::new(copy.clone())).await.unwrap();
    let gone = editor.ask(LoadSessionRequest::new(copy.clone(), home.work())).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::RESOURCE_NOT_FOUND, "{gone:?}");
    assert!(gone.message.contains(&copy), "{gone:?}");
    let listed = editor.ask(ListSessionsRequest::new()).await.unwrap();
    assert_eq!(listed.sessions.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_another_process_is_refused_with_its_holder() {
    let home = Home::new(fine()).await;
    let holder = Editor::start(&home, &[]).await;
    let id = holder.open(&home).await;
    holder.prompt(&id, "Mine.").await.unwrap();
    let process = holder.process().to_string();
    let editor = Editor::start(&home, &[]).await;
    for refused in [
        editor.ask(LoadSessionRequest::new(id.clone(), home.work())).await.unwrap_err(),
        editor.ask(ResumeSessionRequest::new(id.clone(), home.work())).await.unwrap_err(),
        editor.ask(DeleteSessionRequest::new(id.clone())).await.unwrap_err(),
    ] {
        assert_eq!(refused.code, ErrorCode::INVALID_REQUEST, "{refused:?}");
        assert!(refused.message.contains(&process), "{process}: {refused:?}");
    }
    let ran =
        home.run(&["--resume", &id, "Me, too."]).stdin(std::process::Stdio::null()).output().await.unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ran.stderr).contains(&process), "{ran:?}");
    assert_eq!(holder.leave().await.0, Some(0));
    assert_eq!(users(&editor.load(&home, &id).await), ["Mine."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_servers_of_the_client_bring_tools() {
    let save = json!({ "content": "Herons fish at dawn.", "tags": ["birds"] });
    let script = Script::new().then(Answer::call("call_1", "mcp__notes__save_memo", save));
    let home = Home::new(script.then(Answer::text("Saved."))).await;
    let editor = Editor::start(&home, &[]).await;
    let data = home.path().join("other").display().to_string();
    let server = McpServerStdio::new("notes", env!("CARGO_BIN_EXE_throughline"));
    let server = McpServer::Stdio(server.args(vec!["--data-dir".to_owned(), data, "mcp".to_owned()]));
    let opened = editor.ask(NewSessionRequest::new(home.work()).mcp_servers(vec![server])).await.unwrap();
    let id = opened.session_id.to_string();
    editor.answer(&["once"]);
    let ended = editor.prompt(&id, "Save it.").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    assert_eq!(editor.asked().len(), 1, "what a server does is asked about");
    let updates = editor.updates(&id);
    assert_eq!(status_of(&updates, "call_1"), Some(ToolCallStatus::Completed), "{updates:#?}");
    let memos = home.printed(&["--data-dir", "other", "memos", "list", "--all"]).await;
    assert!(memos.contains("Herons fish at dawn."), "{memos}");
    assert_eq!(editor.leave().await.0, Some(0));

    let editor = Editor::start(&home, &[]).await;
    let server = McpServer::Sse(McpServerSse::new("old", "http://127.0.0.1:9/sse"));
    let refused =
        editor.ask(NewSessionRequest::new(home.work()).mcp_servers(vec![server])).await.unwrap_err();
    assert!(refused.message.contains("\"old\" has the transport `sse`"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_ids_and_folders_are_clear_errors() {
    let home = Home::new(fine()).await;
    let editor = Editor::start(&home, &[]).await;
    let long = "x".repeat(10_000);
    for id in ["", "../../etc/passwd", "a\0b", &long, "ä", "a/b"] {
        let (id, place) = (id.to_owned(), home.work());
        for refused in [
            editor.ask(LoadSessionRequest::new(id.clone(), place.clone())).await.unwrap_err(),
            editor.ask(ResumeSessionRequest::new(id.clone(), place.clone())).await.unwrap_err(),
            editor.ask(ForkSessionRequest::new(id.clone(), place)).await.unwrap_err(),
            editor.ask(CloseSessionRequest::new(id.clone())).await.unwrap_err(),
            editor.ask(DeleteSessionRequest::new(id.clone())).await.unwrap_err(),
            editor.prompt(&id, "Go.").await.unwrap_err(),
        ] {
            assert_eq!(refused.code, ErrorCode::INVALID_PARAMS, "{id:?}: {refused:?}");
            assert!(
                refused.message.contains("1 to 64 ASCII letters") && refused.message.len() < 300,
                "{refused:?}"
            );
        }
    }
    let unknown = editor.ask(LoadSessionRequest::new("acp-none".to_owned(), home.work())).await.unwrap_err();
    assert_eq!(unknown.code, ErrorCode::RESOURCE_NOT_FOUND, "{unknown:?}");
    for (cwd, says) in [("work", "absolute"), ("/nowhere/at/all", "/nowhere/at/all")] {
        let refused = editor.ask(NewSessionRequest::new(cwd)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::INVALID_PARAMS, "{refused:?}");
        assert!(refused.message.contains(says), "{refused:?}");
    }
    let more = NewSessionRequest::new(home.work()).additional_directories(vec![home.path().to_owned()]);
    let refused = editor.ask(more).await.unwrap_err();
    assert!(refused.message.contains("additionalDirectories"), "{refused:?}");
    assert!(home.printed(&["sessions", "--json"]).await.trim() == "[]", "nothing is left");
}
