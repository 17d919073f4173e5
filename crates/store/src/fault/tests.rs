//! What SQLite's own errors become: each is caused for real.

use std::path::PathBuf;

use std::sync::Arc;
use std::time::Duration;

use expect_test::{Expect, expect};
use sea_orm::ConnectionTrait;
use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{
    DirectoryError, LogError, MessageLog, SessionDirectory, SessionInfo, SnapshotError, SnapshotStore,
    snapshot_of,
};
use throughline_conversation::{Millis, Seq, View};

use super::*;
use crate::database::Database;
use crate::durability::Durability;
use crate::message_log::SeaMessageLog;
use crate::migration;
use crate::session_directory::SeaSessionDirectory;
use crate::snapshot_store::SeaSnapshotStore;

async fn memory() -> Arc<Database> {
    let database = Database::memory().await.unwrap();
    migration::migrate(&database).await.unwrap();
    Arc::new(database)
}

async fn execute(database: &Database, sql: &str) {
    database.connection.execute_unprepared(sql).await.unwrap();
}

fn info(id: &str) -> SessionInfo {
    SessionInfo {
        id: session(id),
        title: String::new(),
        workspace: String::new(),
        model: String::new(),
        created: Millis(0),
    }
}

#[tokio::test]
async fn a_full_disk_is_reported_and_loses_nothing_that_was_stored() {
    let database = memory().await;
    SeaSessionDirectory::new(database.clone()).create(&info("s1")).await.unwrap();
    let log = SeaMessageLog::new(database.clone());
    execute(&database, "PRAGMA max_page_count = 30").await;
    let all = sample_log(1, 2_000);
    let mut stored = Seq(0);
    let error = loop {
        let from = usize::try_from(stored.0).unwrap();
        match log.append(&session("s1"), &all[from..from + 10]).await {
            Ok(()) => stored = Seq(stored.0 + 10),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, LogError::Full(_)), "{error:?}");
    expect!["the log cannot be written: the disk is full, :memory: cannot grow; make room and try again"]
        .assert_eq(&error.to_string());
    assert!(stored > Seq(0));
    assert_eq!(log.last(&session("s1")).await.unwrap(), stored, "all or nothing");
    execute(&database, "PRAGMA max_page_count = 100000").await;
    let from = usize::try_from(stored.0).unwrap();
    log.append(&session("s1"), &all[from..]).await.expect("with room again, it continues");
}

#[tokio::test]
async fn a_read_only_database_is_reported_by_every_port() {
    let database = memory().await;
    SeaSessionDirectory::new(database.clone()).create(&info("s1")).await.unwrap();
    execute(&database, "PRAGMA query_only = 1").await;
    let expected = ":memory: is read-only; make the file and its folder writable";
    let error = SeaMessageLog::new(database.clone()).append(&session("s1"), &sample_log(1, 3)).await;
    assert!(matches!(error, Err(LogError::Full(text)) if text == expected));
    let snapshot = snapshot_of(&session("s1"), &View::default(), Millis(0));
    let error = SeaSnapshotStore::new(database.clone()).save(&snapshot).await;
    assert!(matches!(error, Err(SnapshotError::Full(text)) if text == expected));
    let error = SeaSessionDirectory::new(database).create(&info("s2")).await;
    assert!(matches!(error, Err(DirectoryError::Full(text)) if text == expected));
}

#[tokio::test]
async fn a_missing_session_is_named() {
    let database = memory().await;
    let log = SeaMessageLog::new(database.clone());
    let missing = session("missing");
    for error in [
        log.append(&missing, &sample_log(1, 3)).await.unwrap_err(),
        log.append(&missing, &sample_log(1, 9)[4..]).await.unwrap_err(),
        log.last(&missing).await.unwrap_err(),
    ] {
        assert!(matches!(&error, LogError::NoSession(id) if *id == missing), "{error:?}");
    }
    let snapshot = snapshot_of(&missing, &View::default(), Millis(0));
    let error = SeaSnapshotStore::new(database).save(&snapshot).await.unwrap_err();
    assert!(matches!(&error, SnapshotError::NoSession(id) if *id == missing), "{error:?}");
}

/// Another program holds the database for longer than we wait.
#[tokio::test]
async fn a_locked_database_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    let database =
        Arc::new(Database::file_with(&path, Duration::from_millis(50), Durability::Normal).await.unwrap());
    migration::migrate(&database).await.unwrap();
    SeaSessionDirectory::new(database.clone()).create(&info("s1")).await.unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let log = SeaMessageLog::new(database);
    let error = log.append(&session("s1"), &sample_log(1, 3)).await.unwrap_err();
    let LogError::Other(cause) = error else { panic!("{error:?}") };
    let text = cause.to_string().replace(&dir.path().display().to_string(), "/tmp/x");
    expect!["/tmp/x/x.db is locked by another program; close that one and try again"].assert_eq(&text);
    assert_eq!(log.last(&session("s1")).await.unwrap(), Seq(0), "reading continues meanwhile");
    other.execute_batch("ROLLBACK").unwrap();
    log.append(&session("s1"), &sample_log(1, 3)).await.unwrap();
}

#[test]
fn every_text_is_one_line_that_names_the_file_and_the_fix() {
    let path = PathBuf::from("/data/x.db");
    let check = |error: DatabaseError, expect: Expect| expect.assert_eq(&error.to_string());
    check(
        DatabaseError::NotADatabase { path: path.clone() },
        expect![
            "/data/x.db is not a database; move it away and a new one is made, or save what can be read of it: throughline recover --all"
        ],
    );
    check(
        DatabaseError::Corrupt { path: path.clone() },
        expect![
            "/data/x.db is damaged; save what can be read of it into a new database: throughline recover --all"
        ],
    );
    check(
        DatabaseError::Unreachable { path, source: "disk I/O error".into() },
        expect!["/data/x.db cannot be read or written; look at its folder and its disk"],
    );
}

#[test]
fn an_error_of_a_server_is_known_by_its_code() {
    use std::io::ErrorKind;

    use crate::dialect::sqlstate::tests::{of_driver, of_network, sent};

    let of = |error| {
        let error = DatabaseError::of_server(error, Path::new("postgres://db/x"));
        let shown = format!("{error:?}");
        let name = shown.split([' ', '{']).next().unwrap_or_default().to_owned();
        (name, error.to_string())
    };
    for (code, expected) in [
        ("53100", "Full"),
        ("25006", "Standby"),
        ("55P03", "Busy"),
        ("3D000", "Denied"),
        ("42501", "Denied"),
        ("28000", "Denied"),
        ("28P01", "Denied"),
        ("57P01", "Away"),
        ("08006", "Away"),
        ("42601", "Other"),
        ("23505", "Other"),
    ] {
        let (name, text) = of(sent(code));
        assert_eq!(name, expected, "{code}");
        assert!(text.contains("postgres://db/x") || name == "Other", "{text}");
    }
    for (error, expected) in [
        (of_network(ErrorKind::ConnectionRefused), "Away"),
        (of_network(ErrorKind::NotFound), "Away"),
        (of_driver(sqlx::Error::Tls("no handshake".into())), "Away"),
        (of_driver(sqlx::Error::PoolTimedOut), "Away"),
        (
            of_driver(sqlx::Error::Io(io::Error::new(ErrorKind::InvalidData, "an unknown certificate"))),
            "Untrusted",
        ),
        (of_driver(sqlx::Error::Io(io::Error::new(ErrorKind::InvalidData, "half a message"))), "Away"),
        (of_driver(sqlx::Error::Io(io::Error::new(ErrorKind::NotFound, "no certificate"))), "Away"),
        (of_driver(sqlx::Error::RowNotFound), "Other"),
        (DbErr::ConnectionAcquire(ConnAcquireErr::Timeout), "Away"),
        (DbErr::Custom("x".to_owned()), "Other"),
    ] {
        let shown = format!("{error:?}");
        assert_eq!(of(error).0, expected, "{shown}");
    }
    // The server's own words, without those of the libraries.
    assert!(of(sent("28P01")).1.contains(": what the server says;"), "{}", of(sent("28P01")).1);
    for error in [of_driver(sqlx::Error::PoolTimedOut), DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)] {
        assert!(of(error).1.contains(": it does not answer;"));
    }
    assert!(of(of_network(ErrorKind::ConnectionRefused)).1.contains(": connection refused;"));
}

#[test]
fn damage_is_not_confused_with_what_may_pass() {
    use crate::dialect::sqlstate::tests::{of_network, sent};

    // Codes of a server, then those of SQLite with what they say more exactly in the higher bits.
    for (code, expected) in
        [("XX001", true), ("XX002", true), ("XX000", true), ("58030", false), ("08006", false)]
    {
        assert_eq!(DatabaseError::is_damage(&sent(code)), expected, "{code}");
    }
    for (code, expected) in
        [("11", true), ("267", true), ("10", true), ("26", true), ("13", false), ("5", false)]
    {
        assert_eq!(DatabaseError::is_damage(&sent(code)), expected, "{code}");
    }
    for (code, expected) in [("5", true), ("6", true), ("517", true), ("11", false), ("55P03", false)] {
        assert_eq!(DatabaseError::is_busy(&sent(code)), expected, "{code}");
    }
    assert!(DatabaseError::is_damage(&DbErr::Type("no number".to_owned())));
    assert!(!DatabaseError::is_damage(&DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed)));
    assert!(!DatabaseError::is_damage(&of_network(io::ErrorKind::BrokenPipe)));
    assert!(DatabaseError::is_busy(&DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)));
    for (code, expected) in [("787", true), ("23503", true), ("1555", false), ("23505", false)] {
        assert_eq!(is_foreign_key(&sent(code)), expected, "{code}");
    }
    for (code, expected) in
        [("1555", true), ("2067", true), ("23505", true), ("787", false), ("23503", false)]
    {
        assert_eq!(is_taken(&sent(code)), expected, "{code}");
    }
}
