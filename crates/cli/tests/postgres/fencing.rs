//! Leases: a stalled holder is replaced, and can then write no longer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{
    LogError, MessageLog, Part, SessionDirectory, SnapshotError, SnapshotStore, read_all, snapshot_of,
};
use throughline_conversation::{Millis, Seq, View};
use throughline_store::LockError;

use crate::cluster::{Cluster, open};
use crate::contracts::info;
use crate::node::{Node, story};

/// A process that is paused for longer than its lease is valid.
#[test]
fn a_paused_writer_is_replaced_and_writes_nothing_more() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let (stalled, other) = (Node::new(&url), Node::new(&url));
    let project = TempDir::new().unwrap();
    let mut paused = stalled.worker("paused", project.path(), 150);
    assert!(paused.until_stored(8));
    paused.signal("-STOP");
    let begin = Instant::now();
    let refused = other.worker("paused", project.path(), 0).wait().0.failed(1);
    assert!(refused.contains(&format!("process {}", paused.pid())), "its lease is valid: {refused}");
    let acked = loop {
        let (ran, acked) = other.worker("paused", project.path(), 0).wait();
        if ran.code == Some(0) {
            break acked;
        }
        assert!(ran.err.contains("is open in another process"), "{ran:?}");
        assert!(begin.elapsed() < Duration::from_secs(40), "the lease does not expire");
        std::thread::sleep(Duration::from_millis(500));
    };
    let whole = other.records("paused");
    assert_eq!(whole.len() as u64, acked);
    paused.signal("-CONT");
    let (ran, late) = paused.wait();
    assert_ne!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("session paused was taken over"), "{ran:?}");
    assert!(late < acked, "it has stored nothing more");
    assert_eq!(other.records("paused"), whole, "nothing has changed");
    assert!(!story(&whole).is_empty());
}

/// Two stores are two processes here. The lease of the first one is ended by hand, as if it had not been renewed.
#[tokio::test]
async fn a_replaced_token_writes_nothing_of_any_kind() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let database = url.rsplit('/').next().unwrap().to_owned();
    let (old, new) = (open(&url).await, open(&url).await);
    let id = session("s1");
    old.sessions().create(&info("s1")).await.unwrap();
    let folder = TempDir::new().unwrap();
    let lock = old.lock(folder.path(), &id).await.unwrap();
    let all = sample_log(7, 60);
    old.message_log().append(&id, &all[..20]).await.unwrap();
    let held = new.lock(folder.path(), &id).await.unwrap_err();
    assert!(
        matches!(&held, LockError::Held { holder: Some(holder), .. } if holder.pid == std::process::id()),
        "{held:?}"
    );
    let unlocked = new.message_log().append(&id, &all[20..30]).await.unwrap_err();
    assert!(
        matches!(&unlocked, LogError::Full(why) if why.contains("is open in another process")),
        "{unlocked:?}"
    );

    let (worked, said) =
        cluster.psql(&database, "UPDATE session_leases SET expires = now() - interval '1 second'");
    assert!(worked, "{said}");
    let taken = new.lock(folder.path(), &id).await.unwrap();
    let fenced = old.message_log().append(&id, &all[20..30]).await.unwrap_err();
    assert!(
        matches!(&fenced, LogError::Full(why) if why.contains("session s1 was taken over by another process")),
        "{fenced:?}"
    );
    let many = old.message_log().append(&id, &sample_log(7, 400)[20..]).await.unwrap_err();
    assert!(matches!(&many, LogError::Full(why) if why.contains("taken over")), "{many:?}");
    let snapshot = snapshot_of(&id, &View::default(), Millis(0));
    let snapshot = old.snapshots().save(&snapshot).await.unwrap_err();
    assert!(matches!(&snapshot, SnapshotError::Full(why) if why.contains("taken over")), "{snapshot:?}");
    assert!(old.message_log().redact(&id, &all[..1]).await.is_err());
    new.message_log().append(&id, &all[20..30]).await.unwrap();
    drop(lock);
    // The old one gives nothing back that is not its own.
    new.message_log().append(&id, &all[30..]).await.unwrap();
    taken.give_back().await;
    let read = read_all(&old.message_log(), &id, Seq(0), Part::All).await.unwrap();
    assert_eq!(read.records, all);
    drop(old.lock(folder.path(), &id).await.unwrap());
}

/// Appends at the same moment: one continues the log, and the other gets an error.
#[tokio::test]
async fn two_appends_at_once_leave_no_gap_and_no_record_twice() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let stores = [open(&url).await, open(&url).await];
    let (id, all) = (session("s1"), sample_log(3, 200));
    stores[0].sessions().create(&info("s1")).await.unwrap();
    let mut conflicts = 0;
    for start in (0..200).step_by(5) {
        let (one, two) = (stores[0].message_log(), stores[1].message_log());
        let (mine, other) = (&all[start..start + 5], &all[start..start + 4]);
        let changed: Vec<_> = other
            .iter()
            .map(|record| throughline_conversation::Record { at: Millis(record.at.0 + 1), ..record.clone() })
            .collect();
        let (first, second) = tokio::join!(one.append(&id, mine), two.append(&id, &changed));
        assert!(first.is_ok() != second.is_ok(), "{first:?}, {second:?}");
        conflicts += 1;
        if second.is_ok() {
            one.append(&id, &all[start + 4..start + 5]).await.unwrap();
        }
    }
    assert_eq!(conflicts, 40);
    let read = read_all(&stores[0].message_log(), &id, Seq(0), Part::All).await.unwrap();
    assert!(read.unreadable.is_empty());
    assert!(read.records.iter().zip(&all).all(|(one, other)| one.seq == other.seq && one.body == other.body));
    assert_eq!(read.records.len(), 200);
}

/// Processes that crashed leave leases. One that is a day old and has no connection any more goes when any session is locked.
#[tokio::test]
async fn leases_of_crashed_processes_do_not_stay_for_ever() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let database = url.rsplit('/').next().unwrap().to_owned();
    let (paused, new) = (open(&url).await, open(&url).await);
    let folder = TempDir::new().unwrap();
    let _asleep = paused.lock(folder.path(), &session("asleep")).await.unwrap();
    let crash = |id: &str, age: &str| {
        let columns = "token, program, process, host, since, expires, backend";
        format!(
            "INSERT INTO session_leases (session_id, {columns}) VALUES \
             ('{id}', nextval('session_lease_tokens'), 'throughline', 1, '', now(), now() - interval '{age}', 0);"
        )
    };
    let old = "UPDATE session_leases SET expires = now() - interval '3 days' WHERE session_id = 'asleep';";
    let sql = [crash("crashed", "25 hours"), crash("recent", "23 hours"), old.to_owned()].concat();
    let (worked, said) = cluster.psql(&database, &sql);
    assert!(worked, "{said}");
    let _locked = new.lock(folder.path(), &session("other")).await.unwrap();
    let begin = Instant::now();
    let left = "SELECT string_agg(session_id, ' ' ORDER BY session_id) FROM session_leases";
    while cluster.psql(&database, left).1 != "asleep other recent" {
        assert!(begin.elapsed() < Duration::from_secs(10), "{}", cluster.psql(&database, left).1);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The session of the other crashed process is free.
    drop(new.lock(folder.path(), &session("recent")).await.unwrap());
}

/// A transaction that uses a lease, as a slow write does, locks its row.
#[tokio::test]
async fn a_lease_that_is_in_use_delays_the_renewal_of_no_other() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let database = url.rsplit('/').next().unwrap().to_owned();
    let store = open(&url).await;
    let folder = TempDir::new().unwrap();
    let mut locks = Vec::new();
    for id in ["s1", "s2", "s3"] {
        locks.push(store.lock(folder.path(), &session(id)).await.unwrap());
    }
    let (other, used) = (Arc::clone(&cluster), database.clone());
    let slow = std::thread::spawn(move || {
        other.psql(
            &used,
            "BEGIN; SELECT 1 FROM session_leases WHERE session_id = 's1' FOR SHARE; SELECT pg_sleep(9); COMMIT",
        )
    });
    let expires = || {
        let sql = "SELECT string_agg(expires::text, ' ' ORDER BY session_id) FROM session_leases \
                   WHERE session_id <> 's1'";
        let (worked, said) = cluster.psql(&database, sql);
        assert!(worked, "{said}");
        said
    };
    let (begin, mut seen) = (Instant::now(), std::collections::BTreeSet::new());
    // One renewal may have begun before the row was locked.
    while seen.len() < 3 {
        assert!(begin.elapsed() < Duration::from_secs(8), "{seen:?}");
        seen.insert(expires());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(slow.join().unwrap().0);
    for lock in locks {
        lock.give_back().await;
    }
    let (_, left) = cluster.psql(&database, "SELECT count(*) FROM session_leases");
    assert_eq!(left, "0");
}

/// Waits for many leases at once.
#[tokio::test]
async fn many_leases_of_a_process_that_has_ended_are_taken_over_together() {
    let cluster = Cluster::shared();
    let url = cluster.database();
    let database = url.rsplit('/').next().unwrap().to_owned();
    let store = open(&url).await;
    let folder = TempDir::new().unwrap();
    let sql = "INSERT INTO session_leases (session_id, token, program, process, host, since, expires, backend) \
               SELECT 's' || n, nextval('session_lease_tokens'), 'throughline', 1, '', now(), now() + interval '2 seconds', 0 \
               FROM generate_series(1, 300) AS n";
    let (worked, said) = cluster.psql(&database, sql);
    assert!(worked, "{said}");
    let ids: Vec<_> = (1..=300).map(|number| session(&format!("s{number}"))).collect();
    let locks = futures_util::future::join_all(ids.iter().map(|id| store.lock(folder.path(), id))).await;
    assert!(locks.iter().all(Result::is_ok), "{:?}", locks.iter().find(|lock| lock.is_err()));
    let again = open(&url).await;
    let held = again.lock(folder.path(), &ids[0]).await.unwrap_err();
    assert!(matches!(held, LockError::Held { holder: Some(_), .. }), "{held:?}");
}
