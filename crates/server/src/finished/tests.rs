//! What becomes of work that is awaited, dropped, or panics.

use std::time::Duration;

use tokio::sync::oneshot;

use super::*;

#[tokio::test]
async fn work_that_is_awaited_gives_its_outcome() {
    assert_eq!(Finished::new(async { 7 }).await.unwrap(), 7);
}

#[tokio::test]
async fn work_that_is_dropped_in_the_middle_runs_to_its_end() {
    let (go, gone) = oneshot::channel::<()>();
    let (end, ended) = oneshot::channel();
    let work = Finished::new(async move {
        gone.await.unwrap();
        end.send("done").unwrap();
    });
    assert!(tokio::time::timeout(Duration::from_millis(10), work).await.is_err(), "it waits");
    go.send(()).unwrap();
    assert_eq!(ended.await, Ok("done"));
}

#[tokio::test]
async fn work_that_panics_is_an_error_of_its_request_alone() {
    assert!(Finished::new(async { panic!("on purpose") }).await.is_err());
}
