//! What a session cost: by cause, by tool, and by its largest items.

use axum::extract::State;
use maud::{Markup, html};

use super::layout::{PageAnswer, Tabs, page as frame, to_session};
use super::text::{figure, money};
use crate::app::App;
use crate::inspector::{CauseCost, WindowItem, cost_causes, window_items};
use crate::sessions::{Named, known, table};

/// Items that are listed.
const LISTED: usize = 25;

/// The cost of a stored session.
pub(crate) async fn cost(State(app): State<App>, id: Named) -> PageAnswer {
    let id = known(&app.storage, id).await?;
    let log = app.log(&id).await?;
    let table = table()?;
    let items = window_items(&app.handle(&id), &log, &table)?;
    let requests = throughline_stored::receipts(&log.records).count();
    let address = format!("/sessions/{id}");
    let body = html! {
        (Tabs::stored(id.as_str()).with(requests).show("Cost"))
        section { h2 { "By cause" } (causes(&cost_causes(&log.records, &table))) }
        section { h2 { "In the window now, by tool" } (by_tool(&items)) }
        section { h2 { "Largest items in the window now" } (largest(&items, &address)) }
    };
    Ok(frame("Cost", &[to_session(&id)], &body))
}

/// The cost by cause.
pub(super) fn causes(causes: &[CauseCost]) -> Markup {
    let dollars: f64 = causes.iter().map(|cause| cause.dollars).sum();
    let unpriced = causes.iter().any(|cause| cause.unpriced > 0);
    html! {
        @if causes.is_empty() { p.empty { "The provider has reported no usage yet." } }
        @else {
            table.rows.narrow {
                thead { tr { th { "Cause" } th.num { "Requests" } th.num { "Tokens" } @if !unpriced { th.num { "Cost" } th.num { "Share" } } } }
                tbody { @for cause in causes { tr {
                    td.lead { (cause.cause) }
                    td.num data-label="Requests" { (figure(cause.requests)) }
                    td.num data-label="Tokens" { (figure(cause.tokens)) }
                    @if !unpriced {
                        td.num data-label="Cost" { (money(Some(cause.dollars))) }
                        td.num data-label="Share" { (format!("{:.0} %", cause.dollars * 100.0 / dollars.max(1e-9))) }
                    }
                } } }
            }
            @if unpriced { p.sub { "The price of a model is not known: " code { "models.toml" } " can name it." } }
        }
    }
}

/// What the items of the window cost so far, by tool.
fn by_tool(items: &[WindowItem]) -> Markup {
    let mut tools: Vec<(&str, u64, u64, Option<f64>)> = Vec::new();
    for item in items {
        let sum = |one: Option<f64>| Some(one? + item.dollars?);
        match tools.iter_mut().find(|(tool, ..)| *tool == item.tool) {
            Some((_, count, tokens, dollars)) => {
                (*count, *tokens, *dollars) = (*count + 1, *tokens + item.tokens, sum(*dollars));
            }
            None => tools.push((&item.tool, 1, item.tokens, item.dollars)),
        }
    }
    tools.sort_by_key(|(_, _, tokens, _)| std::cmp::Reverse(*tokens));
    let has_prices = tools.iter().any(|(.., dollars)| dollars.is_some());
    html! {
        @if tools.is_empty() { p.empty { "No request was sent yet." } } @else {
            table.rows.narrow {
                thead { tr { th { "Tool" } th.num { "Items" } th.num { "Tokens" } @if has_prices { th.num { "Cost so far" } } } }
                tbody { @for (tool, count, tokens, dollars) in &tools { tr {
                    td.lead { (tool) }
                    td.num data-label="Items" { (figure(*count)) }
                    td.num data-label="Tokens" { (figure(*tokens)) }
                    @if has_prices { td.num data-label="Cost so far" { (money(*dollars)) } }
                } } }
            }
            p.sub { "Tokens are estimates; a cost is the share of every request that sent the item. In parentheses: what is no tool." }
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
