//! Servers that exit and are restarted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use throughline_conversation::ToolCall;
use throughline_mcp::{McpServers, ServerConfig, ServerStatus};
use throughline_tools::contract::outputs_of;
use throughline_tools::{CANCELLED, ToolContext, ToolRegistry};

use crate::fake::{Fake, Say, call, hello, names, options, servers, text, tool};

#[tokio::test]
async fn a_server_that_exited_during_a_call_is_restarted_for_the_next() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let fake = Fake::new("s", &["x"]).on("tools/call", move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => vec![Say::End],
        _ => vec![Say::Result(text("alive"))],
    });
    let servers = servers([fake.config()]);
    servers.start().await;
    let output = call(&servers, "mcp__s__x", json!({})).await;
    let text = output.to_text();
    assert!(
        output.is_error && text.contains("broke during the call") && text.contains("look before"),
        "{text}"
    );
    assert_eq!(calls.load(Ordering::SeqCst), 1, "a call is never made twice");
    assert_eq!(call(&servers, "mcp__s__x", json!({})).await.to_text(), "alive");
    assert_eq!((fake.connections(), servers.notes().len()), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_keeps_dying_is_restarted_with_longer_waits() {
    let fake = Fake::new("s", &["x"]).on("tools/call", |_| vec![Say::End]);
    let servers = servers([fake.config()]);
    servers.start().await;
    let mut waits = Vec::new();
    for _ in 0..5 {
        let mut waited = 0;
        loop {
            let text = call(&servers, "mcp__s__x", json!({})).await.to_text();
            if text.contains("broke during the call") {
                break;
            }
            assert!(text.contains("is not available") && text.contains("started again in"), "{text}");
            tokio::time::sleep(Duration::from_millis(500)).await;
            waited += 1;
        }
        waits.push(waited);
    }
    assert_eq!(waits, [0, 0, 2, 4, 8], "half seconds");
}

#[tokio::test]
async fn the_tools_of_a_slow_server_appear_at_a_refresh() {
    let gate = Arc::new(AtomicUsize::new(0));
    let open = Arc::clone(&gate);
    let fake = Fake::new("s", &["x"]).on("initialize", move |_| {
        // The first one is not answered; the test lets the second through.
        if open.load(Ordering::SeqCst) == 0 { vec![] } else { vec![Say::Result(hello())] }
    });
    let mut config = fake.config();
    config.start_timeout = Duration::from_millis(500);
    let mut short = options(None);
    short.wait = Duration::from_millis(1);
    let servers = McpServers::new([config], short);
    servers.start().await;
    assert_eq!(names(&servers), [""; 0]);
    assert_eq!(servers.notes(), ["MCP server \"s\": it is still starting; its tools come later"]);
    fake.wait_for(|message| message["method"] == "initialize").await;
    gate.store(1, Ordering::SeqCst);
    let mut changed = false;
    for _ in 0..2_000 {
        changed |= servers.refresh().await;
        if changed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(changed);
    assert_eq!((names(&servers), servers.notes().len()), (vec!["mcp__s__x".to_owned()], 0));
}

#[tokio::test(start_paused = true)]
async fn a_session_waits_less_for_a_server_whose_last_start_took_too_long() {
    let cache = tempfile::tempdir().unwrap();
    let gate = Arc::new(AtomicUsize::new(0));
    let open = Arc::clone(&gate);
    let fake = Fake::new("s", &["x"]).on("initialize", move |_| {
        if open.load(Ordering::SeqCst) == 0 { vec![] } else { vec![Say::Result(hello())] }
    });
    let start = async || {
        let mut options = options(Some(cache.path()));
        options.wait = Duration::from_secs(60);
        let servers = McpServers::new([fake.config()], options);
        let begun = tokio::time::Instant::now();
        servers.start().await;
        (begun.elapsed().as_secs(), servers.notes().concat())
    };
    let said = |seconds: u64, text: &str| (seconds, format!("MCP server \"s\": {text}"));
    assert_eq!(start().await, said(60, "it was not ready within 60 s"));
    assert_eq!(start().await, said(5, "it is still starting; its tools come later"));
    gate.store(1, Ordering::SeqCst);
    assert_eq!(start().await, (0, String::new()));
    assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 1, "only the list of its tools");
}

#[tokio::test]
async fn arguments_are_fitted_to_the_schema_of_the_server() {
    let text = json!({"type": "string"});
    let properties = json!({
        "list": {"type": "array", "items": text}, "filter": {"type": "object"}, "n": {"type": "integer"},
        "b": {"type": "boolean"}, "maybe": {"anyOf": [{"type": "array", "items": text}, {"type": "null"}]},
        "s": text, "limit": {"type": "integer"},
    });
    let listed =
        json!({"tools": [{"name": "x", "inputSchema": {"type": "object", "properties": properties}}]});
    let fake = Fake::new("s", &[]).on("tools/list", move |_| vec![Say::Result(listed.clone())]);
    let servers = servers([fake.config()]);
    servers.start().await;
    let given = json!({
        "list": r#"["a","b"]"#, "filter": r#"{"k":1}"#, "n": 2.0, "b": "true", "maybe": r#"["x"]"#, "s": r#"["stays"]"#, "limit": "",
    });
    let received: Value = serde_json::from_str(&call(&servers, "mcp__s__x", given).await.to_text()).unwrap();
    let fitted = json!({
        "list": ["a", "b"], "filter": {"k": 1}, "n": 2, "b": true, "maybe": ["x"], "s": r#"["stays"]"#,
    });
    assert_eq!(received, fitted);
}

#[tokio::test]
async fn a_cancelled_call_is_cancelled_on_the_server() {
    let fake = Fake::new("s", &["slow"]).on("tools/call", |_| vec![]);
    let servers = servers([fake.config()]);
    servers.start().await;
    let mut registry = ToolRegistry::new();
    registry.register(servers.tools().remove(0)).unwrap();
    let context = ToolContext::new("/tmp");
    let calls = [ToolCall { id: "c1".to_owned(), name: "mcp__s__slow".to_owned(), input: json!({}) }];
    let stop = async {
        fake.wait_for(|message| message["method"] == "tools/call").await;
        context.cancel.cancel();
    };
    let (outputs, ()) = tokio::join!(outputs_of(&registry, &calls, &context, 4), stop);
    assert_eq!(outputs[0].to_text(), CANCELLED);
    let asked = fake.wait_for(|message| message["method"] == "tools/call").await;
    let cancelled = fake.wait_for(|message| message["method"] == "notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], asked["id"]);
}

#[tokio::test]
async fn concurrent_calls_share_one_connection() {
    let fake = Fake::new("s", &["x"]);
    let folder = tempfile::tempdir().unwrap();
    let before = McpServers::new([fake.config()], options(Some(folder.path())));
    before.start().await;
    let servers = McpServers::new([fake.config()], options(Some(folder.path())));
    let asked = |number: u32| {
        let servers = &servers;
        async move { call(servers, "mcp__s__x", json!({"n": number})).await.to_text() }
    };
    let (a, b, c) = tokio::join!(asked(0), asked(1), asked(2));
    assert_eq!([a, b, c], [r#"{"n":0}"#, r#"{"n":1}"#, r#"{"n":2}"#]);
    assert_eq!(fake.connections(), 2, "one before, one now");
}

#[tokio::test]
async fn after_the_shutdown_calls_are_errors() {
    let fake = Fake::new("s", &["x"]);
    let servers = servers([fake.config()]);
    servers.start().await;
    servers.close().await;
    let output = call(&servers, "mcp__s__x", json!({})).await;
    assert!(
        output.is_error && output.to_text().contains("shut down with the session"),
        "{}",
        output.to_text()
    );
    assert_eq!((fake.connections(), servers.reports()[0].status), (1, ServerStatus::Ended));
}

#[tokio::test]
async fn a_server_without_a_handshake_is_discovered() {
    let fake = Fake::new("s", &["x"]).on("initialize", |_| vec![Say::Error(-32601, "no such method")]).on(
        "server/discover",
        |_| {
            vec![Say::Result(json!({
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
                "ttlMs": 0,
                "cacheScope": "private"
            }))]
        },
    );
    let servers = servers([fake.config()]);
    servers.start().await;
    assert_eq!(servers.notes(), [""; 0]);
    assert_eq!(call(&servers, "mcp__s__x", json!({"a": 1})).await.to_text(), r#"{"a":1}"#);
}

#[tokio::test(start_paused = true)]
async fn a_list_is_read_again_when_it_holds_no_longer() {
    for (ttl, after, lists) in [
        (json!(90_000), 89, 1),
        (json!(90_000), 91, 2),
        (json!(0), 59, 1),
        (json!(0), 61, 2),
        (json!(-5), 61, 2),
        (Value::Null, 9_999, 1),
    ] {
        let list = json!({"tools": [tool("x")], "ttlMs": ttl});
        let fake = Fake::new("s", &["x"]).on("tools/list", move |_| vec![Say::Result(list.clone())]);
        let servers = servers([fake.config()]);
        servers.start().await;
        tokio::time::advance(Duration::from_secs(after)).await;
        servers.refresh().await;
        let asked = fake.received().iter().filter(|message| message["method"] == "tools/list").count();
        assert_eq!(asked, lists, "{ttl} after {after} s");
        servers.close().await;
    }
}

#[tokio::test]
async fn a_server_that_is_added_leaves_those_that_run() {
    let fakes = ["a", "b", "c"].map(|name| Fake::new(name, &["x"]));
    let [a, b, c] = fakes.each_ref().map(Fake::config);
    let old = servers([a.clone(), b.clone()]);
    old.start().await;
    let replaced = async |from: &McpServers, configs: &[ServerConfig], restarted: &str| {
        let new = from.replace(configs.to_vec(), options(None), |name| name != restarted).await;
        new.start().await;
        new
    };
    let connections = || fakes.each_ref().map(Fake::connections);

    let added = replaced(&old, &[a.clone(), b.clone(), c.clone()], "").await;
    drop(old);
    assert_eq!(connections(), [1, 1, 1]);
    assert_eq!(names(&added), ["mcp__a__x", "mcp__b__x", "mcp__c__x"]);
    assert_eq!(call(&added, "mcp__a__x", json!({"n": 1})).await.to_text(), r#"{"n":1}"#);

    let same = replaced(&added, &[a.clone(), b.clone(), c.clone()], "").await;
    assert!(same.has_tools_of(&added) && !same.has_tools_of(&servers([])));

    let reconnected = replaced(&same, &[a.clone(), b.clone(), c.clone()], "b").await;
    assert!(!reconnected.has_tools_of(&same), "the tools are those of another connection");
    assert_eq!(connections(), [1, 2, 1]);

    let changed = ServerConfig { timeout: Duration::from_secs(1), ..a };
    let fewer = replaced(&reconnected, &[changed, c], "").await;
    assert_eq!(connections(), [2, 2, 1], "one with other settings is restarted");
    assert_eq!(names(&fewer), ["mcp__a__x", "mcp__c__x"]);
    let ended = call(&reconnected, "mcp__b__x", json!({})).await.to_text();
    assert!(ended.contains("it was shut down with the session"), "{ended}");
    assert_eq!(call(&fewer, "mcp__c__x", json!({})).await.to_text(), "{}");
    assert_eq!(connections(), [2, 2, 1]);
}
