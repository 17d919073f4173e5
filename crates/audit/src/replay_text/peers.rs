//! The engine next to simulated peers, as text.

use throughline_replay::{PeerReport, PriceReport, SessionReport};
use throughline_terminal::{Style, table};

use super::{all, head, row};

/// The peer whose cost is the measure of all others.
const MEASURE: &str = "claude";

/// A row for the engine's policy and for each peer, over all sessions, and what each costs as a share of one of them.
pub(super) fn render(reports: &[SessionReport], peers: &[PeerReport], style: Style) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for report in peers {
        if !names.contains(&report.peer) {
            names.push(report.peer);
        }
    }
    let policy = reports.first().map_or_else(String::new, |report| report.policy.clone());
    let mut rows = vec![head("POLICY"), all(reports, policy.clone())];
    let own: Vec<&PriceReport> = reports.iter().map(|report| &report.prices).collect();
    let mut shares = vec![(policy, cost(&own))];
    let mut dropped = Vec::new();
    for name in names {
        let all: Vec<&PeerReport> = peers.iter().filter(|report| report.peer == name).collect();
        let prices: Vec<&PriceReport> = all.iter().map(|report| &report.prices).collect();
        let requests: u64 = all.iter().map(|report| report.requests).sum();
        let tokens: u64 = all.iter().map(|report| report.mean_request_tokens * report.requests).sum();
        rows.push(row(name.to_owned(), requests, tokens.checked_div(requests).unwrap_or(0), &prices));
        shares.push((name.to_owned(), cost(&prices)));
        let over: u64 = all.iter().map(|report| report.dropped).sum();
        if over > 0 {
            dropped.push(format!("{name} {over}"));
        }
    }
    let mut lines =
        vec![String::new(), style.bold("Peers, simulated in the same room (summaries paid as a model's)")];
    lines.extend(table(&rows));
    lines.extend(of_measure(&shares));
    if !dropped.is_empty() {
        lines.push(format!("Requests that the peer's own rule left too large: {}.", dropped.join(", ")));
    }
    lines
}

/// Cost with clock and regret, at Anthropic's prices.
fn cost(prices: &[&PriceReport]) -> f64 {
    prices.iter().map(|report| report.cost_anthropic_clock + report.regret_anthropic).sum()
}

fn of_measure(costs: &[(String, f64)]) -> Option<String> {
    let (_, measure) = costs.iter().find(|(name, _)| name == MEASURE)?;
    let shares = costs.iter().filter(|(name, _)| name != MEASURE);
    let shares: Vec<String> = shares.map(|(name, cost)| format!("{name} {:.2}", cost / measure)).collect();
    Some(format!("Cost with clock and regret over that of {MEASURE}: {}.", shares.join(", ")))
}
