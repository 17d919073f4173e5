//! Large contents outside the database.

use std::sync::Arc;

use throughline_continuity::contract::session;
use throughline_continuity::{MessageLog as _, SessionDirectory as _};
use throughline_conversation::{Millis, ResultRef};
use throughline_resultstore::contract::{SESSIONS, contract_all};
use throughline_resultstore::{InMemoryBlobStore, ResultRepository as _, StoredResult};
use throughline_store::{CopiedSession, EncryptionKey, Store, recover};
use throughline_text::error_chain;

use super::{Fixture, create, info};

/// Contents of more bytes are objects.
const FROM: u64 = 1000;

struct Outside {
    fixture: Fixture,
    store: Store,
    blobs: Arc<InMemoryBlobStore>,
}

impl Outside {
    /// A file with the sessions s1 and s2, and an object store.
    async fn new() -> Self {
        let fixture = Fixture::new().await.with_session("s1").await.with_session("s2").await;
        let blobs = Arc::new(InMemoryBlobStore::new());
        let store = fixture.store.clone().with_blobs(blobs.clone(), FROM);
        Self { fixture, store, blobs }
    }

    /// The same with encryption.
    async fn encrypted() -> Self {
        let outside = Self::new().await;
        let key = EncryptionKey::from_text(&"1".repeat(64)).unwrap();
        Self { store: outside.store.clone().with_key(key), ..outside }
    }

    fn keys(&self) -> Vec<String> {
        self.blobs.call().unwrap().blobs().keys().cloned().collect()
    }

    /// Notes of objects that no row has.
    fn loose(&self) -> i64 {
        self.fixture.raw().query_row("SELECT count(*) FROM loose_objects", [], |row| row.get(0)).unwrap()
    }

    async fn read(&self, name: &str, id: &ResultRef) -> Vec<u8> {
        self.store.results().get(&session(name), id).await.unwrap().unwrap().content
    }

    async fn error(&self, name: &str, id: &ResultRef) -> String {
        error_chain(&self.store.results().get(&session(name), id).await.unwrap_err())
    }
}

fn large(letter: char) -> Vec<u8> {
    letter.to_string().repeat(5000).into_bytes()
}

fn result(name: &str, content: Vec<u8>) -> StoredResult {
    let session = session(name);
    let id = ResultRef::of(&session, &content);
    StoredResult { session, id, tool: "shell".to_owned(), content, at: Millis(3) }
}

#[tokio::test]
async fn results_outside_keep_the_contract() {
    for from in [0, FROM] {
        for encrypted in [false, true] {
            let outside = if encrypted { Outside::encrypted().await } else { Outside::new().await };
            let store = outside.fixture.reopened().await.store.with_blobs(outside.blobs.clone(), from);
            for name in SESSIONS {
                create(&store, name).await;
            }
            contract_all(&store.results()).await;
            assert_eq!(store.check().await.unwrap(), [""; 0]);
        }
    }
}

#[tokio::test]
async fn a_large_content_is_an_object_and_a_small_one_is_not() {
    let outside = Outside::new().await;
    let (small, large) = (result("s1", vec![b'x'; 1000]), result("s1", large('y')));
    for result in [&small, &large] {
        outside.store.results().put(result).await.unwrap();
        outside.store.results().put(result).await.unwrap();
        assert_eq!(outside.read("s1", &result.id).await, result.content);
    }
    assert_eq!((outside.keys().len(), outside.loose()), (1, 0));
    let bytes: i64 = outside
        .fixture
        .raw()
        .query_row("SELECT sum(length(content)) FROM tool_result_blobs", [], |row| row.get(0))
        .unwrap();
    assert_eq!(bytes, 1000);
    let listed = outside.store.results().list(&session("s1")).await.unwrap();
    assert_eq!(listed.iter().map(|info| info.bytes).sum::<u64>(), 6000);
}

#[tokio::test]
async fn an_object_stays_while_a_session_has_it() {
    let outside = Outside::new().await;
    let (one, two) = (result("s1", large('y')), result("s2", large('y')));
    outside.store.results().put(&one).await.unwrap();
    outside.store.results().put(&two).await.unwrap();
    assert_eq!(outside.keys().len(), 1, "equal contents are stored once");
    outside.store.fork(&session("s1"), &info("fork")).await.unwrap();
    for name in ["s1", "s2"] {
        assert!(outside.store.sessions().remove(&session(name)).await.unwrap());
        assert_eq!(outside.read("fork", &one.id).await, one.content);
        assert_eq!((outside.keys().len(), outside.loose()), (1, 0));
    }
    assert!(outside.store.sessions().remove(&session("fork")).await.unwrap());
    assert_eq!((outside.keys().len(), outside.loose()), (0, 0));
}

#[tokio::test]
async fn an_object_that_could_not_be_removed_is_removed_by_the_next_deletion() {
    let outside = Outside::new().await;
    let result = result("s1", large('y'));
    outside.store.results().put(&result).await.unwrap();
    outside.blobs.failures().fail_with("the place is away");
    assert!(outside.store.results().remove(&result.session, &result.id).await.unwrap());
    let error = outside.store.forget_deleted().await.unwrap_err();
    let error = error_chain(&error);
    assert!(error.contains("still in the object store") && error.contains("the place is away"), "{error}");
    assert_eq!(outside.store.results().get(&result.session, &result.id).await.unwrap(), None);
    assert!(outside.store.remove_objects().await.is_err());
    outside.blobs.failures().recover();
    assert!(!outside.store.results().remove(&result.session, &result.id).await.unwrap());
    assert_eq!((outside.keys().len(), outside.loose()), (0, 0));
    outside.store.remove_objects().await.unwrap();
}

#[tokio::test]
async fn while_the_object_store_fails_contents_go_into_the_database() {
    let outside = Outside::new().await;
    outside.blobs.failures().fail_with("the place is away");
    let first = result("s1", large('y'));
    outside.store.results().put(&first).await.unwrap();
    outside.blobs.failures().recover();
    assert_eq!(outside.read("s1", &first.id).await, first.content);
    // It is not asked again at once.
    outside.store.results().put(&result("s1", large('z'))).await.unwrap();
    assert_eq!(outside.keys(), [""; 0]);
    outside.store.remove_loose_objects().await.unwrap();
    assert_eq!(outside.loose(), 0);
}

#[tokio::test]
async fn an_object_that_was_never_written_is_not_reported_as_left() {
    let outside = Outside::new().await;
    outside.blobs.failures().fail_with("there is no such bucket");
    let first = result("s1", large('y'));
    outside.store.results().put(&first).await.unwrap();
    assert_eq!(outside.loose(), 1, "it may have been written all the same");
    assert!(outside.store.sessions().remove(&session("s1")).await.unwrap());
    outside.store.forget_deleted().await.unwrap();
    outside.blobs.failures().recover();
    outside.store.forget_deleted().await.unwrap();
    assert_eq!((outside.keys().len(), outside.loose()), (0, 0));
}

#[tokio::test]
async fn a_missing_or_damaged_object_is_named_and_hinders_no_other() {
    let outside = Outside::new().await;
    let all = ['a', 'b', 'c'].map(|letter| result("s1", large(letter)));
    for result in &all {
        outside.store.results().put(result).await.unwrap();
    }
    let [missing, damaged, sound] = &all;
    for (key, bytes) in outside.blobs.call().unwrap().blobs() {
        match bytes.first() {
            Some(b'a') => *bytes = b"gone".to_vec(),
            Some(b'b') => bytes[77] = b'!',
            _ => assert!(key.contains('/')),
        }
    }
    let key = outside.blobs.call().unwrap().blobs().iter().find(|(_, b)| *b == b"gone").unwrap().0.clone();
    outside.blobs.call().unwrap().blobs().remove(&key);

    let said = outside.error("s1", &missing.id).await;
    for part in [missing.id.as_str(), "session s1", "memory:blobs", &key, "storage.blobs"] {
        assert!(said.contains(part), "{said}");
    }
    let said = outside.error("s1", &damaged.id).await;
    assert!(said.contains("is damaged") && said.contains(damaged.id.as_str()), "{said}");
    assert_eq!(outside.read("s1", &sound.id).await, sound.content);
    assert_eq!(outside.store.results().list(&session("s1")).await.unwrap().len(), 3);
    outside.store.fork(&session("s1"), &info("fork")).await.unwrap();
    assert_eq!(outside.read("fork", &sound.id).await, sound.content);
    // Bytes that come again for another session are written whole, not shared.
    outside.store.results().put(&result("s2", large('a'))).await.unwrap();
    assert_eq!(outside.read("s2", &result("s2", large('a')).id).await, large('a'));
    // Without an object store, the error says what to set.
    let bare = Store::open(&outside.fixture.path()).await.unwrap();
    let said = bare.results().get(&session("s1"), &sound.id).await.unwrap_err();
    assert!(error_chain(&said).contains("set storage.blobs"), "{said}");
    for name in ["s1", "fork"] {
        assert!(bare.sessions().remove(&session(name)).await.unwrap());
    }
    let said = bare.remove_loose_objects().await.unwrap_err().to_string();
    assert!(said.contains("set storage.blobs"), "{said}");
}

#[tokio::test]
async fn an_encrypted_content_is_encrypted_in_its_object_and_in_that_of_a_fork() {
    let outside = Outside::encrypted().await;
    let result = result("s1", large('y'));
    outside.store.results().put(&result).await.unwrap();
    outside.store.fork(&session("s1"), &info("fork")).await.unwrap();
    assert_eq!((outside.keys().len(), outside.loose()), (2, 0));
    for bytes in outside.blobs.call().unwrap().blobs().values() {
        assert!(!bytes.windows(20).any(|part| part == &large('y')[..20]), "an object has plain text");
    }
    assert_eq!(outside.read("fork", &result.id).await, result.content);
    assert!(outside.store.sessions().remove(&session("s1")).await.unwrap());
    assert_eq!(outside.read("fork", &result.id).await, result.content);
    assert_eq!((outside.keys().len(), outside.loose()), (1, 0));
}

#[tokio::test]
async fn an_object_of_a_writer_that_ended_is_removed_after_a_day() {
    let outside = Outside::new().await;
    outside.blobs.call().unwrap().blobs().insert("ab/old".to_owned(), Vec::new());
    outside.blobs.call().unwrap().blobs().insert("ab/new".to_owned(), Vec::new());
    let now = "CAST(unixepoch('subsec') * 1000000 AS INTEGER)";
    let note = format!(
        "INSERT INTO loose_objects VALUES ('memory:blobs/ab/old', {now} - 25 * 3600 * 1000000, 0), \
                                          ('memory:blobs/ab/new', {now} - 23 * 3600 * 1000000, 0)"
    );
    outside.fixture.raw().execute_batch(&note).unwrap();
    outside.store.remove_loose_objects().await.unwrap();
    assert_eq!((outside.keys(), outside.loose()), (vec!["ab/new".to_owned()], 1));
}

#[tokio::test]
async fn a_copy_has_objects_of_its_own_or_none() {
    for encrypted in [false, true] {
        let outside = if encrypted { Outside::encrypted().await } else { Outside::new().await };
        let (one, two) = (result("s1", large('y')), result("s1", vec![b'x'; 10]));
        outside.store.results().put(&one).await.unwrap();
        outside.store.results().put(&two).await.unwrap();
        let bare = Fixture::new().await;
        let copied = outside.store.copy_session(&session("s1"), &bare.store).await.unwrap();
        assert_eq!(copied, CopiedSession::Copied { records: 0, results: 2 });
        let again = outside.store.copy_session(&session("s1"), &bare.store).await.unwrap();
        assert_eq!(again, CopiedSession::Same, "where a content is makes no difference");

        let other = Fixture::new().await;
        let blobs = Arc::new(InMemoryBlobStore::new());
        let to = other.store.clone().with_blobs(blobs.clone(), FROM);
        bare.store.copy_session(&session("s1"), &to).await.unwrap();
        assert_eq!(blobs.call().unwrap().blobs().len(), 1);
        assert!(outside.store.sessions().remove(&session("s1")).await.unwrap());
        let to = match encrypted {
            true => to.with_key(EncryptionKey::from_text(&"1".repeat(64)).unwrap()),
            false => to,
        };
        for result in [&one, &two] {
            let found = to.results().get(&session("s1"), &result.id).await.unwrap();
            assert_eq!(found.as_ref(), Some(result));
        }
    }
}

#[tokio::test]
async fn a_copy_of_a_session_with_a_missing_object_fails_whole() {
    let outside = Outside::new().await;
    outside.store.results().put(&result("s1", large('y'))).await.unwrap();
    outside.store.results().put(&result("s1", large('z'))).await.unwrap();
    let lost = outside.keys()[1].clone();
    outside.blobs.call().unwrap().blobs().remove(&lost);
    let other = Fixture::new().await;
    let blobs = Arc::new(InMemoryBlobStore::new());
    let to = other.store.clone().with_blobs(blobs.clone(), FROM);
    let failed = outside.store.copy_session(&session("s1"), &to).await.unwrap_err();
    assert!(failed.to_string().contains(&lost), "{failed}");
    assert_eq!(to.sessions().list().await.unwrap().len(), 0);
    assert_eq!(blobs.call().unwrap().blobs().len(), 0, "objects of a copy that failed are left");
}

#[tokio::test]
async fn recovery_finds_the_rows_and_leaves_the_objects() {
    let outside = Outside::new().await;
    let one = result("s1", large('y'));
    outside.store.results().put(&one).await.unwrap();
    outside.store.results().put(&result("s2", vec![b'x'; 10])).await.unwrap();
    outside.store.fold().await.unwrap();
    let into = outside.fixture.dir.path().join("new.db");
    let saved = recover(&outside.fixture.path(), &into, None).await.unwrap();
    assert_eq!(saved.sessions.iter().map(|one| one.results).collect::<Vec<_>>(), [1, 1]);
    let new = Store::open(&into).await.unwrap().with_blobs(outside.blobs.clone(), FROM);
    new.remove_loose_objects().await.unwrap();
    let found = new.results().get(&session("s1"), &one.id).await.unwrap();
    assert_eq!(found, Some(one));
    assert_eq!(new.message_log().last(&session("s1")).await.unwrap().0, 0);
}
