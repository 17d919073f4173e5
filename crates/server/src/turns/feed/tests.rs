//! A feed bounds what it holds, and says what a late reader missed.

use serde_json::json;

use super::{Feed, MAX_EVENT_BYTES, Next};

#[test]
fn a_late_reader_learns_how_much_it_missed() {
    let feed = Feed::new(7);
    let long = "x".repeat(MAX_EVENT_BYTES / 4);
    for _ in 0..10 {
        feed.push(&json!({ "type": "text", "text": long }));
    }
    let Next::Missed(events, upto) = feed.after(0) else { panic!("{:?}", feed.after(0)) };
    assert_eq!((events, upto), (7, 7));
    assert!(matches!(feed.after(upto), Next::Event(event) if event.number == 8));
    assert!(matches!(feed.after(10), Next::Wait));
    feed.close();
    feed.push(&json!({ "type": "text", "text": "late" }));
    assert!(matches!(feed.after(10), Next::End));
}

#[test]
fn an_event_larger_than_the_memory_is_still_sent() {
    let feed = Feed::new(7);
    feed.push(&json!({ "type": "text", "text": "x".repeat(MAX_EVENT_BYTES + 1) }));
    assert!(matches!(feed.after(0), Next::Event(event) if event.number == 1));
}

#[test]
fn an_id_of_another_turn_begins_at_the_start() {
    let feed = Feed::new(7);
    for (id, number) in [("7.12", Some(12)), ("6.12", Some(0)), ("12", None), ("7.x", None), ("7.-1", None)] {
        assert_eq!(feed.number_of(id), number, "{id}");
    }
}
