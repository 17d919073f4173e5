//! Answers that are sent: each holds a place of its user until its last byte is sent, and a stream of events ends with its token.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use futures_util::StreamExt as _;
use hyper::body::{Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;

use crate::access::Access;
use crate::caller::Caller;

/// Between two looks at the token of a stream.
const LOOK: Duration = Duration::from_secs(1);

/// A place among the requests of a user. The request has it, then its answer.
pub(crate) type Place = Arc<OwnedSemaphorePermit>;

/// The places of answers whose bytes are all made, and wait in the memory of their connection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unsent(Arc<Mutex<Vec<Place>>>);

impl Unsent {
    fn add(&self, place: Place) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(place);
    }

    /// Everything that was made is sent.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// The answer, which holds the place of its user until it is sent. A stream of events ends when the token is revoked.
pub(crate) fn watched(
    response: Response,
    access: Arc<Access>,
    caller: Caller,
    place: Place,
    unsent: Unsent,
) -> Response {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
    response.map(|body| {
        let body = if is_stream { while_valid(body, access, caller) } else { body };
        Body::new(PlacedBody::new(body, place, unsent))
    })
}

/// A stream of events that ends when the token of its user is not valid any more.
fn while_valid(body: Body, access: Arc<Access>, caller: Caller) -> Body {
    let refused = async move {
        loop {
            tokio::time::sleep(LOOK).await;
            if !access.is_valid(&caller).await {
                return;
            }
        }
    };
    Body::from_stream(body.into_data_stream().take_until(Box::pin(refused)))
}

/// A body with a place. Its last bytes may wait in the connection when it is dropped, so the place goes there.
pub(crate) struct PlacedBody {
    body: Body,
    /// `None`: it is dropped.
    place: Option<Place>,
    unsent: Unsent,
}

impl PlacedBody {
    pub(crate) fn new(body: Body, place: Place, unsent: Unsent) -> Self {
        Self { body, place: Some(place), unsent }
    }
}

impl HttpBody for PlacedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for PlacedBody {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            self.unsent.add(place);
        }
    }
}
