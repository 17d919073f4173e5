//! The size of each request over a session.

use throughline_text::group_thousands;

use super::text::{escaped, level, round_up};
use crate::session::SessionAudit;
use crate::table::price;
use crate::totals::AuditReport;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 210.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 748.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 180.0;
/// Sessions with a chart: the dearest ones.
const CHARTS: usize = 6;
/// Points of a line; more would not be seen.
const POINTS: usize = 600;

/// A chart for each of the dearest sessions.
pub(super) fn charts(report: &AuditReport) -> String {
    let mut sessions: Vec<(usize, &SessionAudit)> = report.sessions.iter().enumerate().collect();
    sessions.sort_by(|(_, a), (_, b)| b.dollars.total_cmp(&a.dollars).then(b.peak.cmp(&a.peak)));
    let charts: String =
        sessions.iter().take(CHARTS).map(|(place, session)| chart(place + 1, session)).collect();
    let key = "<p class=\"key\"><span class=\"recorded\">■</span> as recorded &#160; <span class=\"engine\">■</span> under \
        policy throughline, simulated &#160; <span class=\"cut\">┆</span> a recorded compaction</p>\n";
    if charts.is_empty() { charts } else { format!("{key}{charts}") }
}

/// The places of requests in a chart.
#[derive(Debug, Clone, Copy)]
struct Scale {
    requests: usize,
    most: f64,
}

impl Scale {
    fn x(self, place: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * place as f64 / self.requests.saturating_sub(1).max(1) as f64
    }

    fn y(self, tokens: u64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * tokens as f64 / self.most
    }

    fn line(self, sizes: &[u64], class: &str) -> String {
        let step = sizes.len().div_ceil(POINTS).max(1);
        let last = sizes.len().saturating_sub(1);
        let shown = sizes.iter().enumerate().filter(|(place, _)| place % step == 0 || *place == last);
        let points: Vec<String> =
            shown.map(|(place, tokens)| format!("{:.1},{:.1}", self.x(place), self.y(*tokens))).collect();
        format!("<polyline points=\"{}\" class=\"line {class}\"/>\n", points.join(" "))
    }
}

fn chart(number: usize, session: &SessionAudit) -> String {
    let in_turns = session.steps.len().saturating_sub(usize::try_from(session.unshown).unwrap_or(0));
    let sizes: Vec<u64> = session.steps.iter().take(in_turns).map(|step| step.usage.prompt()).collect();
    let most = sizes.iter().chain(&session.engine_sizes).copied().max().unwrap_or_default();
    let scale = Scale { requests: sizes.len().max(session.engine_sizes.len()), most: round_up(most as f64) };
    let mut out = format!(
        "<h3>#{number} {} · dollars: {}</h3>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Window over time\">\n",
        escaped(&session.session),
        price(session, session.dollars)
    );
    for part in 0..=4_u32 {
        let tokens = (scale.most * f64::from(part) / 4.0).round() as u64;
        out.push_str(&level(LEFT, RIGHT, scale.y(tokens), &group_thousands(tokens)));
    }
    for (place, _) in session.steps.iter().enumerate().filter(|(_, step)| step.compacted) {
        let x = scale.x(place);
        out.push_str(&format!(
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{BOTTOM}\" class=\"cutline\"/>\n"
        ));
    }
    out.push_str(&scale.line(&sizes, "recorded"));
    if !session.engine_sizes.is_empty() {
        out.push_str(&scale.line(&session.engine_sizes, "engine"));
    }
    out.push_str(&format!(
        "<text x=\"{LEFT}\" y=\"{:.0}\" class=\"tick\">tokens of each request, 1 to {}</text>\n</svg>\n",
        HEIGHT - 10.0,
        scale.requests
    ));
    out
}
