//! New records as server-sent events, or the events of the turn that runs.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::response::sse::Event;
use futures_util::stream;
use serde_json::json;
use throughline_continuity::{Part, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, Record, Seq, SessionId};
use throughline_store::LogChanges;
use throughline_stored::Error;
use throughline_text::error_chain;

use crate::answer::Failure;
use crate::app::App;
use crate::event_stream::event_stream;
use crate::params::Params;
use crate::sessions::{Named, stored};
use crate::turn_routes;

/// Sends each record that is appended from now on, or after the one that the client has seen last; with `stream=turn` the events of
/// the turn.
pub(crate) async fn stream(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    headers: HeaderMap,
    id: Named,
) -> Result<Response, Failure> {
    let session = stored(&app.storage, id).await?;
    match params.text("stream") {
        None | Some("records") => {}
        Some("turn") => return turn_routes::stream(&app, &session, &headers, &params),
        Some(_) => return Err(Failure::input("`stream` must be `records` or `turn`")),
    }
    let SessionInfo { id, created, .. } = session;
    let changes = app.storage.changes();
    let after = match (last_seen(&headers)?, params.number("after")?) {
        (Some(seen), _) => Seq(seen),
        (None, Some(after)) => Seq(after as u64),
        (None, None) => app.storage.log().last(&id).await.map_err(Error::from)?,
    };
    let following = Following { app, id, created, after, changes, ready: VecDeque::new(), has_failed: false };
    Ok(event_stream(stream::unfold(following, Following::next)))
}

fn last_seen(headers: &HeaderMap) -> Result<Option<u64>, Failure> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let number = value.to_str().ok().and_then(|text| text.trim().parse().ok());
    let wrong = || Failure::input("`Last-Event-ID` must be the number of a record");
    number.map(Some).ok_or_else(wrong)
}

/// A log that is followed.
struct Following {
    app: App,
    id: SessionId,
    /// When the session was created: another one may have its id.
    created: Millis,
    /// The last record that was read.
    after: Seq,
    /// When to look for more.
    changes: LogChanges,
    ready: VecDeque<Record>,
    /// The last event was that the log cannot be read.
    has_failed: bool,
}

impl Following {
    /// The next event. `None`: the session is gone, its log could not be read, or the server stops.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        if self.has_failed {
            return None;
        }
        let event = match self.record().await {
            Ok(record) => {
                let record = record?;
                let event = Event::default().id(record.seq.to_string()).event(record.body.kind());
                event.json_data(&record).unwrap_or_else(|_| Event::default().comment("unreadable"))
            }
            Err(error) => {
                self.has_failed = true;
                tracing::warn!(session = %self.id, error = error_chain(&error), "a stream of records ends");
                let message = Failure::broken(error_chain(&error)).message().to_owned();
                Event::default().event("error").data(json!({ "error": { "message": message } }).to_string())
            }
        };
        Some((Ok(event), self))
    }

    /// The next record. `None`: the session is gone, or the server stops.
    async fn record(&mut self) -> Result<Option<Record>, Error> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                return Ok(Some(record));
            }
            let page = self.app.storage.log().read_page(&self.id, self.after, Part::All).await?;
            // Records that are lost are passed over.
            let upto = page.next.unwrap_or_default().max(page.last()).max(self.after);
            let has_ended = upto == self.after && self.pause().await.is_none();
            // The records that were read are those of the session that is there afterwards.
            if has_ended || !self.is_there().await? {
                return Ok(None);
            }
            self.after = upto;
            self.ready.extend(page.records);
        }
    }

    /// Waits before the next look. `None`: the server stops.
    async fn pause(&mut self) -> Option<()> {
        tokio::select! {
            _ = self.app.stopping.changed() => None,
            () = self.changes.wait(&self.id) => Some(()),
        }
    }

    /// `false`: the session is gone, and another one may have its id.
    async fn is_there(&self) -> Result<bool, Error> {
        let found = self.app.storage.store.sessions().get(&self.id).await?;
        Ok(found.is_some_and(|found| found.created == self.created))
    }
}
