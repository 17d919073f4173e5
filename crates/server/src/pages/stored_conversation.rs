//! The conversation of a stored session.

use std::collections::HashMap;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use throughline_conversation::SessionId;

use super::conversation::ConversationPage;
use super::layout::{PageAnswer, Tabs, page as frame, to_session};
use super::part_conversation::part_conversation;
use super::session::compaction_rows;
use crate::answer::Failure;
use crate::app::App;
use crate::inspector::{StoredLog, next_window, timeline, turn_rows};
use crate::params::Params;
use crate::sessions::{Named, stored, table};

/// The conversation of a stored session.
pub(crate) async fn conversation(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let running = app.turns.running(&id);
    let (requests, shown) = match app.mirror(&id, &log).await? {
        Some(part) => {
            let shown = part_conversation(&part, Some(&log), &format!("/sessions/{id}"), &params)?;
            (part.points.len(), shown)
        }
        None => own_conversation(&app, &id, &log, &params).await?,
    };
    let body = html! {
        div data-session=(id) data-last=(log.last) data-live="conversation" {
            (Tabs::stored(id.as_str()).with(requests).of(&log).running(running.as_deref()).show("Conversation"))
            (shown)
        }
    };
    Ok(frame("Conversation", &[to_session(&session)], &body))
}

/// How many requests Throughline has sent for a session, and their conversation.
async fn own_conversation(
    app: &App,
    id: &SessionId,
    log: &StoredLog,
    params: &Params,
) -> Result<(usize, Markup), Failure> {
    let table = table()?;
    let points = timeline(&log.records, &table);
    let turns = turn_rows(&log.groups(), &points);
    let compactions = compaction_rows(log, &table);
    let address = format!("/sessions/{id}");
    let page = ConversationPage {
        address: &address,
        log,
        points: &points,
        turns: &turns,
        compactions: &compactions,
        lost: &log.lost,
        next: next_window(&app.handle(id)).await,
        places: HashMap::new(),
    };
    Ok((points.len(), page.show(params)?))
}
