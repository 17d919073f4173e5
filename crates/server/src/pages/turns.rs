//! The turns of a session, with what can be done with each.

use std::collections::HashMap;

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use throughline_conversation::{ExchangeId, GroupStatus, SessionId};
use throughline_stored::receipts;

use super::layout::{PageAnswer, page as frame, tabs, to_session, turner};
use super::text::{figure, time};
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, stored};

/// The turns, the oldest first.
pub(crate) async fn turns(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let all = log.groups();
    let page = page.within(all.len());
    // Where an undo deletes, its button asks as a deletion does.
    let deleted = match app.handle(&id).settings().await?.undo_deletes() {
        true => log.undone_turn().ok(),
        false => None,
    };
    // The first request of each turn.
    let firsts: HashMap<u64, u64> =
        receipts(&log.records).rev().map(|receipt| (receipt.turn, receipt.request)).collect();
    let change = format!("/api/sessions/{id}/changes");
    let body = html! {
        (tabs(&id, &log, "Turns"))
        div.acts {
            @match deleted {
                Some(turn) => { button.danger type="button" data-confirm=(turn) data-delete={ "/api/sessions/" (id) "/groups/" (turn) } { "Undo last turn (deletes it)…" } },
                None => { (button(&change, "{\"change\":\"undo\"}", "Undo last turn")) },
            }
            @for (name, text) in [("redo", "Redo"), ("undo_compaction", "Undo compaction"), ("redo_compaction", "Redo compaction")] {
                (button(&change, &format!("{{\"change\":\"{name}\"}}"), text))
            }
        }
        @if all.is_empty() { p.empty { "There is no turn yet." } } @else {
            table.rows {
                thead { tr { th { "Turn" } th { "Message" } th { "Status" } th.num { "Messages" } th.num { "Calls" } th.num { "Tokens" } th { "Time (UTC)" } th { "Change" } } }
                tbody { @for group in page.of(&all) { tr data-row="" {
                    td.lead {
                        @match firsts.get(&group.id.0) {
                            Some(request) => { a href={ "/sessions/" (id) "/requests/" (request) } { (group.id) } },
                            None => { (group.id) },
                        }
                    }
                    td.said { (group.request) }
                    td.status data-label="Status" { span.badge.plain { (group.status.name()) } @if group.status == GroupStatus::Live { " " span.sub { "shown: " (group.shown.name()) } } }
                    td.num data-label="Messages" { (figure(group.messages)) }
                    td.num data-label="Calls" { (figure(group.calls)) }
                    td.num data-label="Tokens" { (group.tokens.map_or_else(|| "–".to_owned(), figure)) }
                    td.at data-label="Time (UTC)" { (time(group.at)) }
                    td.acts { (changes(&id, &change, group.id, group.status)) }
                } } }
            }
            (turner(page, all.len(), &format!("/sessions/{id}/turns")))
        }
    };
    Ok(frame("Turns", &[to_session(&session)], &body))
}

/// What can be done with a turn.
fn changes(id: &SessionId, address: &str, turn: ExchangeId, status: GroupStatus) -> Markup {
    let body = |name: &str| format!("{{\"change\":\"{name}\",\"turn\":{turn}}}");
    html! {
        @match status {
            GroupStatus::Live => { (button(address, &body("drop"), "Drop")) (button(address, &body("pin"), "Pin")) },
            GroupStatus::Removed => {},
            _ => { (button(address, &body("restore"), "Restore")) },
        }
        @if status != GroupStatus::Removed {
            button.danger type="button" data-confirm=(turn) data-delete={ "/api/sessions/" (id) "/groups/" (turn) } { "Delete…" }
        }
    }
}

fn button(address: &str, body: &str, text: &str) -> Markup {
    html! { button type="button" data-post=(address) data-body=(body) { (text) } }
}
