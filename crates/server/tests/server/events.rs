//! New records as events.

use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::harness::{Served, open};

/// Reads events until the text has `wanted`.
async fn read_until(served: &Served, headers: &[(&str, &str)], wanted: &str) -> String {
    read_noting(served, headers, wanted, &Notify::new()).await
}

/// The same; it is noted when the stream has begun.
async fn read_noting(served: &Served, headers: &[(&str, &str)], wanted: &str, begun: &Notify) -> String {
    let bearer = format!("Bearer {}", served.token);
    let mut all = vec![("Host", served.host.as_str()), ("Authorization", bearer.as_str())];
    all.extend(headers);
    let mut stream = served.begin(&format!("GET /api/sessions/{}/events", served.id), &all, "").await;
    let mut text = String::new();
    let mut bytes = [0_u8; 8_192];
    let reading = async {
        while !text.contains(wanted) {
            let count = stream.read(&mut bytes).await.unwrap();
            assert_ne!(count, 0, "the stream has ended: {text}");
            text.push_str(&String::from_utf8_lossy(&bytes[..count]));
            begun.notify_one();
        }
    };
    assert!(timeout(Duration::from_secs(20), reading).await.is_ok(), "no {wanted:?} in {text}");
    text
}

#[tokio::test]
async fn new_records_come_as_events_and_a_client_resumes_where_it_was() {
    let served = Served::new().await;
    let earlier = served.of_session("").await["records"].as_u64().unwrap();
    let begun = Notify::new();
    let writing = async {
        begun.notified().await;
        let mut session = open(served.folder.path(), Some(&served.id), &["Three."]).await;
        session.send("Count the birds.").await.unwrap();
        session.close().await.unwrap();
    };
    let (text, ()) = tokio::join!(read_noting(&served, &[], "event: receipt", &begun), writing);
    assert!(text.contains("event: message") && text.contains("Count the birds."), "{text}");
    let first = text.split_once("\nid: ").unwrap().1.lines().next().unwrap();
    assert!(first.parse::<u64>().unwrap() > earlier, "earlier records are not sent: {text}");
    let last = served.of_session("").await["records"].as_u64().unwrap();

    let text = read_until(&served, &[("Last-Event-ID", "1")], &format!("id: {last}\n")).await;
    assert!(text.contains("id: 2\n") && !text.contains("id: 1\n"), "{text}");
    let bearer = format!("Bearer {}", served.token);
    let headers = [("Host", served.host.as_str()), ("Authorization", &bearer), ("Last-Event-ID", "x")];
    let answer = served.send(&format!("GET /api/sessions/{}/events", served.id), &headers, "").await;
    assert_eq!(answer.status, 400, "{}", answer.body);
}
