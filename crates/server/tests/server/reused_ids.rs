//! Sessions that are deleted, by this server or by another process, and others that get their ids.

use std::time::Duration;

use serde_json::{Value, json};
use throughline_conversation::SessionId;
use throughline_stored::{SessionMemos, Storage};
use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;

use crate::harness::Served;

async fn call(served: &Served, operation: &str, body: Value) -> u16 {
    served.ask("POST", &format!("/api/contexts/job/{operation}"), &body.to_string()).await.status
}

/// A session `job` that says this.
async fn use_id(served: &Served, text: &str) {
    assert_eq!(call(served, "open", json!({ "model": "claude-sonnet-4-5" })).await, 200);
    assert_eq!(call(served, "user", json!({ "text": text })).await, 200);
    assert_eq!(call(served, "close", json!({})).await, 200);
}

/// Deletes the session `job` as another process does.
async fn delete(served: &Served) {
    let storage = Storage::open(Some(served.folder.path().join("data"))).await.unwrap();
    let id = SessionId::new("job").unwrap();
    let lock = storage.lock(&id).await.unwrap();
    storage.delete_session(&id, lock, SessionMemos::Stay).await.unwrap();
}

async fn messages(served: &Served) -> String {
    served.ask("GET", "/api/sessions/job/messages", "").await.body
}

#[tokio::test]
async fn what_a_deleted_session_said_is_not_shown_for_another_one_of_its_id() {
    let served = Served::new().await;
    use_id(&served, "The old secret.").await;
    assert!(messages(&served).await.contains("The old secret."));
    delete(&served).await;
    use_id(&served, "Something new.").await;
    let shown = messages(&served).await;
    assert!(shown.contains("Something new.") && !shown.contains("The old secret."), "{shown}");
}

#[tokio::test]
async fn a_stream_of_a_deleted_session_ends_and_never_has_the_records_of_another_one() {
    let served = Served::new().await;
    use_id(&served, "The old one.").await;
    let bearer = format!("Bearer {}", served.token);
    let headers = [("Host", served.host.as_str()), ("Authorization", bearer.as_str())];
    let mut stream = served.begin("GET /api/sessions/job/events?after=0", &headers, "").await;
    let (mut text, mut bytes) = (String::new(), [0_u8; 8_192]);
    while !text.contains("The old one.") {
        let count = stream.read(&mut bytes).await.unwrap();
        assert_ne!(count, 0, "the stream has ended: {text}");
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    delete(&served).await;
    assert_eq!(call(&served, "open", json!({ "model": "claude-sonnet-4-5" })).await, 200);
    for text in ["Something new.", "Something else.", "A third one."] {
        assert_eq!(call(&served, "user", json!({ "text": text })).await, 200);
    }
    let mut rest = Vec::new();
    timeout(Duration::from_secs(30), stream.read_to_end(&mut rest)).await.unwrap().unwrap();
    let rest = String::from_utf8_lossy(&rest).into_owned();
    assert!(!rest.contains("Something") && !rest.contains("A third one."), "{rest}");
}

#[tokio::test]
async fn a_context_that_was_closed_as_idle_does_not_begin_its_deleted_session_again() {
    let served = Served::new().await;
    let idle = async || {
        assert_eq!(call(&served, "open", json!({ "model": "claude-sonnet-4-5" })).await, 200);
        assert_eq!(call(&served, "user", json!({ "text": "First." })).await, 200);
        for _ in 0..2 {
            served.contexts.close_idle().await;
        }
    };
    idle().await;
    let deleted = served.ask("DELETE", "/api/sessions/job", "{\"confirm\":\"job\"}").await;
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    assert_eq!(call(&served, "user", json!({ "text": "After it." })).await, 404);
    assert_eq!(served.ask("GET", "/api/sessions/job", "").await.status, 404);
    idle().await;
    delete(&served).await;
    assert_eq!(call(&served, "user", json!({ "text": "After it." })).await, 404);
    assert_eq!(served.ask("GET", "/api/sessions/job", "").await.status, 404);
    let locks = served.folder.path().join("data/locks");
    let left =
        std::fs::read_dir(locks).unwrap().filter(|one| one.as_ref().unwrap().file_name() == "job.lock");
    assert_eq!(left.count(), 0);
}
