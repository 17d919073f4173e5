//! Network servers, with a few lines of HTTP on loopback.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use throughline_mcp::{McpServers, ServerConfig, Transport};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::fake::{call, hello, names, options, text, tool};

/// A server that answers each `POST` with JSON, and remembers the heads of all requests.
pub(crate) struct Web {
    url: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Web {
    pub(crate) async fn start(answer: impl Fn(&Value) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&heads), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&seen), Arc::clone(&answer)));
            }
        });
        Self { url, heads }
    }

    pub(crate) fn config(&self, header: &str) -> ServerConfig {
        let headers = BTreeMap::from([("Authorization".to_owned(), header.to_owned())]);
        let url = format!("{}?apiKey=secret-4711", self.url);
        let mut config = ServerConfig::new("web", Transport::Http { url, headers });
        config.timeout = Duration::from_secs(20);
        config
    }
}

async fn serve<F: Fn(&Value) -> String>(
    mut stream: TcpStream,
    heads: Arc<Mutex<Vec<String>>>,
    answer: Arc<F>,
) {
    loop {
        let mut read = Vec::new();
        let head = loop {
            let mut byte = [0];
            if stream.read_exact(&mut byte).await.is_err() {
                return;
            }
            read.push(byte[0]);
            if read.ends_with(b"\r\n\r\n") {
                break String::from_utf8(read).unwrap();
            }
        };
        let lower = head.to_lowercase();
        let length = lower.split_once("content-length: ").and_then(|(_, rest)| rest.split_once('\r'));
        let mut body = vec![0; length.map_or(0, |(length, _)| length.parse().unwrap())];
        stream.read_exact(&mut body).await.unwrap();
        heads.lock().unwrap().push(head.clone());
        let response = if head.starts_with("POST") {
            answer(&serde_json::from_slice(&body).unwrap())
        } else {
            "HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n".to_owned()
        };
        if stream.write_all(response.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn ok(message: &Value, result: &Value) -> String {
    let body = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn fault(kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 500 Internal Server Error\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

fn status(line: &str, headers: &str) -> String {
    format!("HTTP/1.1 {line}\r\n{headers}content-length: 0\r\n\r\n")
}

/// Answers as a server should that has one tool.
pub(crate) fn good(message: &Value) -> String {
    match message["method"].as_str() {
        Some("initialize") => ok(message, &hello()),
        Some("tools/list") => ok(message, &json!({"tools": [tool("x")]})),
        Some("tools/call") => ok(message, &text("from the network")),
        _ => status("202 Accepted", ""),
    }
}

// S3-31
#[tokio::test]
async fn a_network_server_gets_its_headers() {
    let web = Web::start(good).await;
    let servers = McpServers::new([web.config("Bearer secret-4712")], options(None));
    servers.start().await;
    assert_eq!(names(&servers), ["mcp__web__x"], "{:?}", servers.notes());
    assert_eq!(call(&servers, "mcp__web__x", json!({})).await.to_text(), "from the network");
    servers.close().await;
    let heads = web.heads.lock().unwrap().clone();
    assert!(heads.len() >= 4 && heads.iter().all(|head| head.contains("Bearer secret-4712")), "{heads:?}");
}

#[tokio::test]
async fn network_errors_are_shown_without_secrets() {
    for (response, why) in [
        (status("401 Unauthorized", "www-authenticate: Bearer\r\n"), "uth"),
        (status("403 Forbidden", ""), "403"),
        (status("405 Method Not Allowed", ""), "ask for the server's streamable HTTP address"),
        (status("500 Internal Server Error", ""), "web\": HTTP 500 Internal Server Error"),
        (
            fault("text/plain", "no database: key secret-4712 of /mcp?apiKey=secret-4711 is refused"),
            "web\": HTTP 500 Internal Server Error: no database: key [hidden]",
        ),
        (fault("application/json", r#"{"detail":"no disk"}"#), r#"Error: {"detail":"no disk"}"#),
        (fault("text/html", "<html>no page</html>"), "web\": HTTP 500 Internal Server Error"),
        (
            status("307 Temporary Redirect", "location: http://127.0.0.1:1/stolen?key=4713\r\n"),
            "if http://127.0.0.1:1/stolen is right, set it as the `url`",
        ),
        (status("302 Found", "location: /mcp/\r\n"), "/mcp/ is right"),
        (
            status("200 OK", "content-type: text/event-stream\r\n"),
            "it closed the connection before the MCP handshake",
        ),
        (status("200 OK", "content-type: text/html\r\n"), "its answer has the content type text/html, not"),
    ] {
        let web = Web::start(move |_| response.clone()).await;
        let servers = McpServers::new([web.config("Bearer secret-4712")], options(None));
        servers.start().await;
        let notes = servers.notes();
        assert!(notes.len() == 1 && notes[0].contains(why), "{why}: {notes:?}");
        assert!(!notes[0].contains("471"), "{notes:?}");
    }
    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let url = format!("http://{unused}/mcp?apiKey=secret-4711");
    let config = ServerConfig::new("web", Transport::Http { url, headers: BTreeMap::new() });
    let servers = McpServers::new([config], options(None));
    servers.start().await;
    let notes = servers.notes();
    assert!(notes.len() == 1 && !notes[0].contains("4711"), "{notes:?}");
}

#[tokio::test]
async fn a_redirect_at_the_same_server_is_followed() {
    let asked = AtomicUsize::new(0);
    let web = Web::start(move |message| match asked.fetch_add(1, Ordering::SeqCst) % 2 {
        0 => status("307 Temporary Redirect", "location: /mcp/\r\n"),
        _ => good(message),
    })
    .await;
    let servers = McpServers::new([web.config("Bearer secret-4712")], options(None));
    servers.start().await;
    assert_eq!(call(&servers, "mcp__web__x", json!({})).await.to_text(), "from the network");
    servers.close().await;
    let heads = web.heads.lock().unwrap().clone();
    let followed: Vec<_> = heads.iter().filter(|head| head.starts_with("POST /mcp/ ")).collect();
    assert!(followed.len() >= 4 && followed.iter().all(|head| head.contains("secret-4712")), "{heads:?}");
}

async fn check_call_fails(answer: fn(&Value) -> String, why: &str) {
    let called = move |message: &Value| match message["method"].as_str() {
        Some("tools/call") => answer(message),
        _ => good(message),
    };
    let web = Web::start(called).await;
    let servers = McpServers::new([web.config("Bearer secret-4712")], options(None));
    servers.start().await;
    let output = call(&servers, "mcp__web__x", json!({})).await;
    assert!(output.is_error && output.to_text().contains(why), "{}", output.to_text());
}

#[tokio::test]
async fn a_request_that_was_not_taken_is_no_broken_connection() {
    let json = |body: &str, line: &str| {
        format!(
            "HTTP/1.1 {line}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    for (response, why) in [
        (
            status("429 Too Many Requests", "retry-after: 3600\r\n"),
            "HTTP 429 Too Many Requests; it says: retry after 3600",
        ),
        (status("401 Unauthorized", "www-authenticate: Bearer\r\n"), "it requires a valid key"),
        (json(r#"{"detail":"no such row"}"#, "400 Bad Request"), "no such row"),
    ] {
        let begun = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&begun);
        let web = Web::start(move |message| match message["method"].as_str() {
            Some("tools/call") => response.clone(),
            Some("initialize") => {
                seen.fetch_add(1, Ordering::SeqCst);
                good(message)
            }
            _ => good(message),
        })
        .await;
        let servers = McpServers::new([web.config("Bearer secret-4712")], options(None));
        servers.start().await;
        for _ in 0..2 {
            let said = call(&servers, "mcp__web__x", json!({})).await.to_text();
            assert!(said.contains("refused the call: ") && said.contains(why), "{said}");
        }
        assert_eq!(begun.load(Ordering::SeqCst), 1, "the connection is the same: {why}");
    }
}

/// The answer of a server that begins a session with each `initialize`.
fn in_sessions(message: &Value, begun: &AtomicUsize) -> String {
    if message["method"] != "initialize" {
        return good(message);
    }
    let id = begun.fetch_add(1, Ordering::SeqCst);
    good(message).replacen("\r\n\r\n", &format!("\r\nmcp-session-id: s{id}\r\n\r\n"), 1)
}

#[tokio::test]
async fn a_call_in_a_session_that_is_gone_is_made_once_more_and_never_in_doubt() {
    for (gone, says) in [(1, "from the network"), (usize::MAX, "refused the call: HTTP 404")] {
        let (begun, calls) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (sessions, asked) = (Arc::clone(&begun), Arc::clone(&calls));
        let web = Web::start(move |message| {
            if message["method"] == "tools/call" && asked.fetch_add(1, Ordering::SeqCst) < gone {
                return status("404 Not Found", "");
            }
            in_sessions(message, &sessions)
        })
        .await;
        let servers = McpServers::new([web.config("Bearer secret-4712")], options(None));
        servers.start().await;
        let said = call(&servers, "mcp__web__x", json!({})).await.to_text();
        assert!(said.contains(says) && !said.contains("or not"), "{said}");
        assert_eq!((begun.load(Ordering::SeqCst), calls.load(Ordering::SeqCst)), (2, 2), "{says}");
    }
}

#[tokio::test]
async fn a_call_is_made_again_after_the_wait_that_its_server_asks_for() {
    let calls = AtomicUsize::new(0);
    let web = Web::start(move |message| match message["method"].as_str() {
        Some("tools/call") if calls.fetch_add(1, Ordering::SeqCst) == 0 => {
            status("429 Too Many Requests", "retry-after: 0\r\n")
        }
        _ => good(message),
    })
    .await;
    let servers = McpServers::new([web.config("Bearer secret-4712")], options(None));
    servers.start().await;
    assert_eq!(call(&servers, "mcp__web__x", json!({})).await.to_text(), "from the network");
}

#[tokio::test]
async fn a_call_that_gets_no_answer_fails_at_once() {
    let other = |message: &Value| ok(&json!({"id": 4711, "was": message["id"]}), &text("of another call"));
    check_call_fails(other, "response: the answer to another request").await;
    check_call_fails(|_| status("202 Accepted", ""), "response: none to the request").await;
}

#[tokio::test]
async fn an_unreachable_server_is_retried() {
    let broken = Arc::new(Mutex::new(false));
    let seen = Arc::clone(&broken);
    let web = Web::start(move |message| {
        if *seen.lock().unwrap() && message["method"] == "tools/call" {
            return status("503 Service Unavailable", "");
        }
        good(message)
    })
    .await;
    let servers = McpServers::new([web.config("Bearer secret-4712")], options(None));
    servers.start().await;
    *broken.lock().unwrap() = true;
    let output = call(&servers, "mcp__web__x", json!({})).await;
    assert!(output.is_error && output.to_text().contains("503"), "{}", output.to_text());
    *broken.lock().unwrap() = false;
    assert_eq!(call(&servers, "mcp__web__x", json!({})).await.to_text(), "from the network");
}
