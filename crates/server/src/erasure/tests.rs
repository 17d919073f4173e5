//! When the database is written again.

use std::time::Duration;

use throughline_conversation::SessionId;

use super::*;
use crate::turns::Turns;
use crate::turns::testing::options;

#[tokio::test]
async fn the_database_is_not_written_again_while_a_turn_runs() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::open_apart(Some(folder.path().to_owned())).await.unwrap();
    let turns = Turns::new(options());
    let erasure = Erasure::new(storage, turns.clone());
    let place = turns.take_place(Some(&SessionId::new("s1").unwrap()), folder.path().to_owned()).unwrap();
    for _ in 0..3 {
        assert!(!erasure.erase().await.unwrap(), "a turn runs");
    }
    assert_eq!(*erasure.0.erased.lock().await, 0);
    drop(place);
    let erased = async {
        while *erasure.0.erased.lock().await < 3 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), erased)
        .await
        .expect("all are erased when the turn has ended");
    assert!(erasure.erase().await.unwrap(), "no turn runs");
}
