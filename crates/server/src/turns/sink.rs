//! Takes the events of a turn.

use std::sync::{Mutex, PoisonError};

use throughline_agent::{Event, EventSink};
use throughline_session::{RunTally, event_object};

use super::feed::Feed;

/// Sums events up, and appends their objects to the feed.
#[derive(Debug)]
pub(super) struct TurnSink {
    feed: Feed,
    tally: Mutex<RunTally>,
}

impl TurnSink {
    pub(super) fn new(feed: Feed, tally: RunTally) -> Self {
        Self { feed, tally: Mutex::new(tally) }
    }

    pub(super) fn tally(&self) -> RunTally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl EventSink for TurnSink {
    fn emit(&self, event: Event) {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).take(&event);
        if let Some(object) = event_object(&event, None) {
            self.feed.push(&object);
        }
    }
}
