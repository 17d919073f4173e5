//! Clients that read their answers slowly or not at all.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};
use tokio::sync::Semaphore;

use super::SendingStream;
use crate::streams::{PlacedBody, Unsent};

const PATIENCE: Duration = Duration::from_millis(400);

#[tokio::test]
async fn a_client_that_takes_no_bytes_is_gone_and_a_slow_one_is_not() {
    let (mut client, server) = duplex(4);
    let mut sending = SendingStream::new(server, Unsent::default(), PATIENCE);
    let begin = Instant::now();
    let slow = async {
        for _ in 0..5 {
            tokio::time::sleep(PATIENCE / 4).await;
            client.read_exact(&mut [0; 4]).await.unwrap();
        }
    };
    let (sent, ()) = tokio::join!(sending.write_all(&[7; 20]), slow);
    sent.unwrap();
    assert!(begin.elapsed() > PATIENCE, "it has taken longer in all");
    let begin = Instant::now();
    let error = sending.write_all(&[7; 20]).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
    assert!(begin.elapsed() >= PATIENCE, "{:?}", begin.elapsed());
}

#[tokio::test]
async fn the_place_of_an_answer_is_free_when_its_last_byte_is_sent() {
    let slots = Arc::new(Semaphore::new(1));
    let place = Arc::new(Arc::clone(&slots).try_acquire_owned().unwrap());
    let unsent = Unsent::default();
    drop(PlacedBody::new(Body::from("all of it"), place, unsent.clone()));
    assert_eq!(slots.available_permits(), 0, "the bytes may wait in the connection");
    let (_client, server) = duplex(64);
    let mut sending = SendingStream::new(server, unsent, PATIENCE);
    sending.write_all(b"all of it").await.unwrap();
    assert_eq!(slots.available_permits(), 0);
    sending.flush().await.unwrap();
    assert_eq!(slots.available_permits(), 1);
}
