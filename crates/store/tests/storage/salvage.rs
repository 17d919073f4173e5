//! What is readable of a damaged database is saved into a new one, and what is lost is named.

use std::fs;

use throughline_continuity::contract::{SampleCounter, sample_log, session};
use throughline_continuity::{MessageLog, Part, SessionDirectory, SnapshotStore, read_all, snapshot_of};
use throughline_conversation::{ExchangeId, Millis, Record, ResultRef, Seq, Span, project};
use throughline_memory::{MemoDraft, MemoFilter, MemoOrigin, NoteRepository, Scope};
use throughline_resultstore::{ResultRepository, StoredResult};
use throughline_store::{RecoverError, RecoveredSession, Store, recover};

use super::{Fixture, info};

fn result(owner: &str, id: &str) -> StoredResult {
    StoredResult {
        session: session(owner),
        id: ResultRef::from_text(id),
        tool: "shell".to_owned(),
        content: format!("what {id} said").into_bytes(),
        at: Millis(3),
    }
}

fn memo(content: &str) -> MemoDraft {
    let origin = MemoOrigin {
        workspace: Some("/home/ann".to_owned()),
        session: Some(session("one")),
        exchange: Some(ExchangeId(3)),
    };
    MemoDraft::new(content, &["tag", "other"], origin, Millis(7)).unwrap()
}

/// A database with two sessions, results, a snapshot and memos, and the logs of the sessions.
async fn filled() -> (Fixture, Vec<Record>, Vec<Record>) {
    let fixture = Fixture::new().await;
    let store = &fixture.store;
    let (one, two) = (sample_log(9, 60), sample_log(3, 20));
    for (id, title, log) in [("one", "The first", &one), ("two", "The second", &two)] {
        let info = throughline_continuity::SessionInfo { title: title.to_owned(), ..info(id) };
        store.sessions().create(&info).await.unwrap();
        store.message_log().append(&session(id), log).await.unwrap();
    }
    for (owner, id) in [("one", "r-1"), ("one", "r-2"), ("two", "r-3")] {
        store.results().put(&result(owner, id)).await.unwrap();
    }
    let view = project(&one, &SampleCounter).unwrap();
    store.snapshots().save(&snapshot_of(&session("one"), &view, Millis(5))).await.unwrap();
    for content in ["Tests need git.", "The port is 8080."] {
        store.notes().save(&memo(content)).await.unwrap();
    }
    (fixture, one, two)
}

async fn records(store: &Store, id: &str) -> Vec<Record> {
    read_all(&store.message_log(), &session(id), Seq(0), Part::All).await.unwrap().records
}

fn whole(id: &str, title: &str, records: &[Record], results: usize) -> RecoveredSession {
    let (id, title) = (id.to_owned(), title.to_owned());
    RecoveredSession { id, title, records: records.len(), lost: Vec::new(), results }
}

#[tokio::test]
async fn everything_of_a_sound_database_is_saved() {
    let (fixture, one, two) = filled().await;
    let into = fixture.dir.path().join("new.db");
    let saved = recover(&fixture.path(), &into, None).await.unwrap();
    assert_eq!(saved.memos, 2);
    assert_eq!(saved.sessions, [whole("one", "The first", &one, 2), whole("two", "The second", &two, 1)]);
    let new = Store::open(&into).await.unwrap();
    assert_eq!((records(&new, "one").await, records(&new, "two").await), (one, two));
    let by_id = |mut list: Vec<throughline_continuity::SessionSummary>| {
        list.sort_by(|a, b| a.info.id.cmp(&b.info.id));
        list
    };
    let (before, after) =
        (fixture.store.sessions().list().await.unwrap(), new.sessions().list().await.unwrap());
    assert_eq!(by_id(after), by_id(before));
    for (owner, id) in [("one", "r-1"), ("one", "r-2"), ("two", "r-3")] {
        let found = new.results().get(&session(owner), &ResultRef::from_text(id)).await.unwrap();
        assert_eq!(found, Some(result(owner, id)));
    }
    let snapshot = fixture.store.snapshots().load(&session("one")).await.unwrap();
    assert!(snapshot.is_some());
    assert_eq!(new.snapshots().load(&session("one")).await.unwrap(), snapshot);
    let all = MemoFilter::of(Scope::folder("/home/ann"));
    let memos = new.notes().list(&all).await.unwrap();
    assert_eq!(memos, fixture.store.notes().list(&all).await.unwrap());
    assert_eq!(memos.len(), 2);
    assert_eq!(new.check().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn one_session_is_saved_by_the_beginning_of_its_id_and_without_memos() {
    let (fixture, one, _) = filled().await;
    let into = fixture.dir.path().join("new.db");
    let saved = recover(&fixture.path(), &into, Some("on")).await.unwrap();
    assert_eq!(saved.sessions, [whole("one", "The first", &one, 2)]);
    assert_eq!(saved.memos, 0);
    let new = Store::open(&into).await.unwrap();
    assert_eq!(new.sessions().list().await.unwrap().len(), 1);
    assert_eq!(records(&new, "one").await, one);
    let refused = recover(&fixture.path(), &fixture.dir.path().join("other.db"), Some("three")).await;
    assert!(matches!(refused, Err(RecoverError::NoSession(id)) if id == "three"));
    let missing = recover(&fixture.dir.path().join("missing.db"), &into, None).await;
    assert!(matches!(missing, Err(RecoverError::Unreadable { .. })));
}

#[tokio::test]
async fn lost_records_are_named_and_no_damaged_one_is_saved() {
    let (fixture, one, two) = filled().await;
    let last = one.len() as u64;
    let change = format!(
        "UPDATE log SET payload = replace(payload, 'kind', 'kinb') WHERE session_id = 'one' AND seq IN (1, 17); \
         UPDATE log SET digest = digest + 1 WHERE session_id = 'one' AND seq = 18; \
         DELETE FROM log WHERE session_id = 'one' AND seq IN (30, {last}); \
         UPDATE tool_result_blobs SET byte_size = byte_size + 1 WHERE id = 'r-2'; \
         UPDATE session_snapshots SET digest = digest + 1; \
         UPDATE llm_memos SET content = content || '?' WHERE content LIKE 'Tests%'; \
         VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"
    );
    fixture.raw().execute_batch(&change).unwrap();
    let into = fixture.dir.path().join("new.db");
    let saved = recover(&fixture.path(), &into, None).await.unwrap();
    let span = |first, last| Span { first: Seq(first), last: Seq(last) };
    let first = RecoveredSession {
        records: one.len() - 5,
        lost: vec![span(1, 1), span(17, 18), span(30, 30), span(last, last)],
        ..whole("one", "The first", &one, 1)
    };
    assert_eq!(saved.sessions, [first, whole("two", "The second", &two, 1)]);
    assert_eq!(saved.memos, 1);
    let new = Store::open(&into).await.unwrap();
    let gone = [1, 17, 18, 30, last];
    let left: Vec<Record> = one.into_iter().filter(|record| !gone.contains(&record.seq.0)).collect();
    assert_eq!(records(&new, "one").await, left);
    assert_eq!(new.snapshots().load(&session("one")).await.unwrap(), None);
    let read = read_all(&new.message_log(), &session("one"), Seq(0), Part::All).await.unwrap();
    assert_eq!(read.unreadable.iter().map(|lost| lost.span).collect::<Vec<_>>(), saved.sessions[0].lost);
}

/// Where a log ends is also known from its snapshot and from the index of its records.
#[tokio::test]
async fn a_session_whose_entry_is_lost_is_saved_without_its_title() {
    let (fixture, one, two) = filled().await;
    let covers = one.len() as u64;
    fixture
        .raw()
        .execute_batch(&format!(
            "PRAGMA foreign_keys = OFF; DELETE FROM sessions WHERE id = 'one'; \
             DELETE FROM log WHERE session_id = 'one' AND seq > {} ; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)",
            covers - 3
        ))
        .unwrap();
    let into = fixture.dir.path().join("new.db");
    let saved = recover(&fixture.path(), &into, None).await.unwrap();
    let lost = vec![Span { first: Seq(covers - 2), last: Seq(covers) }];
    let first = RecoveredSession { records: one.len() - 3, lost, ..whole("one", "", &one, 2) };
    assert_eq!(saved.sessions, [first, whole("two", "The second", &two, 1)]);
    let new = Store::open(&into).await.unwrap();
    let listed = new.sessions().list().await.unwrap();
    let of_one = listed.iter().find(|listed| listed.info.id == session("one")).unwrap();
    let began = one.iter().map(|record| record.at).min().unwrap();
    assert_eq!((of_one.info.title.as_str(), of_one.info.created), ("", began));
    assert_eq!(new.message_log().last(&session("one")).await.unwrap(), Seq(covers));
}

#[tokio::test]
async fn a_session_of_which_only_results_are_left_is_not_saved() {
    let (fixture, ..) = filled().await;
    fixture
        .raw()
        .execute_batch(
            "PRAGMA foreign_keys = OFF; DELETE FROM sessions; DELETE FROM log; DELETE FROM llm_memos; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)",
        )
        .unwrap();
    let into = fixture.dir.path().join("new.db");
    let saved = recover(&fixture.path(), &into, None).await.unwrap();
    assert_eq!((saved.sessions.len(), saved.memos), (0, 0));
    let new = Store::open(&into).await.unwrap();
    assert_eq!(new.results().get(&session("one"), &ResultRef::from_text("r-1")).await.unwrap(), None);
    assert_eq!(new.check().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_file_that_is_no_database_has_nothing_to_save() {
    let fixture = Fixture::new().await;
    let path = fixture.dir.path().join("text.db");
    fs::write(&path, "no database\n".repeat(2_000)).unwrap();
    let into = fixture.dir.path().join("new.db");
    let saved = recover(&path, &into, None).await.unwrap();
    assert_eq!((saved.sessions.len(), saved.memos), (0, 0));
}
