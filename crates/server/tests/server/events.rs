//! New records as events.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use throughline_continuity::{LogError, LogPage, MessageLog, Part, Unreadable};
use throughline_conversation::{Record, Seq, SessionId};
use throughline_stored::Storage;
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

/// A log that has lost its first two records, and cannot be read behind the fourth.
#[derive(Debug)]
struct DamagedLog(Arc<dyn MessageLog>);

#[async_trait]
impl MessageLog for DamagedLog {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.0.append(session, records).await
    }

    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError> {
        match after.0 {
            0 => Ok(LogPage {
                unreadable: vec![Unreadable::all(Seq(1), Seq(2), "lost")],
                next: Some(Seq(2)),
                ..LogPage::default()
            }),
            2 => {
                let mut page = self.0.read_page(session, after, part).await?;
                page.records.truncate(2);
                Ok(LogPage { next: Some(Seq(4)), ..page })
            }
            _ => Err(LogError::Other("the disk is gone".into())),
        }
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        self.0.last(session).await
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        self.0.newest(session, kind).await
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.0.redact(session, records).await
    }
}

fn damaged(storage: Storage) -> Storage {
    let (log, snapshots, results) = (storage.log(), storage.snapshots(), storage.results());
    storage.with_ports(Arc::new(DamagedLog(log)), snapshots, results)
}

#[tokio::test]
async fn lost_records_are_passed_over_and_a_log_that_fails_ends_the_stream_with_an_error() {
    let served = Served::stored(damaged).await;
    let text = read_until(&served, &[("Last-Event-ID", "0")], "event: error").await;
    assert!(text.contains("id: 3\n") && text.contains("id: 4\n"), "{text}");
    assert!(text.contains("the disk is gone"), "{text}");
    assert!(
        text.to_lowercase().contains("x-accel-buffering: no\r\n"),
        "a proxy passes it on at once: {text}"
    );
}
