//! A store in memory finds what it has, and says how sessions are stored.

use std::path::Path;

use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, Seq, SessionId};

use super::Store;
use crate::durability::Durability;

fn info(id: &str) -> SessionInfo {
    let id = SessionId::new(id).unwrap();
    SessionInfo {
        id,
        title: String::new(),
        workspace: String::new(),
        model: String::new(),
        created: Millis(0),
    }
}

#[tokio::test]
async fn a_file_names_the_feature_and_the_alternative() {
    let error = Store::open_with(Path::new("data"), Durability::Normal).await.unwrap_err().to_string();
    assert!(error.contains("`sqlite`") && error.contains("`Builder::log`"), "{error}");
}

#[tokio::test]
async fn a_fork_has_the_log_and_searches_find_its_messages() {
    let store = Store::in_memory(Path::new("data"));
    let (old, new) = (info("old"), info("new"));
    store.sessions().create(&old).await.unwrap();
    let records = throughline_continuity::contract::sample_log(1, 4);
    store.message_log().append(&old.id, &records).await.unwrap();
    store.fork(&old.id, &new).await.unwrap();
    let found = store.records_that_may_have(&new.id, &[], Seq(0)).await.unwrap();
    let messages =
        records.iter().filter(|record| matches!(record.body.kind(), "message" | "document" | "edit"));
    assert_eq!(found, messages.cloned().collect::<Vec<_>>());
    assert!(!found.is_empty());
    assert!(store.fork(&old.id, &new).await.is_err(), "the id is taken");
    let used = store.usage_records(None, Seq(0), Millis(0)).await.unwrap();
    assert!(used.iter().flatten().all(|record| matches!(record.body.kind(), "model" | "receipt" | "spent")));
}
