//! MCP servers of the client whose tools change.

use agent_client_protocol::v1::schema::{McpServer, McpServerStdio, NewSessionRequest};
use serde_json::json;
use throughline_testserver::{Answer, Received, Script};

use crate::editor::Editor;
use crate::home::Home;

const CHANGING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/changing_server.sh");

/// The tools of servers in a request.
fn offered(request: &Received) -> Vec<&str> {
    let tools = request.body["tools"].as_array().unwrap();
    tools.iter().filter_map(|tool| tool["name"].as_str()).filter(|name| name.starts_with("mcp__")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_list_of_tools_holds_from_the_next_turn_on() {
    let script = Script::new()
        .then(Answer::call("call_1", "mcp__shop__add", json!({})))
        .then(Answer::text("Added."))
        .then(Answer::call("call_2", "mcp__shop__more", json!({})))
        .then(Answer::text("Done."));
    let home = Home::new(script).await;
    let editor = Editor::start(&home, &[]).await;
    let server = McpServerStdio::new("shop", "sh").args(vec![CHANGING.to_owned()]);
    let request = NewSessionRequest::new(home.work()).mcp_servers(vec![McpServer::Stdio(server)]);
    let id = editor.ask(request).await.unwrap().session_id.to_string();
    editor.answer(&["once", "once"]);
    editor.prompt(&id, "Add one.").await.unwrap();
    editor.prompt(&id, "Call it.").await.unwrap();
    let requests = home.requests();
    // The new tool is deferred, so that the prompt cache holds, and can be called.
    assert!(requests.iter().all(|request| offered(request) == ["mcp__shop__add"]), "{requests:?}");
    let messages = |request: usize| requests[request].body["messages"].to_string();
    assert!(
        !messages(1).contains("tools deferred") && messages(2).contains("[1 tools deferred"),
        "{requests:?}"
    );
    assert!(messages(3).contains(r#""tool_use_id":"call_2","content":"Added.""#), "{}", messages(3));
    editor.leave().await;
}
