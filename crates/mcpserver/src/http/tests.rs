//! Sessions and connections of clients over HTTP.

use std::time::Duration;

use tempfile::TempDir;
use throughline_config::TokenUse;
use throughline_stored::Storage;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::*;
use crate::workspace::Visible;

struct Served {
    _folder: TempDir,
    address: SocketAddr,
    token: String,
}

impl Served {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let storage = Storage::open_apart(Some(folder.path().to_owned())).await.unwrap();
        let (token, _) = AccessToken::of_folder(folder.path(), TokenUse::Memory).unwrap();
        let secret = token.reveal().to_owned();
        let server = HttpServer::listen(0, token).await.unwrap();
        let address = server.address;
        let visible = Visible { folder: folder.path().to_owned(), any_folder: false, roots: false };
        tokio::spawn(server.run(MemoryServer::new(storage, visible)));
        Self { _folder: folder, address, token: secret }
    }

    /// The answer to a message, with its headers.
    async fn post(&self, session: Option<&str>, body: &str) -> String {
        self.send("POST", session, body).await
    }

    async fn send(&self, method: &str, session: Option<&str>, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let session = session.map_or_else(String::new, |id| format!("Mcp-Session-Id: {id}\r\n"));
        let head = format!(
            "{method} {PATH} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n{session}\
             Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            self.token,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

impl Served {
    /// The id of a session that has begun.
    async fn begin(&self) -> String {
        let answer = self.post(None, HELLO).await;
        let session = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect(&answer);
        self.post(Some(session), r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        session.to_owned()
    }

    /// The error of a request.
    async fn refused(&self, session: &str, method: &str, params: &str) -> String {
        let body = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"{method}"{params}}}"#);
        let answer = self.post(Some(session), &body).await;
        answer.lines().find_map(|line| line.strip_prefix("data: ")).expect(&answer).to_owned()
    }
}

#[tokio::test]
async fn parameters_that_cannot_be_used_are_named() {
    let served = Served::new().await;
    let session = served.begin().await;
    for (method, params, why) in [
        ("tools/call", "", "there are none"),
        ("tools/call", r#","params":{}"#, "missing field `name`"),
        ("tools/call", r#","params":{"name":"handoff","arguments":[1]}"#, "expected a map"),
        ("resources/read", "", "there are none"),
        ("resources/read", r#","params":{}"#, "missing field `uri`"),
        ("tools/list", r#","params":{"cursor":"x"}"#, "the cursor is not one that tools/list gave"),
        ("resources/list", r#","params":{"cursor":"x"}"#, "the cursor is not one that resources/list gave"),
        ("skills/list", r#","params":{"cursor":""}"#, "the cursor is not one that skills/list gave"),
    ] {
        let error = served.refused(&session, method, params).await;
        assert!(error.contains("-32602") && error.contains(why), "{method}{params}: {error}");
    }
    let error = served.refused(&session, "prompts/unknown", "").await;
    assert!(error.contains("-32601"), "{error}");
}

#[tokio::test]
async fn a_body_that_is_no_message_is_an_error_of_the_protocol() {
    let served = Served::new().await;
    for (body, code) in [("{", "-32700"), ("no json", "-32700"), ("5", "-32600"), (r#"{"id":1}"#, "-32600")] {
        let answer = served.post(None, body).await;
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains(code), "{body}: {answer}");
    }
}

#[tokio::test]
async fn each_event_has_a_message_and_the_end_of_a_session_is_done() {
    let served = Served::new().await;
    let session = served.begin().await;
    let answer = served.post(Some(&session), r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#).await;
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(body.contains("search_history"), "{answer}");
    assert!(body.lines().filter(|line| line.starts_with("data:")).all(|line| line.len() > 6), "{answer}");
    let ended = served.send("DELETE", Some(&session), "").await;
    assert!(ended.starts_with("HTTP/1.1 204"), "{ended}");
}

#[tokio::test]
async fn a_session_lasts_through_a_long_pause() {
    let served = Served::new().await;
    let session = served.begin().await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(24 * 3_600)).await;
    tokio::time::resume();
    let answer = served.post(Some(&session), r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("search_history"), "{answer}");
}

#[tokio::test]
async fn a_client_is_answered_next_to_many_open_connections() {
    let served = Served::new().await;
    let mut open = Vec::new();
    for _ in 0..100 {
        open.push(TcpStream::connect(served.address).await.unwrap());
    }
    let answer = timeout(Duration::from_secs(5), served.post(None, HELLO)).await;
    assert!(answer.expect("an answer").starts_with("HTTP/1.1 200"));
}
