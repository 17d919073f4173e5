//! What a retention leaves of sessions.

use std::time::Duration;

use throughline_config::Retention;
use throughline_continuity::{MessageLog as _, SessionDirectory as _, SessionInfo};
use throughline_conversation::{ExchangeId, Millis, ModelUse, Record, RecordBody, Seq, SessionId};

use crate::delete_session::SessionMemos;
use crate::deleted_sessions::DeletedSessions;
use crate::session_id::now;
use crate::storage::Storage;

const YEAR: i64 = 365 * 24 * 3_600_000;

/// Stores a session with records of these ages.
async fn session(storage: &Storage, id: &str, ages: &[i64]) -> SessionId {
    let session = SessionId::new(id).unwrap();
    let info = SessionInfo {
        id: session.clone(),
        title: String::new(),
        workspace: String::new(),
        model: String::new(),
        created: Millis(1),
    };
    storage.store.sessions().create(&info).await.unwrap();
    let used = ModelUse::of_request(throughline_conversation::Origin::new("p", "m"), None);
    let records: Vec<Record> = (1..)
        .zip(ages)
        .map(|(seq, age)| Record {
            seq: Seq(seq),
            at: Millis(now().0 - age),
            exchange: ExchangeId(1),
            body: RecordBody::Spent(used.clone()),
        })
        .collect();
    storage.store.message_log().append(&session, &records).await.unwrap();
    session
}

#[tokio::test]
async fn a_session_of_another_agent_is_marked_if_its_user_deletes_it_and_not_if_it_is_old() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::open(Some(folder.path().to_owned())).await.unwrap();
    let old = session(&storage, "claude-old", &[YEAR]).await;
    let deleted = session(&storage, "claude-deleted", &[0]).await;
    let clock_set_back = session(&storage, "claude-back", &[0, YEAR]).await;
    let month = Retention { age: Duration::from_secs(30 * 24 * 3_600), keep_pinned: false };
    let pruned = storage.prune(Some(month), false, |_, _| {}).await.unwrap();
    assert_eq!(pruned.sessions, 1);
    let lock = storage.lock(&deleted).await.unwrap();
    storage.delete_session(&deleted, lock, SessionMemos::Stay).await.unwrap();
    let left = storage.sessions().await.unwrap();
    assert_eq!(left.into_iter().map(|one| one.info.id).collect::<Vec<_>>(), [clock_set_back]);
    let marks = DeletedSessions::in_folder(folder.path());
    assert!(marks.contains(&deleted).unwrap() && !marks.contains(&old).unwrap());
}
