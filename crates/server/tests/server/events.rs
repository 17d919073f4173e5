//! New records as events.

use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;

use crate::harness::{Served, open};

/// Reads events until the text has `wanted`.
async fn read_until(served: &Served, headers: &[(&str, &str)], wanted: &str) -> String {
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
        }
    };
    assert!(timeout(Duration::from_secs(20), reading).await.is_ok(), "no {wanted:?} in {text}");
    text
}

#[tokio::test]
async fn new_records_come_as_events_and_a_client_resumes_where_it_was() {
    let served = Served::new().await;
    let writing = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let mut session = open(served.folder.path(), Some(&served.id), &["Three."]).await;
        session.send("Count the birds.").await.unwrap();
        session.close().await;
    };
    let (text, ()) = tokio::join!(read_until(&served, &[], "event: receipt"), writing);
    assert!(text.contains("event: message") && text.contains("Count the birds."), "{text}");
    assert!(!text.contains("Where is it?"), "earlier records are not sent: {text}");
    let last = served.of_session("").await["records"].as_u64().unwrap();

    let text = read_until(&served, &[("Last-Event-ID", "1")], &format!("id: {last}\n")).await;
    assert!(text.contains("id: 2\n") && !text.contains("id: 1\n"), "{text}");
    let bearer = format!("Bearer {}", served.token);
    let headers = [("Host", served.host.as_str()), ("Authorization", &bearer), ("Last-Event-ID", "x")];
    let answer = served.send(&format!("GET /api/sessions/{}/events", served.id), &headers, "").await;
    assert_eq!(answer.status, 400, "{}", answer.body);
}
