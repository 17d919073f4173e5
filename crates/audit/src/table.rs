//! An audit as text: tables of at most 100 columns.

pub(super) mod notes;
pub(super) mod policies;

use throughline_terminal::{Style, table};
use throughline_text::{group_thousands, headline};

use super::call_name::{path_end, shorter_name};
use super::money::{dollars, share};
use crate::items::AuditedItem;
use crate::reads::RepeatedRead;
use crate::session::SessionAudit;
use crate::totals::AuditReport;

/// Rows of the tables of tools, files and items.
const ROWS: usize = 12;

/// Columns of a name in a table.
const NAME: usize = 44;

/// The whole report.
#[must_use]
pub fn text(report: &AuditReport, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    section(&mut lines, style, "Where the money went", &causes(report));
    section(&mut lines, style, "By session", &sessions(report));
    let unit = unit(report);
    section(&mut lines, style, &format!("By tool, in {unit}"), &tools(report));
    section(&mut lines, style, &format!("Largest items, in {unit}"), &items(report));
    section(&mut lines, style, &format!("Files read again, in {unit}"), &reads(report));
    section(&mut lines, style, "Recorded compactions", &policies::compactions(report));
    section(
        &mut lines,
        style,
        "Every policy over the same sessions, in dollars of input",
        &policies::policies(report),
    );
    lines.extend(notes::legend(report));
    lines.push(String::new());
    lines.extend(notes::notes(report).iter().flat_map(|note| notes::wrapped(note)));
    lines.push(String::new());
    lines.extend(notes::wrapped(&notes::recommendation(report)).iter().map(|text| style.bold(text)));
    lines
}

/// Adds a table under its title, if it has a row.
fn section(lines: &mut Vec<String>, style: Style, title: &str, rows: &[Vec<String>]) {
    if rows.len() < 2 {
        return;
    }
    lines.push(style.bold(title));
    lines.extend(table(rows));
    lines.push(String::new());
}

/// What tables of a report compare by: tokens where no request has a known price.
pub(super) fn unit(report: &AuditReport) -> &'static str {
    if report.totals.has_no_price() { "tokens" } else { "dollars" }
}

/// An amount of a report; `-` where no request has a known price.
fn amount(report: &AuditReport, amount: f64) -> String {
    if report.totals.has_no_price() { "-".to_owned() } else { dollars(amount) }
}

/// A part of the whole of a report in per cent: of its dollars, or of its tokens where no request has a known price.
fn part(report: &AuditReport, part: f64, tokens: u64, all: u64) -> String {
    match report.totals.has_no_price() {
        true => share(tokens as f64, all as f64),
        false => share(part, report.totals.dollars),
    }
}

/// A row of headers.
fn head<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

pub(super) fn causes(report: &AuditReport) -> Vec<Vec<String>> {
    let totals = &report.totals;
    let mut rows = vec![head(["CAUSE", "DOLLARS", "%", "TOKENS"])];
    let tokens = totals.causes.named().iter().map(|(_, spent)| spent.tokens).sum();
    for (name, spent) in totals.causes.named() {
        rows.push(vec![
            name.to_owned(),
            amount(report, spent.dollars),
            part(report, spent.dollars, spent.tokens, tokens),
            group_thousands(spent.tokens),
        ]);
    }
    let all = amount(report, totals.dollars);
    rows.push(vec!["all".to_owned(), all, share(1.0, 1.0), group_thousands(tokens)]);
    rows
}

pub(super) fn sessions(report: &AuditReport) -> Vec<Vec<String>> {
    let mut rows = vec![head([
        "#", "REQS", "PEAK", "DOLLARS", "NEW", "CACHE", "IDLE", "PREFIX", "COMPACT", "OUTPUT", "EST", "MODEL",
    ])];
    for (place, session) in report.sessions.iter().enumerate() {
        let mut row = vec![
            (place + 1).to_string(),
            session.requests.to_string(),
            group_thousands(session.peak),
            price(session, session.dollars),
        ];
        row.extend(session.causes.named().map(|(_, spent)| price(session, spent.dollars)));
        row.push((session.estimated_inputs.max(session.estimated_outputs)).to_string());
        row.push(headline(&session.models.join(" "), 18));
        rows.push(row);
    }
    rows
}

/// An amount of a session; `-` where no request has a known price.
pub(super) fn price(session: &SessionAudit, amount: f64) -> String {
    if session.unpriced_requests == session.requests { "-".to_owned() } else { dollars(amount) }
}

pub(super) fn tools(report: &AuditReport) -> Vec<Vec<String>> {
    let mut rows = vec![head(["TOOL", "CALLS", "TOKENS", "WRITTEN", "ENTERED", "AFTER", "ALL", "%"])];
    let (tools, has_no_price) = (&report.totals.tools, report.totals.has_no_price());
    let tokens = tools.iter().map(|cost| cost.tokens).sum();
    for cost in tools.iter().take(ROWS).filter(|cost| has_no_price || cost.dollars() > 0.0) {
        rows.push(vec![
            headline(&cost.tool, NAME),
            cost.calls.to_string(),
            group_thousands(cost.tokens),
            amount(report, cost.output),
            amount(report, cost.entered),
            amount(report, cost.downstream),
            amount(report, cost.dollars()),
            part(report, cost.dollars(), cost.tokens, tokens),
        ]);
    }
    rows
}

pub(super) fn items(report: &AuditReport) -> Vec<Vec<String>> {
    let mut all: Vec<(usize, &AuditedItem)> = Vec::new();
    for (place, session) in report.sessions.iter().enumerate() {
        all.extend(session.largest.iter().map(|item| (place + 1, item)));
    }
    all.sort_by(|(_, a), (_, b)| b.dollars().total_cmp(&a.dollars()).then(b.tokens.total_cmp(&a.tokens)));
    let has_no_price = report.totals.has_no_price();
    let mut rows = vec![head(["#", "TURN", "TOKENS", "ENTERED", "AFTER", "REQS", "WHAT"])];
    for (place, item) in all.into_iter().take(ROWS).filter(|(_, item)| has_no_price || item.dollars() > 0.0) {
        rows.push(vec![
            place.to_string(),
            item.turn.to_string(),
            group_thousands(item.tokens.round() as u64),
            amount(report, item.output + item.entered),
            amount(report, item.downstream),
            item.requests.to_string(),
            what(item),
        ]);
    }
    rows
}

/// The tool of an item and what it is about.
fn what(item: &AuditedItem) -> String {
    match item.tool.as_deref() {
        Some(tool) => {
            let tool = format!("{}: ", headline(tool, NAME / 2));
            let room = (NAME + 8).saturating_sub(tool.chars().count());
            format!("{tool}{}", shorter_name(&item.name, room))
        }
        None => headline(&item.name, NAME + 8),
    }
}

pub(super) fn reads(report: &AuditReport) -> Vec<Vec<String>> {
    let mut all: Vec<(usize, &RepeatedRead)> = Vec::new();
    for (place, session) in report.sessions.iter().enumerate() {
        all.extend(session.repeated_reads.iter().map(|read| (place + 1, read)));
    }
    all.sort_by(|(_, a), (_, b)| b.dollars.total_cmp(&a.dollars).then(b.tokens.cmp(&a.tokens)));
    let has_no_price = report.totals.has_no_price();
    let mut rows = vec![head(["#", "READS", "NEEDLESS", "TOKENS", "DOLLARS", "FILE"])];
    for (place, read) in all.into_iter().take(ROWS).filter(|(_, read)| has_no_price || read.dollars > 0.0) {
        rows.push(vec![
            place.to_string(),
            read.reads.to_string(),
            read.needless.to_string(),
            group_thousands(read.tokens),
            amount(report, read.dollars),
            path_end(&read.path, NAME + 8),
        ]);
    }
    rows
}
