//! The outcome of replays as text.

mod peers;

use throughline_replay::{PeerReport, PriceReport, SessionReport};
use throughline_terminal::{Style, table};
use throughline_text::{group_thousands, headline};

/// Columns that rows of sessions, of totals and of peers share. With a name in front they take at most 100 characters.
const COLUMNS: [&str; 13] = [
    "REQS", "MEAN", "REWR", "CUTS", "UNPAID", "PRICE", "CLOCK", "REGRET", "OPENAI", "CLOCK", "REGRET",
    "NAMES", "LINES",
];

/// The meaning of the columns.
const LEGEND: [&str; 5] = [
    "PRICE: all input at Anthropic's prices over sending the whole history each time, both with a prompt cache",
    "(read 0.1, write 1.25). CLOCK: the same when the cache expires in recorded pauses of more than 5 minutes.",
    "REGRET: with one more step for each answer that uses what its request no longer showed. OPENAI: the same",
    "three at its prices (write 1.0, 30 minutes). NAMES, LINES: of what answers use of earlier results, the per",
    "cent shown. REWR: requests with a changed prefix; CUTS made them smaller; UNPAID were cut again too soon.",
];

/// The lines of a report: a row for each session, the totals, and notes; then the peers, if any were simulated.
#[must_use]
pub fn replay_text(reports: &[SessionReport], peers: &[PeerReport], style: Style) -> Vec<String> {
    let mut lines = of_sessions(reports, style);
    if !peers.is_empty() {
        lines.extend(peers::render(reports, peers, style));
    }
    lines
}

/// A row for each session, the totals, and notes.
fn of_sessions(reports: &[SessionReport], style: Style) -> Vec<String> {
    let mut rows = vec![head("#")];
    for (place, report) in reports.iter().enumerate() {
        rows.push(row(
            (place + 1).to_string(),
            report.requests,
            report.mean_request_tokens,
            &[&report.prices],
        ));
    }
    rows.push(total(reports));
    let mut lines = table(&rows);
    if let Some(first) = lines.first_mut() {
        *first = style.bold(first);
    }
    if let Some(last) = lines.last_mut() {
        *last = style.bold(last);
    }
    lines.push(String::new());
    lines.extend(LEGEND.map(|text| style.dim(text)));
    lines.push(String::new());
    lines.extend(legend(reports));
    lines.extend(components(reports));
    lines.extend(notes(reports));
    lines
}

/// The headers, with this one first.
fn head(name: &str) -> Vec<String> {
    std::iter::once(name).chain(COLUMNS).map(str::to_owned).collect()
}

/// The row of one or more sessions. Prices are pooled: long sessions weigh more.
fn row(name: String, requests: u64, mean: u64, prices: &[&PriceReport]) -> Vec<String> {
    type Cost = fn(&PriceReport) -> (f64, f64);
    let costs: [Cost; 6] = [
        |report| (report.cost_anthropic, report.ratio_anthropic),
        |report| (report.cost_anthropic_clock, report.ratio_anthropic_clock),
        |report| (report.cost_anthropic_clock + report.regret_anthropic, report.ratio_anthropic_regret),
        |report| (report.cost_openai, report.ratio_openai),
        |report| (report.cost_openai_clock, report.ratio_openai_clock),
        |report| (report.cost_openai_clock + report.regret_openai, report.ratio_openai_regret),
    ];
    let count = |of: fn(&PriceReport) -> u64| prices.iter().map(|report| of(report)).sum::<u64>().to_string();
    let mut cells = vec![
        name,
        requests.to_string(),
        group_thousands(mean),
        count(|report| report.rewrites),
        count(|report| report.cuts),
        count(|report| report.cuts_overtaken),
    ];
    cells.extend(costs.map(|cost| format!("{:.3}", pooled(prices, cost))));
    cells.push(share(prices, |report| (report.recall_names, report.recall_names_of)));
    cells.push(share(prices, |report| (report.recall_edit_lines, report.recall_edit_lines_of)));
    cells
}

/// Cost of all sessions over the cost of all with the full history.
fn pooled(prices: &[&PriceReport], cost: impl Fn(&PriceReport) -> (f64, f64)) -> f64 {
    let own: f64 = prices.iter().map(|report| cost(report).0).sum();
    let full = |(own, ratio): (f64, f64)| if ratio > 0.0 { own / ratio } else { 0.0 };
    let full: f64 = prices.iter().map(|report| full(cost(report))).sum();
    if full > 0.0 { own / full } else { 1.0 }
}

/// The share of all that was needed, in per cent; `-` when nothing was.
fn share(prices: &[&PriceReport], of: impl Fn(&PriceReport) -> (f64, u64)) -> String {
    let add = |(seen, all), (share, count)| (seen + share * count as f64, all + count);
    let (seen, all) = prices.iter().map(|report| of(report)).fold((0.0, 0), add);
    if all == 0 { "-".to_owned() } else { format!("{:.1}", 100.0 * seen / all as f64) }
}

fn sum(reports: &[SessionReport], of: impl Fn(&SessionReport) -> u64) -> u64 {
    reports.iter().map(of).sum()
}

fn mean(reports: &[SessionReport], of: impl Fn(&SessionReport) -> u64) -> u64 {
    let requests = sum(reports, |report| report.requests);
    sum(reports, |report| of(report).saturating_mul(report.requests)).checked_div(requests).unwrap_or(0)
}

fn total(reports: &[SessionReport]) -> Vec<String> {
    all(reports, "all".to_owned())
}

/// The row of all sessions together.
fn all(reports: &[SessionReport], name: String) -> Vec<String> {
    let prices: Vec<&PriceReport> = reports.iter().map(|report| &report.prices).collect();
    let requests = sum(reports, |report| report.requests);
    row(name, requests, mean(reports, |report| report.mean_request_tokens), &prices)
}

/// The whole id of each session, with what its row has no place for.
fn legend(reports: &[SessionReport]) -> Vec<String> {
    let mut rows = vec![["#", "FORMAT", "TURNS", "PEAK", "OFFLOADED", "SESSION"].map(str::to_owned).to_vec()];
    rows.extend(reports.iter().enumerate().map(|(place, report)| {
        vec![
            (place + 1).to_string(),
            report.format.to_string(),
            report.turns.to_string(),
            group_thousands(report.peak_request_tokens),
            report.offloads.to_string(),
            headline(&report.session, usize::MAX),
        ]
    }));
    table(&rows)
}

fn components(reports: &[SessionReport]) -> Vec<String> {
    type Of = fn(&SessionReport) -> (u64, u64);
    let parts: [(&str, Of); 4] = [
        ("system prompt", |report| (report.system.mean, report.system.peak)),
        ("skills", |report| (report.skills.mean, report.skills.peak)),
        ("tools", |report| (report.tools.mean, report.tools.peak)),
        ("conversation", |report| (report.conversation.mean, report.conversation.peak)),
    ];
    let mut rows = vec![["COMPONENT", "MEAN", "PEAK"].map(str::to_owned).to_vec()];
    for (name, of) in parts {
        let peak = reports.iter().map(|report| of(report).1).max().unwrap_or(0);
        rows.push(vec![
            name.to_owned(),
            group_thousands(mean(reports, |report| of(report).0)),
            group_thousands(peak),
        ]);
    }
    std::iter::once(String::new()).chain(table(&rows)).collect()
}

fn notes(reports: &[SessionReport]) -> Vec<String> {
    let mut lines = vec![String::new()];
    let Some(first) = reports.first() else { return lines };
    lines.push(format!(
        "Policy {}, window {}, counter {}. {}.",
        first.policy,
        group_thousands(first.window),
        first.estimator,
        summaries(reports),
    ));
    lines.push(format!(
        "A recording with less than {} tokens of system prompt and tool schemas is filled up with a placeholder.",
        group_thousands(first.overhead),
    ));
    let wire = sum(reports, |report| report.invalid_requests);
    let over = sum(reports, |report| report.over_window);
    lines.push(format!("Invalid requests: {wire}. Requests over the effective window: {over}."));
    let (ok, bad) =
        (sum(reports, |report| report.read_back_ok), sum(reports, |report| report.read_back_failed));
    lines.push(format!("Stored results read back byte for byte: {ok} of {}.", ok + bad));
    let untimed: Vec<String> = numbers(reports, |report| report.timed_requests == 0);
    if !untimed.is_empty() {
        lines.push(format!("No recorded times, so no expired cache: {}.", untimed.join(", ")));
    }
    for (place, report) in reports.iter().enumerate() {
        let place = place + 1;
        if report.repaired > 0 {
            let repaired = report.repaired;
            lines
                .push(format!("{place}: {repaired} malformed entries of the recording repaired or skipped."));
        }
        if report.failed_turns > 0 {
            let why = report.first_failure.as_deref().unwrap_or("unknown reason");
            lines.push(format!(
                "{place}: {} of {} turns failed, the first because {why}.",
                report.failed_turns, report.turns
            ));
        }
        lines.extend(report.faults.iter().map(|fault| format!("{place}: {}", headline(fault, 160))));
    }
    lines
}

/// What requests for summaries have cost. Their text is written by rule: no recorded model can answer them.
fn summaries(reports: &[SessionReport]) -> String {
    let asked: f64 = reports.iter().map(|report| report.prices.summaries_anthropic).sum();
    let all: f64 = reports.iter().map(|report| report.prices.cost_anthropic_clock).sum();
    if asked > 0.0 && all > 0.0 {
        format!("Requests for summaries are {:.1} % of CLOCK", 100.0 * asked / all)
    } else {
        "Summaries are written by rule and cost nothing".to_owned()
    }
}

/// The row numbers of the sessions for which this holds.
fn numbers(reports: &[SessionReport], holds: impl Fn(&SessionReport) -> bool) -> Vec<String> {
    let places = reports.iter().enumerate().filter(|(_, report)| holds(report));
    places.map(|(place, _)| (place + 1).to_string()).collect()
}
