//! Servers that break the protocol: their tools answer in time and with a text, and the other servers continue.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::fake::{Fake, Say, call, hello, names, servers, text, tool};

/// The tools and notes of a session with this server and one that behaves.
async fn next_to_a_good_one(bad: &Fake, limit: Duration) -> (Vec<String>, Vec<String>) {
    let good = Fake::new("good", &["x"]);
    let mut config = bad.config();
    config.start_timeout = limit;
    let servers = servers([config, good.config()]);
    servers.start().await;
    assert_eq!(call(&servers, "mcp__good__x", json!({})).await.to_text(), "{}");
    let bad_ones = names(&servers).into_iter().filter(|name| !name.starts_with("mcp__good__")).collect();
    let notes = servers.notes();
    servers.close().await;
    (bad_ones, notes)
}

async fn check_unavailable(bad: Fake, why: &str) {
    let (names, notes) = next_to_a_good_one(&bad, Duration::from_millis(400)).await;
    assert_eq!(names, [""; 0]);
    assert!(
        notes.len() == 1 && notes[0].starts_with("MCP server \"bad\": ") && notes[0].contains(why),
        "{notes:?}"
    );
}

#[tokio::test]
async fn one_that_never_answers() {
    check_unavailable(Fake::new("bad", &[]).on("initialize", |_| vec![]), "not ready within 0.4 s").await;
    check_unavailable(Fake::new("bad", &[]).on("tools/list", |_| vec![]), "not ready within 0.4 s").await;
}

#[tokio::test]
async fn one_that_hangs_up() {
    check_unavailable(
        Fake::new("bad", &[]).on("initialize", |_| vec![Say::End]),
        "closed the connection before the MCP handshake",
    )
    .await;
    check_unavailable(Fake::new("bad", &[]).on("tools/list", |_| vec![Say::End]), "could not be listed")
        .await;
}

#[tokio::test]
async fn one_that_talks_nonsense() {
    let noise =
        || vec![Say::Raw(b"\xff\xfe not json {{{".to_vec()), Say::Raw(b"[1,2".to_vec()), Say::Raw(vec![])];
    check_unavailable(Fake::new("bad", &[]).on("initialize", move |_| noise()), "not ready").await;
    // Noise before the answer is what many servers write to the wrong output; they work all the same.
    let chatty = Fake::new("bad", &["x"]).on("initialize", move |_| {
        noise().into_iter().chain([Say::Raw(b"Listening on stdio".to_vec()), Say::Result(hello())]).collect()
    });
    let (names, notes) = next_to_a_good_one(&chatty, Duration::from_secs(20)).await;
    assert_eq!((names.len(), notes.len()), (1, 0), "{notes:?}");
}

#[tokio::test]
async fn one_that_answers_other_requests() {
    let other = |id: Value, result: Value| {
        vec![Say::Raw(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string().into())]
    };
    check_unavailable(Fake::new("bad", &[]).on("initialize", move |_| other(json!(4711), hello())), "").await;
    check_unavailable(
        Fake::new("bad", &[]).on("tools/list", move |_| other(json!("x"), json!({"tools": []}))),
        "not ready",
    )
    .await;
    check_unavailable(
        Fake::new("bad", &[]).on("initialize", |_| vec![Say::Result(json!({"tools": []}))]),
        "its answer to the MCP handshake is invalid: missing field `protocolVersion`",
    )
    .await;
}

#[tokio::test]
async fn one_that_does_not_say_who_it_is() {
    let tools = json!({"tools": {}, "logging": true, "prompts": null});
    for (info, capabilities) in [
        (Value::Null, json!({"tools": true, "logging": false})),
        (json!({"name": "bad"}), tools.clone()),
        (json!({"name": "bad", "version": 2}), tools),
    ] {
        let mut hello =
            json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info});
        if info.is_null() {
            hello.as_object_mut().unwrap().remove("serverInfo");
        }
        let bad = Fake::new("bad", &["x"]).on("initialize", move |_| vec![Say::Result(hello.clone())]);
        let (names, notes) = next_to_a_good_one(&bad, Duration::from_secs(20)).await;
        assert_eq!((names.len(), notes.len()), (1, 0), "{info}: {notes:?}");
    }
}

#[tokio::test]
async fn one_whose_last_page_has_an_empty_cursor() {
    let list = || json!({"tools": [tool("x")], "nextCursor": ""});
    let bad = Fake::new("bad", &[]).on("tools/list", move |_| vec![Say::Result(list())]);
    let (names, notes) = next_to_a_good_one(&bad, Duration::from_secs(20)).await;
    assert_eq!((names.len(), notes.len()), (1, 0), "{notes:?}");
}

#[tokio::test]
async fn one_that_refuses_the_handshake() {
    let bad = Fake::new("bad", &[]).on("initialize", |_| vec![Say::Error(-32000, "pay first")]);
    check_unavailable(bad, "pay first").await;
}

#[tokio::test]
async fn one_whose_messages_do_not_end() {
    // One line of twenty mebibytes: it is read and dropped, and no call waits beyond the limit.
    let huge = || Say::Raw(vec![b'x'; 20 * 1024 * 1024]);
    let fake = Fake::new("s", &["x"]).on("tools/call", move |_| vec![huge(), Say::Result(text("after it"))]);
    let servers = servers([fake.config()]);
    servers.start().await;
    assert_eq!(call(&servers, "mcp__s__x", json!({})).await.to_text(), "after it");
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_fails_the_call_at_once() {
    let long = |message: &Value| {
        let filler = "x".repeat(17 * 1024 * 1024);
        Say::Raw(json!({"jsonrpc": "2.0", "id": message["id"], "result": text(&filler)}).to_string().into())
    };
    let deep = |message: &Value| {
        let nested = format!("{}{}", "[".repeat(240), "]".repeat(240));
        Say::Raw(format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{nested}}}", message["id"]).into())
    };
    // It has no end, so nothing can follow.
    let endless = |message: &Value| {
        let start = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":\"", message["id"]);
        Say::Raw(format!("{start}{}", "x".repeat(17 * 1024 * 1024)).into())
    };
    let fake = Fake::new("s", &["long", "deep", "endless", "fine"]).on("tools/call", move |message| {
        vec![match message["params"]["name"].as_str() {
            Some("long") => long(message),
            Some("deep") => deep(message),
            Some("endless") => endless(message),
            _ => Say::Result(text("fine")),
        }]
    });
    let servers = servers([fake.config()]);
    servers.start().await;
    for (name, why) in
        [("long", "longer than 16 MiB"), ("deep", "cannot be read"), ("endless", "longer than 16 MiB")]
    {
        let begun = std::time::Instant::now();
        let answer = call(&servers, &format!("mcp__s__{name}"), json!({})).await.to_text();
        assert!(answer.contains(why) && begun.elapsed() < Duration::from_secs(10), "{name}: {answer}");
        assert_eq!(call(&servers, "mcp__s__fine", json!({})).await.to_text(), "fine", "after {name}");
    }
}

#[tokio::test]
async fn tools_beyond_the_limit_are_counted_and_named() {
    let list: Vec<Value> = (0..1_002).map(|number| tool(&format!("t{number}"))).collect();
    let fake = Fake::new("s", &[]).on("tools/list", move |_| vec![Say::Result(json!({"tools": list}))]);
    let servers = servers([fake.config()]);
    servers.start().await;
    assert_eq!(names(&servers).len(), 1_000);
    let notes = servers.notes();
    assert!(
        notes[0].contains("2 of its tools are not offered") && notes[0].contains("\"t1000\", \"t1001\""),
        "{notes:?}"
    );
}

#[tokio::test]
async fn names_and_descriptions_that_no_provider_takes() {
    let list = json!({"tools": [
        tool("fine"),
        tool("with space\u{1b}[31m\nand lines"),
        tool(&"x".repeat(300)),
        {"name": "big", "description": "z".repeat(10 * 1024 * 1024), "inputSchema": {"type": "object"}},
        {"name": "odd", "description": 7, "inputSchema": {"type": "string", "oneOf": []}},
        {"name": "none"},
        {"name": 7},
        "tool",
        {"name": "bad", "inputSchema": 7}
    ]});
    let fake = Fake::new("s", &[]).on("tools/list", move |_| vec![Say::Result(list.clone())]);
    let servers = servers([fake.config()]);
    servers.start().await;
    let mut registry = throughline_tools::ToolRegistry::new();
    for tool in servers.tools() {
        throughline_tools::contract::contract_definition(tool.as_ref()).await;
        assert!(tool.definition().description.len() < 9_000);
        registry.register(tool).unwrap();
    }
    assert_eq!(registry.names().count(), 6, "{:?}", names(&servers));
    let notes = servers.notes();
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(!notes.concat().contains(char::is_control));
    // The server is asked by its own name for a tool, whatever the model calls it.
    let odd = names(&servers).into_iter().find(|name| name.contains("with_space")).unwrap();
    call(&servers, &odd, json!({})).await;
    let sent = fake.wait_for(|message| message["method"] == "tools/call").await;
    assert_eq!(sent["params"]["name"], "with space\u{1b}[31m\nand lines");
}

#[tokio::test]
async fn a_list_whose_pages_never_end() {
    let pages = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&pages);
    let fake = Fake::new("s", &[]).on("tools/list", move |_| {
        let page = count.fetch_add(1, Ordering::SeqCst);
        vec![Say::Result(json!({"tools": [tool(&format!("t{page}"))], "nextCursor": format!("c{page}")}))]
    });
    let servers = servers([fake.config()]);
    servers.start().await;
    assert_eq!((names(&servers).len(), pages.load(Ordering::SeqCst)), (100, 100));
    assert!(servers.notes()[0].contains("truncated after 100 pages"), "{:?}", servers.notes());
}

#[tokio::test]
async fn a_call_that_is_never_answered_times_out_and_is_cancelled() {
    let fake = Fake::new("s", &["slow", "quick"]).on("tools/call", |message| {
        let quick = message["params"]["name"] == "quick";
        if quick { vec![Say::Result(text("quick"))] } else { vec![] }
    });
    let mut config = fake.config();
    config.timeout = Duration::from_millis(500);
    let servers = servers([config]);
    servers.start().await;
    let output = call(&servers, "mcp__s__slow", json!({})).await;
    assert!(
        output.is_error && output.to_text().contains("did not answer within 0.5 s"),
        "{}",
        output.to_text()
    );
    let asked = fake.wait_for(|message| message["params"]["name"] == "slow").await;
    let cancelled = fake.wait_for(|message| message["method"] == "notifications/cancelled").await;
    assert_eq!(cancelled["params"]["requestId"], asked["id"]);
    assert_eq!(
        call(&servers, "mcp__s__quick", json!({})).await.to_text(),
        "quick",
        "the connection is intact"
    );
    assert_eq!(fake.connections(), 1);
}

#[tokio::test]
async fn results_that_are_invalid() {
    let answers = Arc::new(AtomicUsize::new(0));
    let results = [
        json!({}),
        json!({"content": "text"}),
        json!({"content": [{"type": "text"}, {"no": "type"}, 7]}),
        json!({"content": [{"type": "from the future", "x": 1}], "isError": false}),
        json!([1, 2]),
        json!(null),
    ];
    let count = Arc::clone(&answers);
    let all = results.clone();
    let fake = Fake::new("s", &["x"]).on("tools/call", move |_| {
        let at = count.fetch_add(1, Ordering::SeqCst);
        vec![Say::Result(all.get(at).cloned().unwrap_or_default())]
    });
    let mut config = fake.config();
    config.timeout = Duration::from_secs(2);
    let servers = servers([config]);
    servers.start().await;
    let mut texts = Vec::new();
    for _ in &results {
        texts.push(call(&servers, "mcp__s__x", json!({})).await.to_text());
    }
    assert!(texts.iter().all(|text| !text.is_empty()), "{texts:?}");
    assert!(texts[3].contains("from the future"), "{texts:?}");
}

#[tokio::test]
async fn errors_of_the_server_are_shown_without_secrets_and_truncated() {
    let fake = Fake::new("s", &["x"]).on("tools/call", |_| vec![Say::Error(-32602, "no argument `path`")]);
    let servers = servers([fake.config()]);
    servers.start().await;
    let output = call(&servers, "mcp__s__x", json!({})).await;
    assert!(output.is_error);
    assert_eq!(output.to_text(), "The MCP server \"s\" refused the call: no argument `path`");
}

#[tokio::test]
async fn what_the_server_adds_to_an_error_is_shown_without_secrets_and_truncated() {
    for (data, says) in [
        (json!({"path": "a.txt", "key": "secret-4712"}), r#"no access ({"path":"a.txt","key":"[hidden]"})"#),
        (json!("the disk is full"), "no access (the disk is full)"),
        (json!(null), "no access"),
        (json!("x".repeat(4_000)), "xxx…"),
    ] {
        let fake = Fake::new("s", &["x"]).on("tools/call", move |message| {
            let error = json!({"code": -32603, "message": "no access", "data": data});
            let answer = json!({"jsonrpc": "2.0", "id": message["id"], "error": error});
            vec![Say::Raw(answer.to_string().into())]
        });
        let mut config = fake.config();
        config.oauth.client_secret = Some("secret-4712".to_owned());
        let servers = servers([config]);
        servers.start().await;
        let said = call(&servers, "mcp__s__x", json!({})).await.to_text();
        assert!(said.ends_with(says) && said.len() < 700, "{said}");
    }
}
