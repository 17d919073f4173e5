//! Policies as points: cost against regret.

use super::text::{escaped, level, round_up};
use crate::money::dollars;
use crate::policies::{PolicyCost, PolicyKind};
use crate::totals::AuditReport;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 620.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 350.0;
/// The least distance of two names, one below the other.
const APART: f64 = 15.0;
/// Columns within which two names would touch.
const NEAR: f64 = 140.0;

/// A place for a name.
#[derive(Debug, Clone, Copy)]
struct Label {
    x: f64,
    y: f64,
}

/// A point for each policy, and a line at what was recorded; empty when no policy was run.
pub(super) fn chart(report: &AuditReport) -> String {
    let policies = &report.policies;
    if policies.is_empty() {
        return String::new();
    }
    let recorded = report.baseline.comparable;
    let most = |of: fn(&PolicyCost) -> f64| policies.iter().map(of).fold(0.0, f64::max);
    let (wide, high) = (round_up(most(|cost| cost.input).max(recorded)), round_up(most(|cost| cost.regret)));
    let x = |amount: f64| LEFT + (RIGHT - LEFT) * amount / wide;
    let y = |amount: f64| BOTTOM - (BOTTOM - TOP) * amount / high;
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"Policies: cost against regret\">\n"
    );
    for part in 0..=4_u32 {
        let share = f64::from(part) / 4.0;
        let (across, down) = (x(wide * share), y(high * share));
        out.push_str(&level(LEFT, RIGHT, down, &format!("${}", dollars(high * share))));
        out.push_str(&format!(
            "<text x=\"{across:.1}\" y=\"{:.0}\" class=\"tick mid\">${}</text>\n",
            BOTTOM + 18.0,
            dollars(wide * share),
        ));
    }
    let line = x(recorded);
    out.push_str(&format!(
        "<line x1=\"{line:.1}\" x2=\"{line:.1}\" y1=\"{TOP}\" y2=\"{BOTTOM}\" class=\"cutline\"/>\n\
         <text x=\"{line:.1}\" y=\"{:.0}\" class=\"tick mid\">same agents ${}</text>\n\
         <text x=\"{LEFT}\" y=\"{:.0}\" class=\"tick\">across: dollars of input; up: dollars of regret</text>\n",
        TOP - 6.0,
        dollars(recorded),
        HEIGHT - 8.0,
    ));
    let mut order: Vec<&PolicyCost> = policies.iter().collect();
    order.sort_by(|a, b| b.regret.total_cmp(&a.regret));
    let mut labels: Vec<Label> = Vec::new();
    for cost in order {
        let (across, down) = (x(cost.input), y(cost.regret));
        let label = free(&labels, Label { x: across + 9.0, y: down });
        labels.push(label);
        out.push_str(&point(cost, across, down, label));
    }
    out.push_str("</svg>\n");
    out
}

/// The wanted place, or the nearest free one: names go up from there, or down where there is no room above.
fn free(taken: &[Label], wanted: Label) -> Label {
    let touches =
        |y: f64| taken.iter().any(|one| (one.x - wanted.x).abs() < NEAR && (one.y - y).abs() < APART);
    let tries = (0..40_u32).flat_map(|step| {
        let away = f64::from(step) * APART / 3.0;
        [wanted.y - away, wanted.y + away]
    });
    let y = tries.into_iter().find(|y| (TOP..=BOTTOM + 4.0).contains(y) && !touches(*y)).unwrap_or(wanted.y);
    Label { x: wanted.x, y }
}

fn point(cost: &PolicyCost, x: f64, y: f64, label: Label) -> String {
    let class = match cost.kind {
        PolicyKind::Engine => "engine",
        PolicyKind::Peer => "peer",
        PolicyKind::Bound => "bound",
    };
    let failed = if cost.failed_turns > 0 { " (turns failed)" } else { "" };
    format!(
        "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" class=\"lead-line\"/>\n\
         <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" class=\"point {class}\"><title>{name}: ${}</title></circle>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" class=\"label\">{name}{failed}</text>\n",
        label.x - 1.0,
        label.y,
        dollars(cost.dollars()),
        label.x,
        label.y,
        name = escaped(&cost.policy),
    )
}
