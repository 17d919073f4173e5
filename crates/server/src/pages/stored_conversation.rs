//! The conversation of a stored session.

use std::collections::HashMap;

use axum::Extension;
use axum::extract::State;
use maud::html;

use super::conversation::ConversationPage;
use super::layout::{PageAnswer, Tabs, page as frame, to_session};
use super::part_conversation::part_conversation;
use super::session::compaction_rows;
use crate::app::App;
use crate::inspector::{next_window, timeline, turn_rows};
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
    if let Some(part) = app.mirror(&id, &log).await? {
        let address = format!("/sessions/{id}");
        let body = html! {
            div data-session=(id) data-last=(log.last) data-live="conversation" {
                (Tabs::stored(id.as_str()).with(part.points.len()).of(&log).running(running.as_deref()).show("Conversation"))
                (part_conversation(&part, Some(&log), &address, &params)?)
            }
        };
        return Ok(frame("Conversation", &[to_session(&session)], &body));
    }
    let table = table()?;
    let points = timeline(&log.records, &table);
    let turns = turn_rows(&log.groups(), &points);
    let compactions = compaction_rows(&log, &table);
    let address = format!("/sessions/{id}");
    let page = ConversationPage {
        address: &address,
        log: &log,
        points: &points,
        turns: &turns,
        compactions: &compactions,
        lost: &log.lost,
        next: next_window(&app.handle(&id)).await,
        places: HashMap::new(),
    };
    let body = html! {
        div data-session=(id) data-last=(log.last) data-live="conversation" {
            (Tabs::stored(id.as_str()).with(points.len()).of(&log).running(running.as_deref()).show("Conversation"))
            (page.show(&params)?)
        }
    };
    Ok(frame("Conversation", &[to_session(&session)], &body))
}
