//! `/context` on the screen: the answer in its first two rows, and no more than fits there.

use std::collections::HashMap;

use serde_json::Value;
use throughline_agent::{ComponentTokens, ContextReport, NextCut};
use throughline_compaction::pays_back_after;
use throughline_completion::{Cost, Dollars, Prices};
use throughline_connect::dollars_text;
use throughline_conversation::{ContentBlock, Entry, ToolCall, WindowFigures};
use throughline_stored::{ComponentShare, SessionLog, SessionReport, SessionTotals};
use throughline_terminal::table;
use throughline_terminal::window_bar::{about, percent};
use throughline_text::{counted, group_thousands, headline, plain};

use crate::diff::pays_back;

/// Cells of the line of the window.
const CELLS: u64 = 44;
/// The header of the prices.
const PRICED: &str = "LAST REQUEST";
/// The largest items that are listed.
const LARGEST: usize = 5;
/// Bytes of the name of an item.
const NAME: usize = 44;

/// The page. `prices` of the model that the session has, if an agent has it open.
pub(super) fn page(report: &SessionReport, log: &SessionLog, prices: Option<Prices>) -> Vec<String> {
    let SessionReport { context, shares, totals, .. } = report;
    let mut lines = vec![head(context), format!("  {}", gauge(context, cached(shares))), String::new()];
    lines.extend(indented(table(&components(context, shares))));
    lines.push(String::new());
    lines.extend(indented(table(&largest(context, log))));
    lines.push(String::new());
    lines.push(format!("  {}", next(context, prices)));
    lines.push(format!("  {}", so_far(totals)));
    if let Some(balance) = totals.regret_line() {
        lines.push(format!("  {balance}"));
    }
    lines.push("  /context --all shows limits, records, pins and what a compaction would do".to_owned());
    lines
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

fn head(context: &ContextReport) -> String {
    let WindowFigures { used, .. } = context.window;
    let point = context.early_compact_at.or(context.compact_at);
    let point =
        point.map_or(String::new(), |point| format!("  · next compaction at {}", group_thousands(point)));
    format!(
        "Context  {}{} of {} tokens, {}%{point}",
        about(&context.window),
        group_thousands(used.total()),
        group_thousands(context.window.effective_window()),
        percent(context.window.used_percentage())
    )
}

/// Tokens that the newest request read from the cache.
fn cached(shares: &[ComponentShare]) -> u64 {
    shares.iter().fold(0, |sum, share| sum.saturating_add(share.cached))
}

/// The window to scale, as above the input: heavy is used, solid from the cache and dashed paid in full.
fn gauge(context: &ContextReport, cached: u64) -> String {
    let window = context.window.effective_window().max(1);
    let used = context.window.used.total().min(window);
    let cells = |tokens: u64| (tokens.min(window) * CELLS + window / 2) / window;
    let heavy = cells(used).max(u64::from(used > 0));
    let solid = cells(cached.min(used)).min(heavy);
    let point =
        context.early_compact_at.or(context.compact_at).map(|point| point.min(window) * CELLS / window);
    let cell = |at: u64| match at {
        at if Some(at) == point => '┿',
        at if at < solid => '━',
        at if at < heavy => '╍',
        _ => '─',
    };
    (0..CELLS).map(cell).collect()
}

/// The components, with their cached share and their cost in the newest request.
fn components(context: &ContextReport, shares: &[ComponentShare]) -> Vec<Vec<String>> {
    let share_of_window = |tokens: u64| format!("{}%", percent(context.window.percentage(tokens)));
    let mut rows = vec![["COMPONENT", "TOKENS", "SHARE", "CACHED", PRICED].map(str::to_owned).to_vec()];
    rows.extend(shares.iter().filter(|share| share.tokens > 0).map(|share| {
        let cached = share.cached.saturating_mul(100).checked_div(share.tokens);
        vec![
            format!("▪ {}", share.name),
            group_thousands(share.tokens),
            share_of_window(share.tokens),
            cached.map_or("-".to_owned(), |percent| format!("{percent}%")),
            at_right(&share.dollars.map_or("-".to_owned(), dollars_text)),
        ]
    }));
    let free = context.window.free();
    rows.push(vec![
        "▪ free".to_owned(),
        group_thousands(free),
        share_of_window(free),
        "-".into(),
        at_right("-"),
    ]);
    rows
}

/// A price in its column: amounts of money stand at the right, as the other figures do.
fn at_right(price: &str) -> String {
    format!("{price:>width$}", width = PRICED.len())
}

fn largest(context: &ContextReport, log: &SessionLog) -> Vec<Vec<String>> {
    let entries = log.view.entries();
    let calls = entries.iter().flat_map(|entry| entry.message.tool_calls());
    let calls: HashMap<&str, &ToolCall> = calls.map(|call| (call.id.as_str(), call)).collect();
    let mut rows = vec![["LARGEST", "TOKENS", ""].map(str::to_owned).to_vec()];
    rows.extend(context.holders.iter().take(LARGEST).map(|holder| {
        let entry = holder.seq.and_then(|seq| entries.iter().find(|entry| entry.span.first == seq));
        let name =
            entry.and_then(|entry| subject(holder, entry, &calls)).unwrap_or_else(|| holder.what.clone());
        let place = entry.map_or("always".to_owned(), |entry| format!("turn {}", entry.exchange));
        vec![plain(&headline(&name, NAME)), group_thousands(holder.tokens), place]
    }));
    rows
}

/// What the largest result of this tool in a message was about; `None`: the item is no result of a call that is in view.
fn subject(holder: &ComponentTokens, entry: &Entry, calls: &HashMap<&str, &ToolCall>) -> Option<String> {
    let tool = holder.what.strip_suffix(" result")?;
    let results = entry.message.content.iter().filter_map(|block| match block {
        ContentBlock::ToolResult(result) => {
            Some((result.content.len(), *calls.get(result.call_id.as_str())?))
        }
        _ => None,
    });
    let (_, call) = results.filter(|(_, call)| call.name == tool).max_by_key(|(bytes, _)| *bytes)?;
    let text = |key: &str| call.input.get(key).and_then(Value::as_str);
    let about = ["path", "command", "url", "pattern", "query"].into_iter().find_map(text)?;
    let verb = match tool {
        "read_file" => "read",
        "shell" => "$",
        "grep" => "search",
        "list_files" => "list",
        other => other,
    };
    Some(format!("{verb} {about}"))
}

/// What a compaction would do now.
fn next(context: &ContextReport, prices: Option<Prices>) -> String {
    match (&context.next, &context.why) {
        (Some(next), _) => {
            let NextCut { result, model_writes, .. } = next;
            let removed = result.before_tokens.saturating_sub(result.after_tokens);
            let used = context.window.used.total();
            let about = if *model_writes { "about " } else { "" };
            let pays = prices.map_or(String::new(), |prices| {
                let after =
                    pays_back_after(removed, result.rewritten_tokens, prices.cache_read, prices.cache_write);
                format!("  {}", pays_back(after))
            });
            let (before, after) = (group_thousands(used), group_thousands(used.saturating_sub(removed)));
            format!("◆ /compact now  {before} → {about}{after}{pays}")
        }
        (None, Some(why)) => plain(&format!("◆ /compact now would not help: {why}")),
        (None, None) => "◆ /compact now: not known".to_owned(),
    }
}

/// What the session has used so far.
fn so_far(totals: &SessionTotals) -> String {
    let cost: &Cost = &totals.cost;
    let price = match cost.dollars() {
        Dollars::Exact(dollars) => dollars_text(dollars),
        Dollars::AtLeast(dollars) => format!("≥{}", dollars_text(dollars)),
        Dollars::Unknown => "price unknown".to_owned(),
    };
    format!(
        "{} · {}% of {} tokens from the cache · {} · {price}",
        counted(cost.all_requests(), "request"),
        cost.cached_percentage().unwrap_or(0),
        group_thousands(cost.usage.prompt()),
        counted(totals.compactions, "compaction"),
    )
}
