//! The sub-agents of a session, and the session that a sub-agent works for.

use maud::{Markup, html};
use throughline_continuity::SessionSummary;

use super::layout::PageFailure;
use super::listed::cost_of;
use super::text::{cost as cost_text, figure};
use crate::app::App;
use crate::sessions::objects;

/// The section about the sub-agents of a session; nothing without any.
pub(super) async fn section(app: &App, session: &SessionSummary) -> Result<Markup, PageFailure> {
    let (links, agents) = app.storage.agents_with_figures(&session.info.id).await?;
    if links.is_empty() {
        return Ok(html! {});
    }
    let objects = objects(app, &agents).await?;
    let costs = objects.iter().map(cost_of);
    let rows = links.iter().zip(&agents).zip(costs);
    Ok(html! {
        section {
            h2 { "Sub-agents" }
            table.rows {
                thead { tr { th { "Task" } th { "Kind" } th.num { "Requests" } th.num { "Cost" } } }
                tbody { @for ((link, listed), cost) in rows {
                    tr {
                        td.lead {
                            a.title href={ "/sessions/" (link.session) } {
                                @if listed.info.title.is_empty() { (link.session) } @else { (listed.info.title) }
                            }
                        }
                        td data-label="Kind" { (link.kind) }
                        td.num data-label="Requests" { (figure(listed.requests)) }
                        td.num data-label="Cost" { (cost_text(cost)) }
                    }
                } }
            }
            p.sub { "Their cost is part of this session's: it is in its side requests." }
        }
    })
}

/// The way back from a sub-agent to the session that it works for.
pub(super) fn parent(session: &SessionSummary) -> Markup {
    html! {
        @if let Some(parent) = &session.parent {
            p.sub { "A sub-agent of " a href={ "/sessions/" (parent) } { (parent) } }
        }
    }
}
