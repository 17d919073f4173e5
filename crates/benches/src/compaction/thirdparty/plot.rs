//! A table as a picture: a bar for the price of each policy, and one for the lines that its requests show.

use std::fmt::Write as _;

use super::Table;
use super::row::{Kind, Row};

const WIDTH: usize = 900;
/// Height of a row, and of the head.
const ROW: usize = 22;
const HEAD: usize = 44;
/// Where the two columns of bars begin, and how long a bar is at most.
const PRICE: f64 = 270.0;
const LINES: f64 = 610.0;
const BAR: f64 = 230.0;

const STYLE: &str = "text{font:12px sans-serif;fill:#222}.head{font-weight:bold}.ours{fill:#2a7f62}.theirs{fill:#8a94a6}.simulated{fill:#c9a227}\
                     @media(prefers-color-scheme:dark){text{fill:#ddd}}";

/// The picture as SVG.
pub(super) fn picture(table: &Table) -> String {
    let height = HEAD + ROW * table.rows.len() + ROW / 2;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n<title>Price and visible lines at {} tokens</title>\n\
         <style>{STYLE}</style>\n",
        table.window
    );
    let head = |x: f64, text: &str| format!("<text class=\"head\" x=\"{x}\" y=\"22\">{text}</text>\n");
    svg.push_str(&head(PRICE, "price with what is needed again (less is better)"));
    svg.push_str(&head(LINES, "lines in view, % (more is better)"));
    let most = table.rows.iter().map(Row::ratio).fold(1.0, f64::max);
    for (place, row) in table.rows.iter().enumerate() {
        let y = HEAD + place * ROW;
        let class = match row.kind {
            Kind::Ours(_) => "ours",
            Kind::Simulated(_) => "simulated",
            Kind::Theirs(_) => "theirs",
        };
        let (_, lines) = row.visible();
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            PRICE - 8.0,
            y + 12,
            row.name()
        );
        svg.push_str(&bar(PRICE, y, row.ratio() / most, class, &format!("{:.2}", row.ratio())));
        svg.push_str(&bar(LINES, y, lines / 100.0, class, &format!("{lines:.0}")));
    }
    svg.push_str("</svg>\n");
    svg
}

fn bar(x: f64, y: usize, share: f64, class: &str, label: &str) -> String {
    let width = BAR * share;
    format!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width:.1}\" height=\"15\"/><text x=\"{:.1}\" y=\"{}\">{label}</text>\n",
        x + width + 5.0,
        y + 12
    )
}
