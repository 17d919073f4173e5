//! The events of a turn, for any number of readers that each read at their own pace.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::response::sse::Event;
use futures_util::stream::{self, Stream};
use serde_json::{Value, json};
use throughline_text::one_line_json;
use tokio::sync::watch;

/// Bytes of events in memory. The oldest leave first; a reader who wanted them learns how many they were.
const MAX_EVENT_BYTES: usize = 2 * 1024 * 1024;

/// The events of one turn.
#[derive(Debug, Clone)]
pub(crate) struct Feed(Arc<SharedFeed>);

#[derive(Debug)]
struct SharedFeed {
    /// The turn, unique among those of all servers that a client may have met.
    turn: i64,
    state: Mutex<FeedState>,
    /// Changes with every event, and at the end.
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct FeedState {
    /// The newest events, the last of which has the number `last`.
    events: VecDeque<Arc<FeedEvent>>,
    bytes: usize,
    last: u64,
    closed: bool,
}

#[derive(Debug)]
pub(super) struct FeedEvent {
    number: u64,
    kind: String,
    pub(super) data: String,
}

/// What a reader gets next.
#[derive(Debug)]
pub(super) enum Next {
    Event(Arc<FeedEvent>),
    /// This many events have left the memory; the reader continues after this number.
    Missed(u64, u64),
    /// Nothing yet.
    Wait,
    End,
}

impl Feed {
    pub(super) fn new(turn: i64) -> Self {
        let changed = watch::channel(()).0;
        Self(Arc::new(SharedFeed { turn, state: Mutex::default(), changed }))
    }

    pub(super) fn turn(&self) -> i64 {
        self.0.turn
    }

    /// Appends an object with a field `type`.
    pub(super) fn push(&self, object: &Value) {
        let kind = object.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        let data = one_line_json(&object.to_string());
        let mut state = self.state();
        if state.closed {
            return;
        }
        state.last += 1;
        state.bytes += data.len();
        let number = state.last;
        state.events.push_back(Arc::new(FeedEvent { number, kind, data }));
        while state.bytes > MAX_EVENT_BYTES && state.events.len() > 1 {
            let oldest = state.events.pop_front();
            state.bytes -= oldest.map_or(0, |event| event.data.len());
        }
        drop(state);
        self.0.changed.send_replace(());
    }

    /// No event follows.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.0.changed.send_replace(());
    }

    /// Waits until no event follows.
    pub(crate) async fn closed(&self) {
        let mut changed = self.0.changed.subscribe();
        while !self.state().closed {
            if changed.changed().await.is_err() {
                return;
            }
        }
    }

    /// What follows the event of this number.
    pub(super) fn after(&self, number: u64) -> Next {
        let state = self.state();
        if number >= state.last {
            return if state.closed { Next::End } else { Next::Wait };
        }
        let first = state.events.front().map_or(state.last, |event| event.number);
        if number + 1 < first {
            return Next::Missed(first - 1 - number, first - 1);
        }
        let place = usize::try_from(number + 1 - first).unwrap_or(usize::MAX);
        state.events.get(place).map_or(Next::Wait, |event| Next::Event(Arc::clone(event)))
    }

    /// Returns true if the turn has ended and no event follows this one.
    pub(crate) fn is_read(&self, after: u64) -> bool {
        matches!(self.after(after), Next::End)
    }

    /// The events after this one as server-sent events, until no event follows. The id of each is `TURN.NUMBER`.
    pub(crate) fn stream(&self, after: u64) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
        let reader = FeedReader { changed: self.0.changed.subscribe(), feed: self.clone(), after };
        stream::unfold(reader, FeedReader::next)
    }

    /// The number of the event that has this id, `TURN.NUMBER`; 0 for one of another turn.
    pub(crate) fn number_of(&self, id: &str) -> Option<u64> {
        let (turn, number) = id.trim().split_once('.')?;
        let (turn, number): (i64, u64) = (turn.parse().ok()?, number.parse().ok()?);
        Some(if turn == self.0.turn { number } else { 0 })
    }

    fn state(&self) -> MutexGuard<'_, FeedState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client that reads a feed.
struct FeedReader {
    feed: Feed,
    after: u64,
    changed: watch::Receiver<()>,
}

impl FeedReader {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            // Before the look: what is appended after it is seen as a change.
            self.changed.borrow_and_update();
            let event = match self.feed.after(self.after) {
                Next::Event(event) => {
                    self.after = event.number;
                    Event::default().event(&event.kind).data(&event.data)
                }
                Next::Missed(events, upto) => {
                    self.after = upto;
                    let missed = json!({ "type": "missed", "events": events });
                    Event::default().event("missed").data(missed.to_string())
                }
                Next::End => return None,
                Next::Wait => {
                    self.changed.changed().await.ok()?;
                    continue;
                }
            };
            return Some((Ok(event.id(format!("{}.{}", self.feed.turn(), self.after))), self));
        }
    }
}

#[cfg(test)]
mod tests;
