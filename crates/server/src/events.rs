//! New records as server-sent events, or the events of the turn that runs.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use throughline_continuity::{Part, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, Record, Seq, SessionId};
use throughline_store::LogChanges;
use throughline_stored::Error;

use crate::answer::Failure;
use crate::app::App;
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
    let following = Following { app, id, created, after, changes, ready: VecDeque::new() };
    let events = stream::unfold(following, Following::next);
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
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
}

impl Following {
    /// The next event. `None`: the session is gone, its log cannot be read, or the server stops.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                let event = Event::default().id(record.seq.to_string()).event(record.body.kind());
                let event =
                    event.json_data(&record).unwrap_or_else(|_| Event::default().comment("unreadable"));
                return Some((Ok(event), self));
            }
            let page = self.app.storage.log().read_page(&self.id, self.after, Part::All).await.ok()?;
            if page.records.is_empty() {
                self.pause().await?;
                continue;
            }
            // The records that were read are those of the session that is there afterwards.
            self.check().await?;
            self.after = page.last().max(self.after);
            self.ready.extend(page.records);
        }
    }

    /// Waits before the next look. `None`: there is nothing to wait for.
    async fn pause(&mut self) -> Option<()> {
        tokio::select! {
            _ = self.app.stopping.changed() => None,
            () = self.changes.wait(&self.id) => self.check().await,
        }
    }

    /// `None`: the session is gone, and another one may have its id.
    async fn check(&self) -> Option<()> {
        let found = self.app.storage.store.sessions().get(&self.id).await.ok()??;
        (found.created == self.created).then_some(())
    }
}
