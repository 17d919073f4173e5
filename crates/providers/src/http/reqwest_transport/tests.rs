//! Connections are reused, and what is not HTTP is an error.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use throughline_completion::LanguageModel;
use throughline_testkit::{parse, request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::anthropic::AnthropicModel;
use crate::http::Endpoint;

const EVENTS: &str = "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n";

/// Reads one request; `false` when none comes.
async fn take_request(stream: &mut TcpStream) -> bool {
    let mut read = Vec::new();
    loop {
        match stream.read_buf(&mut read).await {
            // Something else than HTTP has another first letter.
            Ok(bytes) if bytes > 0 && read[0] == b'P' => {}
            _ => return false,
        }
        let text = String::from_utf8_lossy(&read).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.split_once("content-length: ").unwrap().1.lines().next().unwrap();
        if body.len() >= length.parse::<usize>().unwrap() {
            return true;
        }
    }
}

/// Answers every request of every connection, the end of the body some time behind its last event. Gives its
/// address, and the count of connections.
async fn server(pause: Duration) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                while take_request(&mut stream).await {
                    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
                    let events = format!("{head}{:x}\r\n{EVENTS}\r\n", EVENTS.len());
                    stream.write_all(events.as_bytes()).await.unwrap();
                    tokio::time::sleep(pause).await;
                    stream.write_all(b"0\r\n\r\n").await.unwrap();
                }
            });
        }
    });
    (url, count)
}

async fn ask(model: &dyn LanguageModel) {
    let events = model.stream(&request(parse("user: hi"))).await.unwrap().collect::<Vec<_>>().await;
    assert!(events.iter().all(Result::is_ok) && events.len() == 1, "{events:?}");
}

fn model(url: &str, transport: &Arc<dyn Transport>) -> AnthropicModel {
    let info = throughline_completion::ModelInfo::with_window("m", 1_000, 100);
    AnthropicModel::new(info, Endpoint::new(url).unwrap(), Arc::clone(transport))
}

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let transport: Arc<dyn Transport> = Arc::new(ReqwestTransport::default());
    for pause in [Duration::ZERO, Duration::from_millis(5)] {
        let (url, connections) = server(pause).await;
        for _ in 0..6 {
            // Another model, as after a change of models, with the same transport.
            ask(&model(&url, &transport)).await;
        }
        // A connection is given back a moment after its response, so a quick request may open one more.
        let connections = connections.load(Ordering::SeqCst);
        assert!(connections <= 3, "{connections} connections, {pause:?}");
    }
}

#[tokio::test]
async fn a_server_without_tls_is_an_error() {
    let (url, _) = server(Duration::ZERO).await;
    let transport: Arc<dyn Transport> = Arc::new(ReqwestTransport::default());
    let model = model(&url.replace("http://", "https://"), &transport);
    let error = model.stream(&request(parse("user: hi"))).await.map(|_| ()).unwrap_err();
    let says = error.to_string();
    assert!(says.contains("cannot be reached (") && says.contains("base URL"), "{says}");
}

#[tokio::test]
async fn roots_are_read_only_where_tls_can_be_spoken() {
    let built = |transport: &ReqwestTransport| {
        [&transport.plain, &transport.direct, &transport.proxied].map(|client| client.get().is_some())
    };
    for (url, expected) in [
        ("http://127.0.0.1:1/v1", [true, false, false]),
        ("http://localhost:1/v1", [true, false, false]),
        ("https://localhost:1/v1", [false, true, false]),
        ("http://192.168.1.1/v1", [false, false, true]),
        ("https://api.example.com/v1", [false, false, true]),
    ] {
        let transport = ReqwestTransport::default();
        assert_eq!(built(&transport), [false; 3]);
        transport.client(url);
        assert_eq!(built(&transport), expected, "{url}");
    }
}

#[test]
fn neither_proxies_nor_bodies_nor_keys_are_shown() {
    let shown = format!("{:?}", ReqwestTransport::new(Timeouts::local()));
    assert_eq!(shown, format!("ReqwestTransport {{ timeouts: {:?}, .. }}", Timeouts::local()));
    let answer = HttpAnswer {
        status: 200,
        content_type: "text/plain".to_owned(),
        retry_after: None,
        retry_after_ms: None,
        should_retry: None,
        request_id: Some("r-1".to_owned()),
        location: Some("https://elsewhere".to_owned()),
        body: stream::empty().boxed(),
    };
    assert_eq!(
        format!("{answer:?}"),
        r#"HttpAnswer { status: 200, content_type: "text/plain", retry_after: None, request_id: Some("r-1"), .. }"#
    );
    let endpoint = Endpoint::new("http://localhost:11434").unwrap().with_key(Key::new("canary/4711"));
    let ollama = crate::ollama::Ollama::new(&endpoint).unwrap();
    assert_eq!(format!("{ollama:?}"), r#"Ollama { host: "localhost:11434", .. }"#);
}

#[tokio::test]
async fn an_unsendable_header_is_reported_without_its_value() {
    for (name, value) in [("x-key", "can\nary"), ("x key", "canary")] {
        let error = headers(&[(name.to_owned(), Key::new(value))]).unwrap_err();
        let shown = format!("{error:?}");
        assert!(matches!(error, TransportError::Other(_)) && !shown.contains("ary"), "{shown}");
    }
    let twice = [("a".to_owned(), Key::new("1")), ("A".to_owned(), Key::new("2"))];
    let headers = headers(&twice).unwrap();
    assert_eq!((headers.len(), headers.get("a").unwrap().as_bytes()), (1, b"2".as_slice()));
    assert!(!format!("{headers:?}").contains('2'));
}
