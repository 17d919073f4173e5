//! A plain HTTP client over a socket.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_testserver::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Longer than any test should take: a test that hangs must fail.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// The chunks, when it came in chunks, and when each came.
    pub(crate) chunks: Vec<(Instant, Vec<u8>)>,
    /// Whether the body has come to its end.
    pub(crate) whole: bool,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Client {
    pub(crate) async fn new(server: &Server) -> Self {
        let url = server.url();
        let stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).await.unwrap();
        Self { stream, buffer: Vec::new() }
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// A request with a JSON body.
    pub(crate) async fn ask(&mut self, path: &str, headers: &[&str], body: &Value) -> Response {
        self.send_request(path, headers, body).await;
        self.receive().await
    }

    pub(crate) async fn send_request(&mut self, path: &str, headers: &[&str], body: &Value) {
        let body = body.to_string();
        let mut head =
            format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n", body.len());
        for header in headers {
            head.push_str(header);
            head.push_str("\r\n");
        }
        self.send(format!("{head}\r\n{body}").as_bytes()).await;
    }

    pub(crate) async fn get(&mut self, path: &str, headers: &[&str]) -> Response {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        self.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n").as_bytes()).await;
        self.receive().await
    }

    /// The next response.
    pub(crate) async fn receive(&mut self) -> Response {
        tokio::time::timeout(PATIENCE, self.read()).await.unwrap()
    }

    /// Returns true if the server has closed the connection.
    pub(crate) async fn is_closed(&mut self) -> bool {
        let more = tokio::time::timeout(Duration::from_secs(5), self.more()).await;
        more.is_ok_and(|came| !came)
    }

    async fn more(&mut self) -> bool {
        matches!(self.stream.read_buf(&mut self.buffer).await, Ok(bytes) if bytes > 0)
    }

    /// Up to and with the mark; `None` when the connection ends before it.
    async fn until(&mut self, mark: &[u8]) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = self.buffer.windows(mark.len()).position(|window| window == mark) {
                return Some(self.buffer.drain(..at + mark.len()).collect());
            }
            if !self.more().await {
                return None;
            }
        }
    }

    async fn take(&mut self, bytes: usize) -> Option<Vec<u8>> {
        while self.buffer.len() < bytes {
            if !self.more().await {
                return None;
            }
        }
        Some(self.buffer.drain(..bytes).collect())
    }

    /// The status line and the headers.
    pub(crate) async fn read_head(&mut self) -> Response {
        let head = String::from_utf8(self.until(b"\r\n\r\n").await.unwrap()).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| line.split_once(": ").unwrap());
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Response { status, headers, body: Vec::new(), chunks: Vec::new(), whole: false }
    }

    async fn read(&mut self) -> Response {
        let head = self.read_head().await;
        self.read_rest(head).await
    }

    /// The body behind this head.
    pub(crate) async fn read_rest(&mut self, mut response: Response) -> Response {
        if response.status == 204 {
            response.whole = true;
        } else if response.header("transfer-encoding") == Some("chunked") {
            self.read_chunks(&mut response).await;
        } else if let Some(length) = response.header("content-length") {
            match self.take(length.parse().unwrap()).await {
                Some(body) => (response.body, response.whole) = (body, true),
                None => response.body = std::mem::take(&mut self.buffer),
            }
        } else {
            while self.more().await {}
            (response.body, response.whole) = (std::mem::take(&mut self.buffer), true);
        }
        response
    }

    async fn read_chunks(&mut self, response: &mut Response) {
        while let Some(size) = self.until(b"\r\n").await {
            let size = usize::from_str_radix(std::str::from_utf8(&size).unwrap().trim(), 16).unwrap();
            let Some(chunk) = self.take(size).await else { break };
            let Some(end) = self.take(2).await else { break };
            assert_eq!(end, b"\r\n");
            if size == 0 {
                response.whole = true;
                break;
            }
            response.body.extend_from_slice(&chunk);
            response.chunks.push((Instant::now(), chunk));
        }
    }
}

/// Asks on a connection of its own.
pub(crate) async fn ask(server: &Server, path: &str, body: &Value) -> Response {
    let headers = if path.starts_with("/v1/messages") { &["anthropic-version: 2023-06-01"][..] } else { &[] };
    Client::new(server).await.ask(path, headers, body).await
}

/// A body that the path takes, with `hello` from the user.
pub(crate) fn hello(path: &str, stream: bool) -> Value {
    let messages = json!([{"role": "user", "content": "hello"}]);
    match path {
        "/v1/messages" => json!({"model": "m", "max_tokens": 9, "stream": stream, "messages": messages}),
        "/v1/responses" => json!({"model": "m", "stream": stream, "input": messages}),
        "/api/chat" => {
            json!({"model": "m", "stream": stream, "options": {"num_ctx": 9}, "messages": messages})
        }
        _ => json!({"model": "m", "stream": stream, "messages": messages}),
    }
}

/// The four paths that ask a model for something.
pub(crate) const GENERATING: [&str; 4] =
    ["/v1/messages", "/v1/chat/completions", "/v1/responses", "/api/chat"];

/// The data of server-sent events, or lines, each cut down to what a test wants to see of it.
pub(crate) fn events(response: &Response) -> String {
    response.text().lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}
