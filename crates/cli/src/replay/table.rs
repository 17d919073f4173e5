//! The outcome of a replay as text.

use throughline_replay::SessionReport;
use throughline_text::group_thousands;

use crate::terminal::{Style, headline, table};

/// A row for each session, the totals, and notes.
pub(super) fn render(reports: &[SessionReport], style: Style) -> Vec<String> {
    let head = [
        "SESSION",
        "FORMAT",
        "TURNS",
        "REQUESTS",
        "MEAN",
        "PEAK",
        "CACHED",
        "WRITTEN",
        "UNCACHED",
        "COMPACT",
        "OFFLOAD",
        "ANTHROPIC",
        "+CLOCK",
        "OPENAI",
        "+CLOCK",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(reports.iter().map(row));
    rows.push(total(reports));
    let mut lines = table(&rows);
    if let Some(first) = lines.first_mut() {
        *first = style.bold(first);
    }
    if let Some(last) = lines.last_mut() {
        *last = style.bold(last);
    }
    lines.push(String::new());
    lines.push(style.dim(
        "MEAN, PEAK: tokens of a request. ANTHROPIC, OPENAI: price of all input over the price of sending the full \
         history each time, with the prompt cache (read 0.1; write 1.25 or 1.0). +CLOCK: the same when the cache \
         expires in the recorded pauses (after 5 or 30 minutes).",
    ));
    lines.extend(components(reports));
    lines.extend(notes(reports));
    lines
}

fn row(report: &SessionReport) -> Vec<String> {
    vec![
        headline(&report.session, 28),
        report.format.to_string(),
        report.turns.to_string(),
        report.requests.to_string(),
        group_thousands(report.mean_request_tokens),
        group_thousands(report.peak_request_tokens),
        group_thousands(report.tokens_cached),
        group_thousands(report.tokens_written),
        group_thousands(report.tokens_uncached),
        report.compactions.to_string(),
        report.offloads.to_string(),
        format!("{:.3}", report.ratio_anthropic),
        format!("{:.3}", report.ratio_anthropic_clock),
        format!("{:.3}", report.ratio_openai),
        format!("{:.3}", report.ratio_openai_clock),
    ]
}

fn sum(reports: &[SessionReport], of: impl Fn(&SessionReport) -> u64) -> u64 {
    reports.iter().map(of).sum()
}

/// Cost of all sessions over the cost of all with the full history: long sessions weigh more.
fn pooled(reports: &[SessionReport], cost: impl Fn(&SessionReport) -> (f64, f64)) -> f64 {
    let own: f64 = reports.iter().map(|report| cost(report).0).sum();
    let full: f64 =
        reports.iter().map(&cost).map(|(own, ratio)| if ratio > 0.0 { own / ratio } else { 0.0 }).sum();
    if full > 0.0 { own / full } else { 1.0 }
}

fn mean(reports: &[SessionReport], of: impl Fn(&SessionReport) -> u64) -> u64 {
    let requests = sum(reports, |report| report.requests);
    sum(reports, |report| of(report).saturating_mul(report.requests)).checked_div(requests).unwrap_or(0)
}

fn total(reports: &[SessionReport]) -> Vec<String> {
    let all = |of: fn(&SessionReport) -> u64| group_thousands(sum(reports, of));
    vec![
        format!("{} sessions", reports.len()),
        String::new(),
        all(|report| report.turns),
        all(|report| report.requests),
        group_thousands(mean(reports, |report| report.mean_request_tokens)),
        group_thousands(reports.iter().map(|report| report.peak_request_tokens).max().unwrap_or(0)),
        all(|report| report.tokens_cached),
        all(|report| report.tokens_written),
        all(|report| report.tokens_uncached),
        all(|report| report.compactions),
        all(|report| report.offloads),
        format!("{:.3}", pooled(reports, |report| (report.cost_anthropic, report.ratio_anthropic))),
        format!(
            "{:.3}",
            pooled(reports, |report| (report.cost_anthropic_clock, report.ratio_anthropic_clock))
        ),
        format!("{:.3}", pooled(reports, |report| (report.cost_openai, report.ratio_openai))),
        format!("{:.3}", pooled(reports, |report| (report.cost_openai_clock, report.ratio_openai_clock))),
    ]
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
        "Policy {}, window {}, counter {}. A recording with less than {} tokens of system prompt and tool schemas \
         is filled up with placeholder text.",
        first.policy,
        group_thousands(first.window),
        first.estimator,
        group_thousands(first.overhead),
    ));
    let wire = sum(reports, |report| report.invalid_requests);
    let over = sum(reports, |report| report.over_window);
    lines.push(format!("Invalid requests: {wire}. Requests over the effective window: {over}."));
    let (ok, bad) =
        (sum(reports, |report| report.read_back_ok), sum(reports, |report| report.read_back_failed));
    lines.push(format!("Stored results read back byte for byte: {ok} of {}.", ok + bad));
    if let Some(recall) = recall(reports) {
        lines.push(recall);
    }
    let untimed: Vec<String> = reports
        .iter()
        .filter(|report| report.timed_requests == 0)
        .map(|report| headline(&report.session, 28))
        .collect();
    if !untimed.is_empty() {
        lines.push(format!("No times, so no restarts after pauses: {}.", untimed.join(", ")));
    }
    for report in reports {
        let name = headline(&report.session, 28);
        if report.repaired > 0 {
            lines.push(format!(
                "{name}: {} malformed entries of the recording repaired or skipped.",
                report.repaired
            ));
        }
        if report.failed_turns > 0 {
            let why = report.first_failure.as_deref().unwrap_or("unknown reason");
            lines.push(format!(
                "{name}: {} of {} turns failed, the first because {why}.",
                report.failed_turns, report.turns
            ));
        }
        for fault in &report.faults {
            lines.push(format!("{name}: {}", headline(fault, 160)));
        }
    }
    lines
}

fn recall(reports: &[SessionReport]) -> Option<String> {
    let share = |of: fn(&SessionReport) -> (Option<f64>, Option<u64>)| {
        let known = reports.iter().filter_map(|report| of(report).0.zip(of(report).1));
        let (seen, all) =
            known.fold((0.0, 0), |(seen, all), (share, count)| (seen + share * count as f64, all + count));
        (all > 0).then(|| (100.0 * seen / all as f64, all))
    };
    let (names, names_of) = share(|report| (report.recall_names, report.recall_names_of))?;
    let lines = share(|report| (report.recall_edit_lines, report.recall_edit_lines_of));
    let lines = lines.map_or(String::new(), |(share, of)| {
        format!("; of {} lines quoted by edits {share:.1} %", group_thousands(of))
    });
    Some(format!(
        "Still visible when needed: of {} names used {names:.1} %{lines}.",
        group_thousands(names_of)
    ))
}
