//! The cost by cause as bars.

use super::text::escaped;
use crate::money::{dollars, share};
use crate::totals::AuditReport;

const WIDTH: f64 = 760.0;
const ROW: f64 = 34.0;
/// Where bars begin, and how long the longest is.
const LEFT: f64 = 190.0;
const LONGEST: f64 = 440.0;

/// A bar for each cause; empty when nothing has a price.
pub(super) fn chart(report: &AuditReport) -> String {
    let totals = &report.totals;
    let causes = totals.causes.named();
    let most = causes.iter().map(|(_, spent)| spent.dollars).fold(0.0, f64::max);
    if most <= 0.0 {
        return String::new();
    }
    let height = ROW * causes.len() as f64;
    let mut out =
        format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Cost by cause\">\n");
    for (place, (name, spent)) in causes.iter().enumerate() {
        let top = ROW * place as f64;
        let (middle, long) = (top + ROW / 2.0, LONGEST * spent.dollars / most);
        out.push_str(&format!(
            "<text x=\"{:.0}\" y=\"{middle:.1}\" class=\"name end\">{}</text>\n\
             <rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"{:.1}\" rx=\"3\" class=\"bar c{place}\"/>\n\
             <text x=\"{:.1}\" y=\"{middle:.1}\" class=\"value\">${} · {} %</text>\n",
            LEFT - 12.0,
            escaped(name),
            top + 5.0,
            ROW - 10.0,
            LEFT + long + 8.0,
            dollars(spent.dollars),
            share(spent.dollars, totals.dollars),
        ));
    }
    out.push_str("</svg>\n");
    out
}
