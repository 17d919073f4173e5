//! Answers that come slowly, in pieces, broken or not to their end.

use std::time::{Duration, Instant};

use serde_json::json;
use throughline_testserver::{Answer, Received, Script, Server};

use crate::client::{Client, GENERATING, ask, hello};

async fn start(answer: Answer) -> Server {
    Server::start(Script::new().then(answer)).await.unwrap()
}

async fn last(server: &Server, hung_up: bool) -> Received {
    let start = Instant::now();
    loop {
        let received = server.received();
        match received.last() {
            Some(last) if last.hung_up == hung_up => return last.clone(),
            _ if start.elapsed() > Duration::from_secs(30) => panic!("{received:?}"),
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

#[tokio::test]
async fn waits() {
    let milliseconds = Duration::from_millis;
    let answer = Answer::text("hello")
        .wait_head(milliseconds(100))
        .wait_first(milliseconds(900))
        .wait_each(milliseconds(50));
    let server = start(answer).await;
    let mut client = Client::new(&server).await;
    let before = Instant::now();
    client.send_request("/api/chat", &[], &hello("/api/chat", true)).await;
    let head = client.read_head().await;
    assert!(before.elapsed() >= milliseconds(100), "{before:?}");
    let response = client.read_rest(head).await;
    assert_eq!(response.chunks.len(), 2);
    let times: Vec<Duration> = response.chunks.iter().map(|(time, _)| time.duration_since(before)).collect();
    assert!(times[0] >= milliseconds(1000) && times[1] >= milliseconds(1050), "{times:?}");
}

#[tokio::test]
async fn pieces_split_characters_and_lines() {
    let plain = start(Answer::text("Привет 👋🏽")).await;
    let plain = ask(&plain, "/v1/messages", &hello("/v1/messages", true)).await;
    for bytes in [0, 1, 3, 7] {
        let server = start(Answer::text("Привет 👋🏽").pieces_of(bytes)).await;
        let response = ask(&server, "/v1/messages", &hello("/v1/messages", true)).await;
        assert_eq!(response.text(), plain.text());
        assert!(response.whole);
        assert!(response.chunks.iter().all(|(_, chunk)| chunk.len() <= bytes.max(1)));
        assert!(bytes > 3 || response.chunks.iter().any(|(_, chunk)| std::str::from_utf8(chunk).is_err()));
    }
    let server = start(Answer::text("Привет").pieces_of(1)).await;
    let whole = ask(&server, "/v1/messages", &hello("/v1/messages", false)).await;
    assert_eq!(whole.json()["content"][0]["text"], "Привет");
}

#[tokio::test]
async fn a_cut_ends_in_the_middle_of_an_event() {
    for path in GENERATING {
        let whole = ask(&start(Answer::text("hello, world")).await, path, &hello(path, true)).await;
        let server = start(Answer::text("hello, world").cut_after(3)).await;
        let response = ask(&server, path, &hello(path, true)).await;
        assert_eq!((response.status, response.whole), (200, false));
        assert!(whole.text().starts_with(response.text()));
        let end = if path == "/api/chat" { "\n" } else { "\n\n" };
        assert_eq!(response.text().matches(end).count(), 3, "{path}");
        assert!(!response.text().ends_with(end), "{path}");
        // It is the script that cut, not the client.
        assert!(!last(&server, false).await.hung_up);
        // Without a stream the one event is the body.
        let server = start(Answer::text("hello, world").cut_after(0)).await;
        let response = ask(&server, path, &hello(path, false)).await;
        assert!(!response.whole && !response.body.is_empty());
        // Behind the last event only the end of the body is left to cut.
        let server = start(Answer::text("hello, world").cut_after(1000)).await;
        let response = ask(&server, path, &hello(path, true)).await;
        assert_eq!((response.text(), response.whole), (whole.text(), false));
    }
}

#[tokio::test]
async fn garbage_is_one_more_event() {
    for path in GENERATING {
        let whole = ask(&start(Answer::text("hello, world")).await, path, &hello(path, true)).await;
        let server = start(Answer::text("hello, world").garbage_after(2)).await;
        let response = ask(&server, path, &hello(path, true)).await;
        let (broken, end) = if path == "/api/chat" {
            ("{\"model\":\"\n", "\n")
        } else {
            ("data: {\"type\": \"br\n\n", "\n\n")
        };
        assert_eq!(response.text().replace(broken, ""), whole.text());
        assert_eq!(response.text().split(broken).next().unwrap().matches(end).count(), 2);
    }
}

#[tokio::test]
async fn broken_arguments() {
    let call = || Answer::call("c1", "read", json!({"path": "a.rs"})).bad_input();
    let server = Server::start(Script::new().then(call()).repeat_last()).await.unwrap();
    for (path, place) in [
        ("/v1/messages", "/content/0/input"),
        ("/v1/chat/completions", "/choices/0/message/tool_calls/0/function/arguments"),
        ("/v1/responses", "/output/0/arguments"),
        ("/api/chat", "/message/tool_calls/0/function/arguments"),
    ] {
        let whole = ask(&server, path, &hello(path, false)).await.json();
        assert_eq!(whole.pointer(place), Some(&json!("{\"path\": \"a")), "{path}");
        assert!(!ask(&server, path, &hello(path, true)).await.text().contains("a.rs"));
    }
}

#[tokio::test]
async fn a_client_that_goes_is_noticed() {
    let slow = || Answer::text(&"x".repeat(500)).wait_each(Duration::from_millis(50));
    let never = || Answer::text("x").wait_first(Duration::from_secs(3600));
    let script = Script::new().then(slow()).then(never()).then(never().wait_head(Duration::from_secs(3600)));
    let server = Server::start(script).await.unwrap();
    for heads in [true, true, false] {
        let mut client = Client::new(&server).await;
        client.send_request("/api/chat", &[], &hello("/api/chat", true)).await;
        if heads {
            assert_eq!(client.read_head().await.status, 200);
        } else {
            last(&server, false).await;
        }
        drop(client);
        assert!(last(&server, true).await.hung_up);
    }
    // One that has read all and goes has not hung up.
    server.push(Answer::text("x"));
    ask(&server, "/api/chat", &hello("/api/chat", true)).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!server.received().last().unwrap().hung_up);
}

#[tokio::test]
async fn a_client_that_does_not_read_is_waited_for_and_noticed_when_it_goes() {
    // More than any system keeps for a connection.
    let server = start(Answer::raw("text/plain", vec![b'x'; 64_000_000])).await;
    let mut client = Client::new(&server).await;
    client.send_request("/api/chat", &[], &hello("/api/chat", true)).await;
    assert_eq!(client.read_head().await.status, 200);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!server.received()[0].hung_up);
    drop(client);
    assert!(last(&server, true).await.hung_up);
}

#[tokio::test]
async fn many_small_events_all_arrive() {
    let server = start(Answer::text(&"x".repeat(100_000))).await;
    let response = ask(&server, "/v1/messages", &hello("/v1/messages", true)).await;
    assert_eq!(response.text().matches("text_delta").count(), 20_000);
}
