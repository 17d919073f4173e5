//! Answers that are streams of server-sent events.

use std::convert::Infallible;

use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::Stream;

/// Makes nginx pass each event on at once: by itself it sends an answer in large pieces.
const UNBUFFERED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));

/// Answers with these events, as they come.
pub(crate) fn event_stream(
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
) -> Response {
    ([UNBUFFERED], Sse::new(events).keep_alive(KeepAlive::default())).into_response()
}
