//! What a session cost: by cause, by tool, and by its largest items.

use axum::extract::State;
use maud::{Markup, html};
use throughline_completion::Dollars;
use throughline_conversation::SessionId;

use super::layout::{PageAnswer, Tabs, page as frame, to_session};
use super::text::{cost as cost_text, counted, figure, incomplete, money};
use super::transcript_cost::cost_of;
use super::why::linked;
use crate::answer::Failure;
use crate::app::App;
use crate::inspector::{
    CauseCost, SessionFigures, StoredLog, ToolTotal, WindowItem, cost_causes, next_window, timeline,
    tool_costs, turn_rows, window_items,
};
use crate::sessions::{Named, stored, table};

/// Items that are listed.
const LISTED: usize = 25;

/// The cost of a stored session.
pub(crate) async fn cost(State(app): State<App>, id: Named) -> PageAnswer {
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let (requests, shown) = match app.mirror(&id, &log).await? {
        Some(part) => (part.points.len(), cost_of(&part, &format!("/sessions/{id}"))),
        None => own_cost(&app, &id, &log).await?,
    };
    let body = html! {
        (Tabs::stored(id.as_str()).with(requests).of(&log).show("Cost"))
        (shown)
    };
    Ok(frame("Cost", &[to_session(&session)], &body))
}

/// How many requests Throughline has sent for a session, and what they cost.
async fn own_cost(app: &App, id: &SessionId, log: &StoredLog) -> Result<(usize, Markup), Failure> {
    let table = table()?;
    let points = timeline(&log.records, &table);
    let figures = SessionFigures::of_log(&log.records, &points, &turn_rows(&log.groups(), &points), &table);
    let window = next_window(&app.handle(id)).await;
    let items = window_items(&app.handle(id), log, window, &table);
    let address = format!("/sessions/{id}");
    let shown = html! {
        section { h2 { "By cause" } (causes(&cost_causes(&log.records, &table), &figures, Some(&address))) }
        section { h2 { "By tool" } (by_tool(&tool_costs(&log.records, &table), &items)) }
        section { h2 { "Largest items in the window now" } (largest(&items, &address)) }
    };
    Ok((points.len(), shown))
}

/// The cost by cause, with the request that paid most for each.
pub(super) fn causes(causes: &[CauseCost], figures: &SessionFigures, address: Option<&str>) -> Markup {
    let dollars: f64 = causes.iter().map(|cause| cause.dollars).sum();
    let has_prices = figures.dollars != Dollars::Unknown;
    html! {
        @if causes.is_empty() { p.empty { "The provider has reported no usage yet." } }
        @else {
            table.rows.narrow {
                thead { tr { th { "Cause" } th.num { "Requests" } th.num { "Tokens" } @if has_prices { th.num { "Cost" } th.num { "Share" } } th.num { "Dearest" } } }
                tbody { @for cause in causes { tr {
                    td.lead { (cause.cause) }
                    td.num data-label="Requests" { (figure(cause.requests)) }
                    td.num data-label="Tokens" { (figure(cause.tokens)) }
                    @if has_prices {
                        td.num data-label="Cost" { (cost_text(cause.known())) }
                        td.num data-label="Share" { (format!("{:.0} %", cause.dollars * 100.0 / dollars.max(1e-9))) }
                    }
                    td.num data-label="Dearest" {
                        @if let Some(request) = cause.dearest { (linked(address, &format!("/requests/{request}"), &format!("request {}", figure(request)))) } @else { "–" }
                    }
                } } }
            }
            p.sub {
                "Together " @if has_prices { (cost_text(figures.dollars)) ", " } (counted(figures.requests, "request"))
                @if let Some(side) = &figures.side { "; of it " @if has_prices { (cost_text(side.dollars)) " is of " } (counted(side.count, "request")) " " (side.what) }
                "."
            }
            @if figures.unpriced + figures.unreported > 0 { p.sub { (incomplete(figures)) "." } }
        }
    }
}

/// What each tool has cost in the whole session, and what of it is in the window now.
fn by_tool(tools: &[ToolTotal], items: &[WindowItem]) -> Markup {
    let has_prices = tools.iter().any(|tool| tool.dollars != Dollars::Unknown);
    let now = |tool: &ToolTotal| -> u64 {
        items.iter().filter(|item| item.tool == tool.tool).map(|item| item.tokens).sum()
    };
    let is_sent = |item: &&WindowItem| tools.iter().any(|tool| tool.tool == item.tool);
    let unsent: u64 = items.iter().filter(|item| !is_sent(item)).map(|item| item.tokens).sum();
    html! {
        @if tools.is_empty() { p.empty { "No request was sent yet." } } @else {
            table.rows.narrow {
                thead { tr { th { "Tool" } th.num { "Calls" } th.num { "Tokens" } th.num { "In the window now" } @if has_prices { th.num { "Cost" } } } }
                tbody { @for tool in tools { tr {
                    td.lead { (tool.tool) }
                    td.num data-label="Calls" { (figure(tool.calls)) }
                    td.num data-label="Tokens" { (figure(tool.tokens)) }
                    td.num data-label="In the window now" { (figure(now(tool))) }
                    @if has_prices { td.num data-label="Cost" { (cost_text(tool.dollars)) } }
                } } }
            }
            @if unsent > 0 { p.sub { (counted(unsent, "token")) " more are in the window that no request has sent yet, such as a new summary." } }
            p.sub { "Of the whole session, also of what left the window. Tokens are estimates; a cost is the share of every request that sent the calls and results, and of writing the calls. In parentheses: what is no tool." }
        }
    }
}

fn largest(items: &[WindowItem], address: &str) -> Markup {
    let mut items: Vec<&WindowItem> = items.iter().collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.tokens));
    let has_prices = items.iter().any(|item| item.dollars.is_some());
    html! {
        @if items.is_empty() { p.empty { "No request was sent yet." } } @else {
            table.rows {
                thead { tr { th { "Item" } th { "Tool" } th.num { "Turn" } th.num { "Tokens" } @if has_prices { th.num { "Cost so far" } } } }
                tbody { @for item in items.iter().take(LISTED) { tr data-row="" {
                    td.lead { @if let Some(record) = item.record { a href={ (address) "/records/" (record) } { (item.name) } } @else { (item.name) } }
                    td data-label="Tool" { (item.tool) }
                    td.num data-label="Turn" { @if let Some(turn) = item.turn { (turn) } @else { "–" } }
                    td.num data-label="Tokens" { (figure(item.tokens)) }
                    @if has_prices { td.num data-label="Cost so far" { (money(item.dollars)) } }
                } } }
            }
        }
    }
}
