//! HTTP itself.

use serde_json::json;
use throughline_testserver::{Answer, Script, Server};

use crate::client::{Client, GENERATING, ask, hello};

async fn server() -> Server {
    Server::start(Script::new().then(Answer::text("hello")).repeat_last()).await.unwrap()
}

#[tokio::test]
async fn a_connection_serves_one_request_after_the_other() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    for path in GENERATING {
        for stream in [true, false] {
            let response = client.ask(path, &["anthropic-version: 1"], &hello(path, stream)).await;
            assert_eq!((response.status, response.whole), (200, true), "{path} {}", response.text());
            assert_eq!(response.header("transfer-encoding").is_some(), stream);
        }
    }
    // Two at once: they are answered in turn.
    client.send(b"GET /api/version HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n").await;
    assert_eq!(client.receive().await.text(), r#"{"version":"0.12.6"}"#);
    assert_eq!(client.receive().await.text(), "Ollama is running");
    assert_eq!(server.received().len(), 10);
    assert!(server.received().iter().all(|received| !received.hung_up && received.faults.is_empty()));
}

#[tokio::test]
async fn what_was_received() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let body = hello("/v1/chat/completions", false);
    client.ask("/v1/chat/completions?beta=true&x", &["X-Two: a: b ", "x-two: c"], &body).await;
    client.get("/v1/models", &[]).await;
    let received = server.received();
    let first = &received[0];
    assert_eq!(
        (first.method.as_str(), first.path.as_str(), first.query.as_str()),
        ("POST", "/v1/chat/completions", "beta=true&x")
    );
    assert_eq!(first.body, body);
    assert_eq!((first.header("X-TWO"), first.header("none")), (Some("a: b"), None));
    assert_eq!(first.headers.iter().filter(|(name, _)| name == "x-two").count(), 2);
    assert_eq!((received[1].method.as_str(), &received[1].body), ("GET", &json!(null)));
}

#[tokio::test]
async fn bodies_in_chunks_and_behind_a_word() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let body = hello("/api/chat", false).to_string();
    let (first, second) = body.split_at(7);
    let head = "POST /api/chat HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    client.send(format!("{head}{:X};name=value\r\n{first}\r\n", first.len()).as_bytes()).await;
    client.send(format!("{:x}\r\n{second}\r\n0\r\nTrailer: x\r\n\r\n", second.len()).as_bytes()).await;
    assert_eq!(client.receive().await.status, 200);
    let head =
        format!("POST /api/chat HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n", body.len());
    client.send(head.as_bytes()).await;
    assert_eq!(client.read_head().await.status, 100);
    client.send(body.as_bytes()).await;
    assert_eq!(client.receive().await.status, 200);
    assert_eq!(server.received()[0].body, server.received()[1].body);
}

#[tokio::test]
async fn the_connection_ends_when_the_client_wants_it() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let response = client.ask("/api/chat", &["Connection: close"], &hello("/api/chat", true)).await;
    assert_eq!((response.header("connection"), response.whole), (Some("close"), true));
    assert!(client.is_closed().await);
    // HTTP/1.0 knows no chunks: the end of the connection is the end of the stream.
    let mut client = Client::new(&server).await;
    let body = hello("/api/chat", true).to_string();
    client
        .send(format!("POST /api/chat HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
        .await;
    let response = client.receive().await;
    assert_eq!(response.header("transfer-encoding"), None);
    assert!(response.text().ends_with("\n") && response.text().contains("\"done\":true"));
}

#[tokio::test]
async fn wrong_paths_methods_and_bodies() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    for (path, anthropic, status, words) in [
        ("/v1/nothing", false, 404, "Unknown request URL: GET /v1/nothing."),
        ("/v1/nothing", true, 404, "not_found_error"),
        ("/api/nothing", false, 404, r#"{"error":"404 page not found"}"#),
        ("/v1/chat/completions", false, 405, "Not allowed to GET on /v1/chat/completions."),
        ("/v1/messages", true, 405, "Method Not Allowed"),
        ("/api/chat", false, 405, "405 method not allowed"),
    ] {
        let headers = if anthropic { &["anthropic-version: 1"][..] } else { &[] };
        let response = client.get(path, headers).await;
        assert_eq!(response.status, status, "{path}");
        assert!(response.text().contains(words), "{}", response.text());
        assert!(response.json().is_object());
        assert_eq!(response.header("allow"), (status == 405).then_some("POST"));
    }
    for path in GENERATING {
        let head = format!("POST {path} HTTP/1.1\r\nanthropic-version: 1\r\nContent-Length: 9\r\n\r\n");
        client.send(format!("{head}{{\"model\":").as_bytes()).await;
        let response = client.receive().await;
        assert_eq!(response.status, 400, "{path}");
        assert!(
            response.text().contains("the body is not valid JSON: EOF while parsing"),
            "{}",
            response.text()
        );
        let received = server.received();
        let last = received.last().unwrap();
        assert_eq!((&last.body, last.faults.len()), (&json!(null), 1));
    }
    client.send(b"HEAD / HTTP/1.1\r\n\r\n").await;
    let head = client.read_head().await;
    assert_eq!((head.status, head.header("content-length")), (200, Some("17")));
    assert_eq!(client.get("/api/version", &[]).await.status, 200);
}

#[tokio::test]
async fn what_is_no_http_ends_the_connection() {
    let server = server().await;
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(70_000));
    for (request, status) in [
        ("hello\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\n\r\n", 400),
        ("GET nowhere HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
        ("POST /api/chat HTTP/1.1\r\nContent-Length: 67108865\r\n\r\n", 413),
        ("POST /api/chat HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4000001\r\n", 413),
        (long.as_str(), 431),
    ] {
        let mut client = Client::new(&server).await;
        client.send(request.as_bytes()).await;
        let response = client.receive().await;
        let start: String = request.chars().take(70).collect();
        assert_eq!((response.status, response.whole), (status, true), "{start:?}");
        assert!(client.is_closed().await, "{start:?}");
    }
}

#[tokio::test]
async fn a_body_of_some_megabytes_is_taken() {
    let server = server().await;
    let mut body = hello("/v1/chat/completions", false);
    body["messages"][0]["content"] = json!("x".repeat(5 * 1024 * 1024));
    let response = ask(&server, "/v1/chat/completions", &body).await;
    assert_eq!(response.status, 200);
    assert_eq!(server.received()[0].body, body);
}

#[tokio::test]
async fn a_server_that_is_dropped_is_gone() {
    let server = server().await;
    let url = server.url();
    assert!(url.starts_with("http://127.0.0.1:") && !url.ends_with('/'));
    assert!(format!("{server:?}").contains(&url));
    let mut client = Client::new(&server).await;
    assert_eq!(client.get("/", &[]).await.status, 200);
    drop(server);
    assert!(client.is_closed().await);
    assert!(tokio::net::TcpStream::connect(url.strip_prefix("http://").unwrap()).await.is_err());
}
