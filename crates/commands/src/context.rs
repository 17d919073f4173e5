//! `throughline context`: what fills a session's window and what the next compaction would remove.

pub(crate) mod args;
mod assembled;
mod grid;
mod page;
mod rebuild;

use grid::grid;
use page::page;
use throughline_agent::{ContextReport, NextCut};
use throughline_compaction::price_sentence;
use throughline_connect::dollars_text;
use throughline_conversation::Action;
use throughline_stored::{ComponentShare, SessionReport, SessionWriter};
use throughline_terminal::window_bar::{self, percent};
use throughline_terminal::{Style, table};
use throughline_text::{group_thousands, plain};

use crate::answer::Answer;
use crate::compaction::sizes;
use crate::pins::room;
use crate::target::CommandTarget;

pub(crate) use assembled::assembled;
pub use rebuild::by_agent;
pub(crate) use rebuild::rebuild;

/// Actions of the next compaction that are listed.
const ACTIONS: usize = 8;

/// The report: from the agent that has the session open, else from the newest request.
/// On the screen, what fits there is shown unless `all` is wanted.
pub(crate) async fn report(
    target: &CommandTarget,
    writer: &SessionWriter<'_>,
    all: bool,
) -> anyhow::Result<Answer> {
    let report = target.handle.report(writer).await?;
    if target.on_screen && !all {
        let log = target.handle.log().await?;
        let prices = match writer {
            SessionWriter::Agent(agent, _) => Some(agent.model().prices),
            SessionWriter::Handle => None,
        };
        let text = page(&report, &log, prices).join("\n");
        return Ok(Answer { text, json: report.json()? });
    }
    let style = if target.on_screen { Style::with_colour(false) } else { Style::of_stdout() };
    let SessionReport { context, shares, totals, summaries, assumed } = &report;
    let mut lines = lines(context, shares, &room(&report), target, style);
    lines.extend(summaries.iter().map(|row| {
        let (first, last) = (row.span.first, row.span.last);
        let by = row.author.as_deref().unwrap_or("an unknown author");
        plain(&format!("Records {first} to {last} are a summary by {by}."))
    }));
    lines.extend(assumed.as_ref().map(|assumed| plain(&assumed.line())));
    lines.push(String::new());
    lines.extend(totals.lines());
    lines.extend(totals.regret_line());
    lines.extend(totals.cache.line());
    let mut json = report.json()?;
    if let Some(object) = json.as_object_mut() {
        object.insert("summaries".to_owned(), serde_json::to_value(summaries)?);
    }
    Ok(Answer { text: lines.join("\n"), json })
}

fn lines(
    report: &ContextReport,
    shares: &[ComponentShare],
    room: &str,
    target: &CommandTarget,
    style: Style,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = |text: &str| lines.push(text.to_owned());
    line(&format!("{}  {}", style.bold("session"), target.handle.session));
    line(&window_bar::short(&report.window, 48, style));
    let at = |name: &str, tokens: Option<u64>| {
        tokens.map(|tokens| format!("{name} at {}", group_thousands(tokens)))
    };
    let reserved = format!("{} reserved for output", group_thousands(report.window.reserved_output));
    let early = report
        .early_compact_at
        .map(|tokens| format!("compacts at {} with a new message", group_thousands(tokens)));
    let compact = at(if early.is_some() { "in a turn" } else { "compacts" }, report.compact_at);
    let limits = [Some(reserved), early, compact, at("blocks", report.block_at)];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    line(&style.dim(&format!(
        "window {} tokens: {}",
        group_thousands(report.window.total),
        limits.join(", ")
    )));
    if let Some(terms) = &report.price {
        let what = if terms.verdict.compacts() { "the next request compacts" } else { "no compaction now" };
        line(&style.dim(&format!("{what}: {}", price_sentence(terms))));
    }
    line("");
    grid(&report.window, style).iter().for_each(|text| line(text));
    line("");
    component_rows(report, shares).iter().for_each(|text| line(text));
    line("");

    let mut rows = vec![["LARGEST ITEMS", "TOKENS", "RECORD"].map(str::to_owned).to_vec()];
    for holder in &report.holders {
        let seq = holder.seq.map_or(String::from("-"), |seq| seq.to_string());
        rows.push(vec![plain(&holder.what), group_thousands(holder.tokens), seq]);
    }
    table(&rows).iter().for_each(|text| line(text));
    line("");
    if !report.pins.pins.is_empty() {
        line(&format!("{room} {} lists them.", target.command("pins", "")));
        line("");
    }
    match (&report.next, &report.why) {
        (Some(next), _) => {
            next_lines(next).iter().for_each(|text| line(text));
            if report.price.as_ref().is_some_and(|terms| !terms.verdict.compacts()) {
                line("It protects fewer of the newest messages than one that is due by itself.");
            }
        }
        (None, Some(why)) => line(&plain(&format!("A manual compaction now would not help: {why}."))),
        (None, None) => {}
    }
    lines
}

/// The components, with their cached share and their cost in the newest request.
fn component_rows(report: &ContextReport, shares: &[ComponentShare]) -> Vec<String> {
    let share_of_window = |tokens: u64| format!("{}%", percent(report.window.percentage(tokens)));
    let header = ["COMPONENT", "TOKENS", "SHARE", "CACHED", "COST (LAST REQUEST)"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(shares.iter().map(|share| {
        let cached = share.cached.saturating_mul(100).checked_div(share.tokens);
        let cached = cached.map_or("-".to_owned(), |percent| format!("{percent}%"));
        let dollars = share.dollars.map_or("-".to_owned(), dollars_text);
        vec![
            share.name.to_owned(),
            group_thousands(share.tokens),
            share_of_window(share.tokens),
            cached,
            dollars,
        ]
    }));
    let free = report.window.free();
    let free = ["free".to_owned(), group_thousands(free), share_of_window(free), "-".into(), "-".into()];
    rows.push(free.to_vec());
    table(&rows)
}

fn next_lines(next: &NextCut) -> Vec<String> {
    let made = if next.model_writes { ", with a summary that no model writes" } else { "" };
    let mut lines = vec![format!("A manual compaction now{made}: {}.", sizes(&next.result))];
    for action in next.actions.iter().take(ACTIONS) {
        let text = match action {
            Action::ReplaceResult { call_id, stored, .. } => {
                format!("result of call {call_id} becomes a stub, readable as {stored}")
            }
            Action::ReplaceInput { call_id, stored, .. } => {
                format!("arguments of call {call_id} are clipped, readable as {stored}")
            }
            Action::ReplacePictures { message, .. } => {
                format!("pictures of record {message} are removed")
            }
            Action::Cover { span, summary: Some(_), .. } => {
                format!("records {} to {} become a summary", span.first, span.last)
            }
            Action::Cover { span, summary: None, .. } => {
                format!("records {} to {} are dropped", span.first, span.last)
            }
        };
        lines.push(format!("  - {}", plain(&text)));
    }
    let more = next.actions.len().saturating_sub(ACTIONS);
    if more > 0 {
        lines.push(format!("  - and {more} more"));
    }
    lines
}
