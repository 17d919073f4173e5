//! How a turn ends for its readers.

use std::path::PathBuf;

use super::*;
use crate::turns::feed::Next;
use crate::turns::testing::options;

#[tokio::test]
async fn work_that_breaks_off_has_a_result_too() {
    let turns = Turns::new(options());
    let mut place = turns.take_place(None, PathBuf::new()).unwrap();
    let feed = place.turn.feed.clone();
    place.is_open = true;
    let panics = tokio::spawn(async move {
        let _place = place;
        panic!("a fault of the program");
    });
    assert!(panics.await.is_err());
    let Next::Event(event) = feed.after(0) else { panic!("there is no result") };
    assert!(event.data.contains(r#""outcome":"failed""#), "{event:?}");
    assert!(matches!(feed.after(1), Next::End));
    assert_eq!(turns.count(), 0);
}
