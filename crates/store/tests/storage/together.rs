//! Several at a time: connections, stores as in several processes, and callers that give up.

use std::path::PathBuf;
use std::time::Duration;

use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{LogError, MessageLog, Part, read_all};
use throughline_conversation::{Record, Seq};
use throughline_store::Store;

use super::{Fixture, create};

/// Each with connections of its own, as eight processes have, from the making of the file on.
#[test]
fn eight_writers_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.db");
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let path = path.clone();
            std::thread::spawn(move || run(write_hundred(path, writer)))
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    run(async move {
        let store = Store::open(&path).await.unwrap();
        for writer in 0..8 {
            let all = read_all(&store.message_log(), &session(&format!("s{writer}")), Seq(0), Part::All)
                .await
                .unwrap()
                .records;
            assert_eq!(all, log_of(writer), "each in its own session, in order");
        }
        assert_eq!(store.check().await.unwrap(), Vec::<String>::new());
    });
}

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn log_of(writer: u64) -> Vec<Record> {
    let mut log = sample_log(writer * 2 + 1, 300);
    log.truncate(300);
    log
}

async fn write_hundred(path: PathBuf, writer: u64) {
    let store = Store::open(&path).await.unwrap();
    let id = format!("s{writer}");
    create(&store, &id).await;
    for batch in log_of(writer).chunks(3) {
        store.message_log().append(&session(&id), batch).await.unwrap();
    }
    store.close().await.unwrap();
}

/// Two writers of one session: one of them gets an error, and no record is overwritten.
#[tokio::test]
async fn two_writers_of_one_session_do_not_mix() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let second = Store::open(&fixture.path()).await.unwrap();
    let (mine, theirs) = (sample_log(1, 20), sample_log(3, 20));
    fixture.store.message_log().append(&session("s1"), &mine[..10]).await.unwrap();
    let error = second.message_log().append(&session("s1"), &theirs[..10]).await.unwrap_err();
    assert!(matches!(error, LogError::Conflict { expected: Seq(11), found: Seq(1) }), "{error:?}");
    fixture.store.message_log().append(&session("s1"), &mine[10..]).await.unwrap();
    assert_eq!(
        read_all(&second.message_log(), &session("s1"), Seq(0), Part::All).await.unwrap().records,
        mine
    );
}

/// A caller that gives up does not know whether its records were kept. Appending them again is always right.
#[tokio::test]
async fn a_caller_that_gave_up_appends_again() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let log = fixture.store.message_log();
    let all = sample_log(5, 600);
    let mut done = 0;
    for (attempt, wait) in (0..all.len().div_ceil(20)).zip((0..40).cycle()) {
        let batch = &all[done..(done + 20).min(all.len())];
        let given =
            tokio::time::timeout(Duration::from_micros(wait * 10), log.append(&session("s1"), batch)).await;
        if given.is_err() {
            log.append(&session("s1"), batch)
                .await
                .unwrap_or_else(|error| panic!("attempt {attempt}: {error:?}"));
        }
        done += batch.len();
    }
    assert_eq!(read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap().records, all);
}

/// The same for more records than one statement takes.
#[tokio::test]
async fn a_long_append_that_was_given_up_is_all_or_nothing() {
    let all = sample_log(5, 800);
    for wait in [0, 1, 2, 4, 8, 16] {
        let fixture = Fixture::new().await.with_session("s1").await;
        let log = fixture.store.message_log();
        let _ = tokio::time::timeout(Duration::from_millis(wait), log.append(&session("s1"), &all)).await;
        let last = log.last(&session("s1")).await.unwrap();
        assert!(last == Seq(0) || last == Seq(all.len() as u64), "a part was kept: {last}");
        log.append(&session("s1"), &all).await.unwrap();
        assert_eq!(log.last(&session("s1")).await.unwrap(), Seq(all.len() as u64));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_and_writers_share_a_store() {
    let fixture = Fixture::new().await.with_session("s1").await;
    let all = sample_log(5, 400);
    let log = fixture.store.message_log();
    let writer = {
        let (log, all) = (log.clone(), all.clone());
        tokio::spawn(async move {
            for batch in all.chunks(4) {
                log.append(&session("s1"), batch).await.unwrap();
            }
        })
    };
    for _ in 0..50 {
        let seen = read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap().records;
        assert!(all.starts_with(&seen), "a reader sees a beginning of the log, in whole records");
    }
    writer.await.unwrap();
    assert_eq!(read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap().records, all);
}
