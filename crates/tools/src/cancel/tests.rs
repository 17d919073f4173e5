//! Tests of the cancel flag.

use super::CancelFlag;

#[tokio::test]
async fn every_clone_sees_the_flag_and_every_waiter_wakes() {
    let flag = CancelFlag::new();
    let waiters: Vec<_> = (0..3)
        .map(|_| {
            let flag = flag.clone();
            tokio::spawn(async move { flag.cancelled().await })
        })
        .collect();
    assert!(!flag.is_cancelled());
    tokio::task::yield_now().await;
    flag.clone().cancel();
    for waiter in waiters {
        waiter.await.unwrap();
    }
    assert!(flag.is_cancelled());
    flag.cancelled().await;
}
