//! Damaged files and rows: what is lost is named, and nothing else is lost.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;

use expect_test::expect;
use throughline_continuity::contract::{SampleCounter, sample_log, session};
use throughline_continuity::{
    LogError, LogPage, MessageLog, Part, SessionDirectory, SnapshotError, SnapshotStore, read_all, resume,
    snapshot_of,
};
use throughline_conversation::{Millis, Record, RecordBody, Seq, Span, project};
use throughline_store::{DatabaseError, OpenError, Store};

use super::Fixture;

async fn kept(records: &[Record]) -> Fixture {
    let fixture = Fixture::new().await.with_session("s1").await;
    fixture.store.message_log().append(&session("s1"), records).await.unwrap();
    fixture
}

/// Bits that flip, zeros instead of text, text that ends early.
#[tokio::test]
async fn a_damaged_record_is_named_and_the_others_are_read() {
    let all = sample_log(9, 60);
    let fixture = kept(&all).await;
    let changes = [
        "payload = replace(payload, 'kind', 'kinb')",
        "payload = substr(payload, 1, length(payload) - 3)",
        "payload = payload || char(0)",
        "payload = cast(zeroblob(100) AS TEXT)",
        "payload = cast(x'7b22fffe' AS TEXT)",
        "digest = digest + 1",
        "exchange = -5",
    ];
    for change in changes {
        let raw = fixture.raw();
        raw.execute_batch(&format!("SAVEPOINT one; UPDATE log SET {change} WHERE seq = 17; RELEASE one"))
            .unwrap();
        let log = fixture.store.message_log();
        let read = read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap();
        let places: Vec<Span> = read.unreadable.iter().map(|lost| lost.span).collect();
        assert_eq!(places, [Span::one(Seq(17))], "{change}");
        check_complete(&read, &all);
        assert_eq!(
            read_all(&log, &session("s1"), Seq(17), Part::All).await.unwrap().records,
            all[17..],
            "{change}"
        );
        assert_eq!(log.last(&session("s1")).await.unwrap(), Seq(all.len() as u64));
        assert_eq!(fixture.store.sessions().list().await.unwrap().len(), 1, "the session stays on the list");
        raw.execute_batch("DELETE FROM log; UPDATE sessions SET last_seq = 0, last_check = 0").unwrap();
        log.append(&session("s1"), &all).await.unwrap();
    }
}

#[tokio::test]
async fn a_record_that_is_gone_is_named() {
    let all = sample_log(9, 60);
    let fixture = kept(&all).await;
    fixture.raw().execute("DELETE FROM log WHERE seq = 23", []).unwrap();
    let log = fixture.store.message_log();
    let read = read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap();
    expect!["record 23 is lost: missing"].assert_eq(&read.unreadable[0].to_string());
    check_complete(&read, &all);
    assert_eq!(read_all(&log, &session("s1"), Seq(23), Part::All).await.unwrap().records, all[23..]);
}

/// A flipped bit makes 17 out of 19, so that one place has two rows; or gives the row to another session. Records are found by the
/// index of the key, which says what is missing; the row's own copy of its key is not needed.
#[tokio::test]
async fn a_record_whose_key_is_damaged_is_named() {
    let all = sample_log(9, 60);
    let Fixture { dir, store } = kept(&all).await;
    store.close().await.unwrap();
    let path = dir.path().join("x.db");
    let sound = std::fs::read(&path).unwrap();
    for seq in (3..=all.len()).step_by(4) {
        let place = seq as u8;
        let row = [b"s1", &[place][..], all[seq - 1].body.kind().as_bytes()].concat();
        // Rows are numbered as the records are.
        let in_index = [b"s1", &[place, place][..]].concat();
        for (key, is_index) in [(row, false), (in_index, true)] {
            let start = sound.windows(key.len()).position(|window| window == key).unwrap();
            for at in [start, start + 2] {
                let mut bytes = sound.clone();
                bytes[at] ^= 1 << 1;
                std::fs::write(&path, bytes).unwrap();
                let store = Store::open(&path).await.unwrap();
                let log = store.message_log();
                let read = read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap();
                check_complete(&read, &all);
                let named = read.unreadable.iter().any(|lost| lost.span.holds(Span::one(all[seq - 1].seq)));
                assert_eq!(named, is_index, "record {seq}, byte {at}: {:?}", read.unreadable);
                store.close().await.unwrap();
            }
        }
    }
}

/// The end of the log is stored apart from the records.
#[tokio::test]
async fn records_that_are_gone_at_the_end_are_named_and_their_places_stay_free() {
    let all = sample_log(9, 700);
    let fixture = kept(&all[..600]).await;
    fixture.raw().execute("DELETE FROM log WHERE seq > 42", []).unwrap();
    let log = fixture.store.message_log();
    for after in [0, 42, 599] {
        let read = read_all(&log, &session("s1"), Seq(after), Part::View).await.unwrap();
        let last = Seq(600);
        assert_eq!(
            read.unreadable.last().map(|lost| lost.span),
            Some(Span { first: Seq(43), last }),
            "{after}"
        );
    }
    assert_eq!(log.last(&session("s1")).await.unwrap(), Seq(600));
    let again = log.append(&session("s1"), &all[42..43]).await.unwrap_err();
    assert!(matches!(again, LogError::Conflict { expected: Seq(601), .. }), "{again:?}");
    log.append(&session("s1"), &all[600..]).await.unwrap();
    let read = read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap();
    expect!["records 43 to 600 are lost: missing"].assert_eq(&read.unreadable[0].to_string());
    assert_eq!(read.records.len(), 42 + all.len() - 600);
}

/// A number that says where the log ends may be damaged too. It must not invent records without end.
#[tokio::test]
async fn a_damaged_end_is_not_believed() {
    let all = sample_log(9, 60);
    let fixture = kept(&all).await;
    fixture.raw().execute("UPDATE sessions SET last_seq = 4611686018427387904", []).unwrap();
    let log = fixture.store.message_log();
    assert_eq!(log.last(&session("s1")).await.unwrap(), Seq(all.len() as u64));
    check_complete(&read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap(), &all);
}

#[tokio::test]
async fn a_database_that_is_removed_under_a_session_is_noticed() {
    let all = sample_log(9, 60);
    let fixture = kept(&all[..30]).await;
    let log = fixture.store.message_log();
    for name in ["x.db", "x.db-wal", "x.db-shm"] {
        std::fs::remove_file(fixture.dir.path().join(name)).unwrap();
    }
    let error = log.append(&session("s1"), &all[30..40]).await.unwrap_err();
    assert!(
        matches!(&error, LogError::Full(why) if why.contains("was removed, moved or replaced")),
        "{error:?}"
    );
    assert!(fixture.store.check_place().is_err());
    // Another file in its place is another database.
    std::fs::write(fixture.path(), "").unwrap();
    assert!(log.append(&session("s1"), &all[30..40]).await.is_err());
}

/// A receipt that cannot be read takes nothing from the list but its figure.
#[tokio::test]
async fn a_damaged_receipt_keeps_no_session_off_the_list() {
    let all = sample_log(3, 200);
    let fixture = kept(&all).await;
    let before = fixture.store.sessions().list().await.unwrap().remove(0);
    assert!(before.last_tokens.is_some(), "the sample has a receipt");
    fixture.raw().execute("UPDATE log SET payload = 'x' WHERE kind = 'receipt'", []).unwrap();
    let after = fixture.store.sessions().list().await.unwrap().remove(0);
    assert_eq!(after.last_tokens, None);
    assert_eq!((after.records, after.requests), (before.records, before.requests));
}

// S3-20
#[tokio::test]
async fn a_damaged_snapshot_is_noticed_and_the_log_takes_its_place() {
    let all = sample_log(9, 60);
    let live = project(&all, &SampleCounter).unwrap();
    // A mark reaches back, so a snapshot from before it is of no use.
    let cut =
        all.iter().rposition(|record| matches!(record.body, RecordBody::Mark(_))).map_or(40, |at| at + 1);
    let changes = [
        "messages = replace(messages, 'plain', 'plane')",
        "messages = substr(messages, 2)",
        "messages = ''",
        "covers = covers + 1",
        "epoch = epoch + 1",
        "token_count = 0",
        "digest = 0",
    ];
    for change in changes {
        let fixture = kept(&all).await;
        let (log, snapshots) = (fixture.store.message_log(), fixture.store.snapshots());
        let early = project(&all[..cut], &SampleCounter).unwrap();
        snapshots.save(&snapshot_of(&session("s1"), &early, Millis(3))).await.unwrap();
        let resumed = resume(&log, &snapshots, &session("s1"), &SampleCounter).await.unwrap();
        assert!(resumed.from_snapshot);
        assert_eq!(resumed.view, live);
        fixture.raw().execute(&format!("UPDATE session_snapshots SET {change}"), []).unwrap();
        let error = snapshots.load(&session("s1")).await.unwrap_err();
        assert!(matches!(error, SnapshotError::Damaged(_)), "{change}: {error:?}");
        let resumed = resume(&log, &snapshots, &session("s1"), &SampleCounter).await.unwrap();
        assert!(resumed.rebuilt.is_some() && !resumed.from_snapshot, "{change}");
        assert_eq!(resumed.view, live, "{change}");
        snapshots.remove(&session("s1")).await.unwrap();
        assert_eq!(snapshots.load(&session("s1")).await.unwrap(), None, "a damaged one can be removed");
    }
}

/// Every record comes back unchanged, or is named.
#[track_caller]
fn check_complete(read: &LogPage, all: &[Record]) {
    for one in all {
        let named = read.unreadable.iter().any(|lost| lost.span.holds(Span::one(one.seq)));
        assert!(named != read.records.contains(one), "record {}: {:?}", one.seq, read.unreadable);
    }
    assert!(read.records.iter().all(|one| all.contains(one)), "a wrong record was read");
}

/// Pages of the file itself are overwritten.
#[tokio::test]
async fn a_damaged_file_loses_no_record_silently() {
    let all = sample_log(9, 500);
    let fixture = kept(&all).await;
    let Fixture { dir, store } = fixture;
    store.close().await.unwrap();
    let path = dir.path().join("x.db");
    let sound = std::fs::read(&path).unwrap();
    let pages = sound.len() / 4_096;
    assert!(pages > 20);
    let mut noticed = 0;
    for page in 0..pages {
        std::fs::write(&path, &sound).unwrap();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.write_all_at(&[0xa5; 700], page as u64 * 4_096 + 1_500).unwrap();
        drop(file);
        let _ = std::fs::remove_file(dir.path().join("x.db-wal"));
        let store = match Store::open(&path).await {
            Ok(store) => store,
            Err(OpenError::Database(DatabaseError::Corrupt { .. } | DatabaseError::NotADatabase { .. })) => {
                noticed += 1;
                continue;
            }
            Err(error) => panic!("page {page}: {error:?}"),
        };
        match read_all(&store.message_log(), &session("s1"), Seq(0), Part::All).await {
            Ok(read) => {
                check_complete(&read, &all);
                noticed += usize::from(!read.unreadable.is_empty());
            }
            Err(LogError::Other(_)) => noticed += 1,
            Err(error) => panic!("page {page}: {error:?}"),
        }
        store.close().await.unwrap();
    }
    // Reading the log needs neither the index of kinds nor other tables.
    assert!(noticed * 5 > pages * 2, "only {noticed} of {pages} damaged pages were noticed");
}

#[tokio::test]
async fn the_check_finds_damage_and_nothing_else() {
    let fixture = kept(&sample_log(9, 300)).await;
    assert_eq!(fixture.store.check().await.unwrap(), Vec::<String>::new());
    fixture.raw().execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM sessions WHERE id = 's1'").unwrap();
    let found = fixture.store.check().await.unwrap();
    assert_eq!(found.first().map(String::as_str), Some("a row of log belongs to no session"));
}

/// The log as versions before the tenth change have it.
const WITHOUT_ROW_NUMBERS: &str = "PRAGMA legacy_alter_table = ON; \
    CREATE TABLE older (session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, \
    seq INTEGER NOT NULL CHECK (seq > 0), kind TEXT NOT NULL, exchange INTEGER NOT NULL, at INTEGER NOT NULL, \
    digest INTEGER NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (session_id, seq)) STRICT, WITHOUT ROWID; \
    INSERT INTO older SELECT * FROM log; DROP TABLE log; ALTER TABLE older RENAME TO log; \
    CREATE INDEX log_by_kind ON log (session_id, kind, seq); \
    CREATE TRIGGER log_appended AFTER INSERT ON log BEGIN SELECT 1; END; PRAGMA user_version = 9; VACUUM";

#[tokio::test]
async fn an_older_log_is_copied_unless_it_is_too_damaged_and_loses_no_record_silently() {
    let all = sample_log(9, 200);
    let Fixture { dir, store } = kept(&all).await;
    store.close().await.unwrap();
    let path = dir.path().join("x.db");
    let raw = |sql: &str| rusqlite::Connection::open(&path).unwrap().execute_batch(sql);
    raw(WITHOUT_ROW_NUMBERS).unwrap();
    let older = std::fs::read(&path).unwrap();
    let is_copied = || raw("SELECT rowid FROM log LIMIT 1").is_ok();
    assert!(!is_copied());
    let store = Store::open(&path).await.unwrap();
    let read = read_all(&store.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap();
    assert!(read.records == all && read.unreadable.is_empty(), "{:?}", read.unreadable);
    store.close().await.unwrap();
    assert!(is_copied());
    let (mut copied, mut unchanged, mut unopened) = (0, 0, 0);
    for page in 0..older.len() / 4_096 {
        std::fs::write(&path, &older).unwrap();
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.write_all_at(&[0xa5; 700], page as u64 * 4_096).unwrap();
        drop(file);
        let store = match Store::open(&path).await {
            Ok(store) => store,
            Err(OpenError::Database(DatabaseError::Corrupt { .. } | DatabaseError::NotADatabase { .. })) => {
                unopened += 1;
                continue;
            }
            Err(error) => panic!("page {page}: {error:?}"),
        };
        if let Ok(read) = read_all(&store.message_log(), &session("s1"), Seq(0), Part::All).await {
            check_complete(&read, &all);
        }
        store.close().await.unwrap();
        *(if is_copied() { &mut copied } else { &mut unchanged }) += 1;
    }
    assert!(copied > 0 && unchanged > 0, "{copied} copied, {unchanged} unchanged");
    assert!(unopened < 6, "more than the header and the table of sessions: {unopened}");
}

/// SQLite removes the log of an empty database.
#[tokio::test]
async fn a_log_whose_database_is_empty_or_missing_stays() {
    let fixture = kept(&sample_log(9, 60)).await;
    let folder = tempfile::tempdir().unwrap();
    let (path, log) = (folder.path().join("x.db"), folder.path().join("x.db-wal"));
    let bytes = std::fs::copy(fixture.dir.path().join("x.db-wal"), &log).unwrap();
    assert!(bytes > 0);
    for is_there in [false, true] {
        if is_there {
            std::fs::write(&path, "").unwrap();
        }
        for opened in [Store::open(&path).await, Store::open_read_only(&path).await] {
            let error = opened.unwrap_err();
            assert!(matches!(error, OpenError::Emptied { .. }), "{error:?}");
            assert!(error.to_string().contains("x.db-wal has records"), "{error}");
        }
        assert_eq!((path.exists(), std::fs::metadata(&log).unwrap().len()), (is_there, bytes));
    }
    std::fs::rename(&log, folder.path().join("safe")).unwrap();
    Store::open(&path).await.unwrap();
}

/// A database of an older version does not say where its logs end. Its snapshots do.
#[tokio::test]
async fn the_end_of_an_older_database_is_what_its_snapshot_covers() {
    let all = sample_log(9, 60);
    let fixture = kept(&all).await;
    let view = project(&all, &SampleCounter).unwrap();
    fixture.store.snapshots().save(&snapshot_of(&session("s1"), &view, Millis(3))).await.unwrap();
    let Fixture { dir, store } = fixture;
    store.close().await.unwrap();
    let path = dir.path().join("x.db");
    let older = "DROP TABLE user_tokens; DROP TABLE session_owners; DROP TABLE session_parents; DROP TABLE audit_log; DROP TRIGGER result_object_deleted; DROP INDEX tool_result_blobs_by_object; DROP TABLE loose_objects; \
                 ALTER TABLE tool_result_blobs DROP COLUMN object; DROP TABLE session_contexts; DROP TABLE encryption; \
                 DROP TRIGGER log_appended; DROP TRIGGER sessions_created; DROP INDEX sessions_by_writing; \
                 ALTER TABLE sessions DROP COLUMN last_seq; ALTER TABLE sessions DROP COLUMN last_check; \
                 ALTER TABLE sessions DROP COLUMN written; DELETE FROM log WHERE seq > 42; PRAGMA user_version = 3";
    rusqlite::Connection::open(&path).unwrap().execute_batch(older).unwrap();
    let store = Store::open(&path).await.unwrap();
    let read = read_all(&store.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap();
    let last = view.last();
    assert_eq!(
        read.unreadable.iter().map(|lost| lost.span).collect::<Vec<_>>(),
        [Span { first: Seq(43), last }]
    );
    let resumed =
        resume(&store.message_log(), &store.snapshots(), &session("s1"), &SampleCounter).await.unwrap();
    assert_eq!(resumed.view, view, "the snapshot still has what the log has lost");
    assert_eq!(resumed.unreadable.len(), 1);
}
