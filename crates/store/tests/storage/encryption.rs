//! Contexts, results and snapshots that are encrypted.

use std::fs;

use throughline_continuity::contract::{contract_context_store, contract_snapshot_store, session};
use throughline_continuity::{
    ContextSource, ContextStore, DirectoryError, SessionDirectory, Snapshot, SnapshotStore, StoredContext,
};
use throughline_conversation::{Documents, Groups, Millis, ResultRef, Seq};
use throughline_resultstore::contract::{SESSIONS, contract_all};
use throughline_resultstore::{ResultRepository, StoreError, StoredResult};
use throughline_store::{EncryptionError, EncryptionKey, Store, recover};

use super::{Fixture, create, info};

const SECRET: &str = "the heron nests at dawn";

fn key(digit: char) -> EncryptionKey {
    EncryptionKey::from_text(&String::from(digit).repeat(64)).unwrap()
}

fn result(id: &str, content: &[u8]) -> StoredResult {
    StoredResult {
        session: session("s1"),
        id: ResultRef::from_text(id),
        tool: "shell".to_owned(),
        content: content.to_vec(),
        at: Millis(3),
    }
}

fn context(text: &str) -> StoredContext {
    StoredContext {
        session: session("s1"),
        covers: Seq(3),
        source: ContextSource::Compaction,
        worker: String::new(),
        at: Millis(3),
        context: format!("{{\"task\":\"{text}\"}}"),
    }
}

/// The same file without the key, or with another one.
async fn with(fixture: &Fixture, key: Option<EncryptionKey>) -> Store {
    let store = Store::open(&fixture.path()).await.unwrap();
    match key {
        Some(key) => store.with_key(key),
        None => store,
    }
}

fn cause<'e>(error: &'e (dyn std::error::Error + 'static)) -> &'e EncryptionError {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return found;
        }
        next = error.source();
    }
    panic!("no fault of encryption: {error}");
}

/// Returns true if a file of the folder has these bytes.
fn is_found(fixture: &Fixture, bytes: &[u8]) -> bool {
    fs::read_dir(fixture.dir.path()).unwrap().any(|entry| {
        let file = fs::read(entry.unwrap().path()).unwrap();
        file.windows(bytes.len()).any(|part| part == bytes)
    })
}

#[tokio::test]
async fn encrypted_stores_keep_the_contracts() {
    let mut fixture = Fixture::new().await.with_session("s1").await.with_session("s2").await;
    for name in SESSIONS {
        fixture = fixture.with_session(name).await;
    }
    let store = with(&fixture, Some(key('1'))).await;
    contract_context_store(&store.contexts(), &session("s1"), &session("s2")).await;
    contract_all(&store.results()).await;
    let store = with(&fixture, Some(key('1'))).await;
    contract_all(&store.results()).await;
    contract_snapshot_store(&store.snapshots(), &session("s1"), &session("s2")).await;
    let memory = Store::open_in_memory().await.unwrap().with_key(key('1'));
    for name in ["s1", "s2"].into_iter().chain(SESSIONS) {
        create(&memory, name).await;
    }
    contract_all(&memory.results()).await;
    contract_context_store(&memory.contexts(), &session("s1"), &session("s2")).await;
}

// S1-20
#[tokio::test]
async fn without_its_key_nothing_is_read_or_written_and_no_file_has_the_bytes() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let store = with(&fixture, Some(key('1'))).await;
    store.check_key().await.unwrap();
    store.contexts().save(&context(SECRET)).await.unwrap();
    store.results().put(&result("r-1", SECRET.as_bytes())).await.unwrap();
    let own = key('1').id().to_string();
    assert!(!is_found(&fixture, SECRET.as_bytes()) && is_found(&fixture, own.as_bytes()));

    for wrong in [None, Some(key('2'))] {
        let is_other = wrong.is_some();
        let store = with(&fixture, wrong).await;
        let checked = store.check_key().await.unwrap_err();
        let read = store.results().get(&session("s1"), &ResultRef::from_text("r-1")).await.unwrap_err();
        let listed = store.contexts().list(&session("s1")).await.unwrap_err();
        let put = store.results().put(&result("r-2", b"plain")).await.unwrap_err();
        let again = store.results().put(&result("r-1", SECRET.as_bytes())).await.unwrap_err();
        let saved = store.contexts().save(&context("other")).await.unwrap_err();
        let errors: [&(dyn std::error::Error + 'static); 6] =
            [&checked, &read, &listed, &put, &again, &saved];
        for error in errors {
            let cause = cause(error);
            let expected = if is_other {
                matches!(cause, EncryptionError::OtherKey { .. })
            } else {
                matches!(cause, EncryptionError::NoKey { .. })
            };
            assert!(expected, "{cause:?}");
            let text = cause.to_string();
            assert!(text.contains(&own) && text.contains("encryption.key_file"), "{text}");
        }
        // What needs no key still works: the sizes of results, and deleting.
        let listed = store.results().list(&session("s1")).await.unwrap();
        assert_eq!(listed.iter().map(|info| info.bytes).collect::<Vec<_>>(), [SECRET.len() as u64]);
    }
    let contexts = store.contexts().list(&session("s1")).await.unwrap();
    assert_eq!(contexts, [context(SECRET)], "the refused writes changed nothing");
    let found = store.results().get(&session("s1"), &ResultRef::from_text("r-1")).await.unwrap();
    assert_eq!(found, Some(result("r-1", SECRET.as_bytes())));
    assert!(with(&fixture, None).await.sessions().remove(&session("s1")).await.unwrap());
    assert!(store.contexts().list(&session("s1")).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_was_written_before_encryption_stays_readable() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let sealed = {
        // What looks encrypted and was stored without a key comes back unchanged.
        let elsewhere = Fixture::new().await.with_session("s1").await;
        let store = with(&elsewhere, Some(key('2'))).await;
        store.results().put(&result("r-1", b"x")).await.unwrap();
        let sql = "SELECT content FROM tool_result_blobs";
        elsewhere.raw().query_row(sql, [], |row| row.get::<_, Vec<u8>>(0)).unwrap()
    };
    let all = [result("r-1", b"plain"), result("r-2", &sealed), result("r-3", b"")];
    for result in &all {
        fixture.store.results().put(result).await.unwrap();
    }
    let odd = StoredContext { context: "sealed:AAAA".to_owned(), ..context("") };
    fixture.store.contexts().save(&odd).await.unwrap();
    for store in [with(&fixture, None).await, with(&fixture, Some(key('1'))).await] {
        for result in &all {
            store.results().put(result).await.unwrap();
            assert_eq!(
                store.results().get(&result.session, &result.id).await.unwrap().as_ref(),
                Some(result)
            );
        }
        assert_eq!(store.contexts().list(&session("s1")).await.unwrap(), std::slice::from_ref(&odd));
    }
    let other = StoredResult { content: b"forged".to_vec(), ..all[0].clone() };
    let refused = with(&fixture, Some(key('1'))).await.results().put(&other).await.unwrap_err();
    assert!(matches!(refused, StoreError::Conflict(_)), "{refused}");
}

#[tokio::test]
async fn a_value_that_was_changed_or_moved_is_an_error_and_not_missing() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let store = with(&fixture, Some(key('1'))).await;
    for id in ["r-1", "r-2"] {
        store.results().put(&result(id, format!("of {id}").as_bytes())).await.unwrap();
    }
    store.contexts().save(&context("one")).await.unwrap();
    store.contexts().save(&StoredContext { covers: Seq(4), ..context("two") }).await.unwrap();
    let snapshot = Snapshot {
        session: session("s1"),
        covers: Seq(1),
        epoch: 0,
        reader: None,
        entries: Vec::new(),
        groups: Groups::default(),
        documents: Documents::default(),
        said: None,
        token_count: 0,
        at: Millis(1),
    };
    store.snapshots().save(&snapshot).await.unwrap();
    assert_eq!(store.snapshots().load(&session("s1")).await.unwrap(), Some(snapshot));
    let unread = with(&fixture, None).await.snapshots().load(&session("s1")).await.unwrap_err();
    assert!(matches!(cause(&unread), EncryptionError::NoKey { .. }), "{unread}");

    let moved = "UPDATE tool_result_blobs SET content = (SELECT content FROM tool_result_blobs WHERE id = 'r-2') \
                 WHERE id = 'r-1'";
    assert_eq!(fixture.raw().execute(moved, []).unwrap(), 1);
    let moved = "UPDATE session_contexts SET context = (SELECT context FROM session_contexts WHERE covers = 4) \
                 WHERE covers = 3";
    assert_eq!(fixture.raw().execute(moved, []).unwrap(), 1);
    let read = store.results().get(&session("s1"), &ResultRef::from_text("r-1")).await.unwrap_err();
    assert!(matches!(cause(&read), EncryptionError::Altered { .. }), "{read}");
    let listed = store.contexts().list(&session("s1")).await.unwrap_err();
    assert!(matches!(cause(&listed), EncryptionError::Altered { .. }), "{listed}");
    let put = store.results().put(&result("r-1", b"of r-1")).await.unwrap_err();
    assert!(matches!(cause(&put), EncryptionError::Altered { .. }), "{put}");
}

#[tokio::test]
async fn a_fork_of_an_encrypted_session_is_encrypted_for_itself() {
    let fixture = Fixture::new().await.with_session("s1").await;
    fixture.store.results().put(&result("r-0", b"plain")).await.unwrap();
    let store = with(&fixture, Some(key('1'))).await;
    store.results().put(&result("r-1", SECRET.as_bytes())).await.unwrap();

    let refused = with(&fixture, None).await.fork(&session("s1"), &info("new")).await.unwrap_err();
    assert!(matches!(cause(&refused), EncryptionError::NoKey { .. }), "{refused}");
    assert!(matches!(refused, DirectoryError::Other(_)));
    assert_eq!(store.sessions().get(&session("new")).await.unwrap(), None, "nothing is half written");

    store.fork(&session("s1"), &info("new")).await.unwrap();
    for (id, content) in [("r-0", "plain"), ("r-1", SECRET)] {
        let id = ResultRef::from_text(id);
        let copied = store.results().get(&session("new"), &id).await.unwrap().unwrap();
        assert_eq!(copied.content, content.as_bytes());
    }
    assert!(!is_found(&fixture, SECRET.as_bytes()));
}

#[tokio::test]
async fn what_is_recovered_is_encrypted_with_the_same_key() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let store = with(&fixture, Some(key('1'))).await;
    store.results().put(&result("r-1", SECRET.as_bytes())).await.unwrap();
    store.close().await.unwrap();
    let into = fixture.dir.path().join("new.db");
    let saved = recover(&fixture.path(), &into, None).await.unwrap();
    assert_eq!(saved.sessions.iter().map(|session| session.results).collect::<Vec<_>>(), [1]);
    assert!(!is_found(&fixture, SECRET.as_bytes()));
    let refused = Store::open(&into).await.unwrap().check_key().await.unwrap_err();
    assert!(matches!(refused, EncryptionError::NoKey { .. }), "{refused}");
    let new = Store::open(&into).await.unwrap().with_key(key('1'));
    let found = new.results().get(&session("s1"), &ResultRef::from_text("r-1")).await.unwrap();
    assert_eq!(found, Some(result("r-1", SECRET.as_bytes())));
}
