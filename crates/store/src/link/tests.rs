//! What is tried again, how often and after which pauses.

use std::io;

use super::*;
use crate::database::Database;
use crate::dialect::sqlstate::tests::{of_network, sent};

fn broken() -> DbErr {
    of_network(io::ErrorKind::ConnectionReset)
}

/// The pauses of a retry in milliseconds, until it gives up.
async fn pauses(mut retry: Retry, error: &DbErr, most: usize) -> Vec<u128> {
    let mut pauses = Vec::new();
    loop {
        let began = tokio::time::Instant::now();
        if pauses.len() == most || !retry.again(error).await {
            return pauses;
        }
        pauses.push(began.elapsed().as_millis());
    }
}

#[tokio::test(start_paused = true)]
async fn a_broken_connection_is_tried_again_with_growing_pauses() {
    let away = Arc::default();
    let until = |span| Retry::new(Some(Instant::now() + span), &away);
    let long = pauses(until(PATIENCE), &broken(), 7).await;
    assert_eq!(long, [50, 100, 200, 400, 800, 1_000, 1_000]);
    assert!(away.lock().unwrap().is_none());
    assert_eq!(pauses(until(PATIENCE), &sent("23505"), 7).await, []);
    assert_eq!(pauses(Retry::new(None, &away), &broken(), 7).await, []);
    assert!(away.lock().unwrap().is_none());
    // When the time is over, the server is given up.
    assert_eq!(pauses(until(Duration::ZERO), &broken(), 7).await, []);
    assert!(away.lock().unwrap().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_tried_again_a_few_times_whatever_the_time() {
    let retry = Retry::new(None, &Arc::default());
    assert_eq!(pauses(retry, &sent("40001"), 100).await, [50, 100, 150, 200, 250, 300, 350]);
}

#[tokio::test]
async fn work_is_repeated_until_it_has_no_conflict() {
    let database = Database::memory().await.unwrap();
    let link = &database.connection;
    tokio::time::pause();
    let mut tries = 0;
    let done: Result<u32, DbErr> = link
        .repeat(|| {
            tries += 1;
            let result = if tries < 3 { Err(sent("40P01")) } else { Ok(tries) };
            async { result }
        })
        .await;
    assert_eq!(done.unwrap(), 3);
    let mut tries = 0;
    let failed: Result<(), DbErr> = link
        .repeat(|| {
            tries += 1;
            async { Err(sent("40001")) }
        })
        .await;
    assert!(failed.is_err());
    assert_eq!(tries, CONFLICTS);
    let mut tries = 0;
    let other: Result<(), DbErr> = link
        .repeat(|| {
            tries += 1;
            async { Err(broken()) }
        })
        .await;
    assert!(other.is_err());
    assert_eq!(tries, 1, "its commit may have arrived");
}

#[tokio::test]
async fn an_outage_after_a_full_disk_is_put_down_to_it() {
    let database = Database::memory().await.unwrap();
    let link = &database.connection;
    let of = |done: Result<(), DbErr>| link.explained(done).err().map(|error| is_full(&error));
    assert_eq!(of(Err(broken())), Some(false));
    assert_eq!(of(Err(sent("53100"))), Some(true));
    assert_eq!(of(Err(sent("23505"))), Some(false), "it is answered, so the server is there");
    assert_eq!(of(Err(broken())), Some(true));
    assert_eq!(of(Ok(())), None);
    assert_eq!(of(Err(broken())), Some(false));
}
