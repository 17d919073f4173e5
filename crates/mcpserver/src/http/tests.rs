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
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let session = session.map_or_else(String::new, |id| format!("Mcp-Session-Id: {id}\r\n"));
        let head = format!(
            "POST {PATH} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n{session}\
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

#[tokio::test]
async fn a_session_lasts_through_a_long_pause() {
    let served = Served::new().await;
    let answer = served.post(None, HELLO).await;
    let session = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect(&answer);
    served.post(Some(session), r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(24 * 3_600)).await;
    tokio::time::resume();
    let answer = served.post(Some(session), r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#).await;
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
