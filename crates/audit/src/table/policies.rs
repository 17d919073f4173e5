//! Compactions and policies.

use throughline_text::group_thousands;

use super::head;
use crate::money::{dollars, share};
use crate::policies::PolicyKind;
use crate::totals::AuditReport;

/// Rows of compactions.
const ROWS: usize = 20;

/// The compactions of the recorded agents.
pub(crate) fn compactions(report: &AuditReport) -> Vec<Vec<String>> {
    let mut rows =
        vec![head(["#", "REQUEST", "BEFORE", "AFTER", "WROTE", "SAVED READS", "SUMMARY", "SUMMARY, EST"])];
    let all = report.sessions.iter().enumerate();
    let all = all.flat_map(|(place, session)| session.compactions.iter().map(move |one| (place + 1, one)));
    for (place, one) in all.take(ROWS) {
        rows.push(vec![
            place.to_string(),
            one.request.to_string(),
            group_thousands(one.before),
            group_thousands(one.after),
            dollars(one.written),
            dollars(one.saved),
            one.summary.map_or_else(|| "-".to_owned(), dollars),
            dollars(one.summary_estimate),
        ]);
    }
    rows
}

/// What was recorded, and every policy, the cheapest first.
pub(crate) fn policies(report: &AuditReport) -> Vec<Vec<String>> {
    let mut rows = vec![head(["POLICY", "BY", "COMPACTIONS", "INPUT", "REGRET", "ALL", "%", "FAILED TURNS"])];
    if report.policies.is_empty() {
        return rows;
    }
    let baseline = &report.baseline;
    let row = |names: [&str; 2], compactions: u64, costs: [f64; 2], failed: u64| {
        let sum: f64 = costs.iter().sum();
        let mut row = names.map(str::to_owned).to_vec();
        row.push(compactions.to_string());
        row.extend(costs.map(dollars));
        row.extend([dollars(sum), share(sum, baseline.comparable), failed.to_string()]);
        row
    };
    rows.push(row(["as recorded", "the log"], baseline.compactions, [baseline.recorded, 0.0], 0));
    rows.push(row(["same agents", "log or simulation"], baseline.compactions, [baseline.comparable, 0.0], 0));
    if let Some(first) = report.policies.first() {
        rows.push(row(["whole history", "simulation"], 0, [first.full_history, 0.0], 0));
    }
    let mut costs: Vec<_> = report.policies.iter().collect();
    costs.sort_by(|a, b| a.dollars().total_cmp(&b.dollars()));
    for cost in costs {
        let by = match cost.kind {
            PolicyKind::Engine => "engine",
            PolicyKind::Peer => "simulation",
            PolicyKind::Bound => "lower bound",
        };
        rows.push(row(
            [cost.policy.as_str(), by],
            cost.compactions,
            [cost.input, cost.regret],
            cost.failed_turns,
        ));
    }
    rows
}
