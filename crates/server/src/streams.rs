//! Streams of events: one place of its user each, and no longer than its token is valid.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use futures_util::StreamExt as _;
use tokio::sync::OwnedSemaphorePermit;

use crate::access::Access;
use crate::caller::Caller;

/// Between two looks at the token of a stream.
const LOOK: Duration = Duration::from_secs(2);

/// The answer, which holds the place of its user until it is sent. A stream of events ends when the token is revoked.
pub(crate) fn watched(
    response: Response,
    access: Arc<Access>,
    caller: Caller,
    place: OwnedSemaphorePermit,
) -> Response {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
        return response;
    }
    let refused = async move {
        loop {
            tokio::time::sleep(LOOK).await;
            if !access.is_valid(&caller).await {
                return;
            }
        }
    };
    response.map(|body| {
        let chunks = body.into_data_stream().take_until(Box::pin(refused));
        Body::from_stream(chunks.inspect(move |_| {
            // Moves the place into the stream.
            let _ = &place;
        }))
    })
}
