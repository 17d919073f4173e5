//! Tools of well-behaved servers: listed, called, changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use throughline_mcp::{McpServers, ServerStatus};
use throughline_tools::{ToolRegistry, contract};

use crate::fake::{Fake, Say, call, find, names, options, servers, text, tool};

// S3-31
#[tokio::test]
async fn the_tools_of_all_servers_have_a_stable_order() {
    let (a, b) = (Fake::new("a", &["y", "x"]), Fake::new("b", &["x"]));
    let one = servers([b.config(), a.config()]);
    assert_eq!(names(&one), [""; 0], "nothing is known before the start");
    one.start().await;
    let two = servers([a.config(), b.config()]);
    two.start().await;
    assert_eq!(names(&one), ["mcp__a__x", "mcp__a__y", "mcp__b__x"]);
    assert_eq!(names(&one), names(&two));
    assert_eq!(one.notes(), [""; 0]);
    let output = call(&one, "mcp__b__x", json!({"k": [1, "ä"]})).await;
    assert_eq!((output.to_text().as_str(), output.is_error), (r#"{"k":[1,"ä"]}"#, false));
    let sent = b.wait_for(|message| message["method"] == "tools/call").await;
    assert_eq!(
        (&sent["params"]["name"], &sent["params"]["arguments"]),
        (&json!("x"), &json!({"k": [1, "ä"]}))
    );
    one.close().await;
    two.close().await;
}

#[tokio::test]
async fn every_tool_fulfils_the_contract() {
    let fake = Fake::new("s", &["x"]);
    let servers = servers([fake.config()]);
    servers.start().await;
    let tool = find(&servers, "mcp__s__x");
    contract::contract_definition(tool.as_ref()).await;
    contract::contract_wrong_arguments(tool.as_ref(), &throughline_tools::ToolContext::new("/tmp")).await;
    contract::contract_registers(tool).await;
}

#[tokio::test]
async fn a_second_server_of_the_same_name_is_ignored_with_a_note() {
    let (one, other) = (Fake::new("s", &["x"]), Fake::new("s", &["y"]));
    let servers = servers([one.config(), other.config()]);
    servers.start().await;
    assert_eq!(names(&servers), ["mcp__s__x"]);
    assert_eq!(servers.notes(), ["MCP server \"s\" is configured twice; the second entry is ignored"]);
}

#[tokio::test]
async fn a_changed_list_is_applied_at_a_refresh_and_not_before() {
    let lists = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&lists);
    let fake = Fake::new("s", &[])
        .on("tools/list", move |_| {
            let names: &[&str] =
                if count.fetch_add(1, Ordering::SeqCst) == 0 { &["old"] } else { &["new", "old"] };
            vec![Say::Result(json!({"tools": names.iter().map(|name| tool(name)).collect::<Vec<_>>()}))]
        })
        .on("tools/call", |_| {
            let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            vec![Say::Raw(changed.to_string().into()), Say::Result(text("done"))]
        });
    let servers = servers([fake.config()]);
    servers.start().await;
    assert!(!servers.refresh().await, "nothing has changed");
    assert_eq!(lists.load(Ordering::SeqCst), 1, "and nothing was asked");
    let before = servers.tools();
    assert_eq!(call(&servers, "mcp__s__old", json!({})).await.to_text(), "done");
    // The notification was read before the answer, but a task of its own takes it.
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(names(&servers), ["mcp__s__old"]);
    assert!(Arc::ptr_eq(&before[0], &servers.tools()[0]), "the very same tools");
    assert!(servers.refresh().await);
    assert_eq!(names(&servers), ["mcp__s__new", "mcp__s__old"]);
    assert!(!servers.refresh().await);
    assert_eq!(lists.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_list_that_changed_before_the_end_is_the_one_of_the_next_session() {
    let folder = tempfile::tempdir().unwrap();
    let lists = Arc::new(AtomicUsize::new(0));
    let fake = Fake::new("s", &[])
        .on("tools/list", move |_| {
            let names: &[&str] =
                if lists.fetch_add(1, Ordering::SeqCst) == 0 { &["old"] } else { &["new", "old"] };
            vec![Say::Result(json!({"tools": names.iter().map(|name| tool(name)).collect::<Vec<_>>()}))]
        })
        .on("tools/call", |_| {
            let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            vec![Say::Raw(changed.to_string().into()), Say::Result(text("done"))]
        });
    let first = McpServers::new([fake.config()], options(Some(folder.path())));
    first.start().await;
    assert_eq!(call(&first, "mcp__s__old", json!({})).await.to_text(), "done");
    tokio::time::sleep(Duration::from_millis(20)).await;
    first.close().await;
    let again = McpServers::new([fake.config()], options(Some(folder.path())));
    assert_eq!(names(&again), ["mcp__s__new", "mcp__s__old"]);
}

#[tokio::test]
async fn cached_tools_need_no_start() {
    let folder = tempfile::tempdir().unwrap();
    let fake = Fake::new("s", &["x", "y"]);
    let first = McpServers::new([fake.config()], options(Some(folder.path())));
    first.start().await;
    first.close().await;
    assert_eq!(fake.connections(), 1);
    let again = McpServers::new([fake.config()], options(Some(folder.path())));
    again.start().await;
    assert_eq!((names(&again).len(), fake.connections()), (2, 1), "the server was not asked");
    assert_eq!(again.reports()[0].status, ServerStatus::Idle);
    assert_eq!(call(&again, "mcp__s__x", json!({})).await.to_text(), "{}");
    assert_eq!((fake.connections(), again.reports()[0].status), (2, ServerStatus::Running));
}

#[tokio::test]
async fn a_tool_that_was_removed_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let before = McpServers::new([Fake::new("s", &["x", "y"]).config()], options(Some(folder.path())));
    before.start().await;
    let fake = Fake::new("s", &["x"]);
    let servers = McpServers::new([fake.config()], options(Some(folder.path())));
    let output = call(&servers, "mcp__s__y", json!({})).await;
    assert!(
        output.is_error && output.to_text().contains("has no tool \"y\" any more"),
        "{}",
        output.to_text()
    );
    assert!(!fake.received().iter().any(|message| message["method"] == "tools/call"));
    assert_eq!(names(&servers).len(), 2, "the list stays until a refresh");
    assert!(servers.refresh().await);
    assert_eq!(names(&servers), ["mcp__s__x"]);
}

#[tokio::test]
async fn servers_get_the_workspace_and_no_sampling_or_elicitation() {
    let fake = Fake::new("s", &["x"]).on("tools/call", |_| {
        let ask = |id: &str, method: &str, params: serde_json::Value| {
            Say::Raw(
                json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string().into(),
            )
        };
        let sampling = json!({"messages": [], "maxTokens": 10});
        let question = json!({"message": "?", "requestedSchema": {"type": "object", "properties": {}}});
        vec![
            ask("r", "roots/list", json!({})),
            ask("m", "sampling/createMessage", sampling),
            ask("e", "elicitation/create", question),
            ask("p", "ping", json!({})),
            ask("u", "no/such", json!({})),
            Say::Result(text("done")),
        ]
    });
    let servers = servers([fake.config()]);
    servers.start().await;
    assert_eq!(call(&servers, "mcp__s__x", json!({})).await.to_text(), "done");
    let mut answers = std::collections::BTreeMap::new();
    for id in ["r", "m", "e", "p", "u"] {
        let answer = fake.wait_for(|message| message["id"] == id && message.get("method").is_none()).await;
        answers.insert(id, answer);
    }
    assert_eq!(answers["r"]["result"]["roots"], json!([{"uri": "file:///tmp", "name": "workspace"}]));
    assert_eq!(answers["m"]["error"]["code"], -32601);
    assert!(answers["m"]["error"]["message"].as_str().unwrap().contains("sampling is not offered"));
    assert!(answers["e"]["error"]["message"].as_str().unwrap().contains("elicitation is not offered"));
    assert_eq!(answers["p"]["result"], json!({}));
    assert_eq!(answers["u"]["error"]["code"], -32601);
    let hello = fake.received().into_iter().find(|message| message["method"] == "initialize").unwrap();
    assert_eq!(
        hello["params"]["capabilities"],
        json!({"roots": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}),
        "nothing else is promised"
    );
}

#[tokio::test]
async fn progress_and_log_messages_do_no_harm() {
    let fake = Fake::new("s", &["x"]).on("tools/call", |message| {
        let token = &message["params"]["_meta"]["progressToken"];
        let notify = |method: &str, params: serde_json::Value| {
            Say::Raw(json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string().into())
        };
        vec![
            notify("notifications/progress", json!({"progressToken": token, "progress": 1, "total": 2})),
            notify("notifications/progress", json!({"progressToken": "unknown", "progress": 1e300})),
            notify("notifications/message", json!({"level": "error", "data": {"a": "b"}})),
            notify("notifications/no-such", json!({})),
            notify("notifications/cancelled", json!({"requestId": 99})),
            Say::Result(text("done")),
        ]
    });
    let servers = servers([fake.config()]);
    servers.start().await;
    assert_eq!(call(&servers, "mcp__s__x", json!({})).await.to_text(), "done");
    let registry = servers
        .tools()
        .into_iter()
        .try_fold(ToolRegistry::new(), |mut registry, tool| registry.register(tool).map(|()| registry));
    assert!(registry.is_ok());
}
