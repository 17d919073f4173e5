//! A terminal as an SVG: a frame, and lines of text in it. It runs no script and loads nothing.

use std::fmt::Write as _;

use super::{animation, paint};

/// Characters of a line.
const COLUMNS: usize = 104;

/// Tenths of a pixel from one character to the next, and pixels from one line to the next.
const ADVANCE: usize = 78;
const HEIGHT: usize = 18;

/// Pixels around the lines, and above them for the frame.
const MARGIN: usize = 16;
const TOP: usize = 34;

/// Colours on a dark ground. No two of them differ by red and green alone.
const STYLE: &str = include_str!("svg/style.css");

/// The picture of a text.
pub(super) fn draw(text: &str, rows: usize, describes: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let rows = rows.min(lines.len());
    let width = COLUMNS * ADVANCE / 10 + 2 * MARGIN;
    let inside = rows * HEIGHT;
    let height = TOP + inside + MARGIN;
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{}\">\n<style>\n{STYLE}{}</style>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n",
        escaped(describes),
        animation::style(&lines, rows, HEIGHT),
    );
    for (index, x) in [18, 36, 54].into_iter().enumerate() {
        let _ = writeln!(svg, "<circle class=\"knob{index}\" cx=\"{x}\" cy=\"17\" r=\"5\"/>");
    }
    let _ = writeln!(
        svg,
        "<svg x=\"{MARGIN}\" y=\"{TOP}\" width=\"{}\" height=\"{inside}\">\n<g class=\"roll\">",
        width - 2 * MARGIN
    );
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        svg.push_str(&row(line, index * HEIGHT + 13));
    }
    svg.push_str("</g>\n</svg>\n</svg>\n");
    svg
}

/// One line. Each span has its own place, so a font whose blocks are wider moves nothing.
fn row(line: &str, y: usize) -> String {
    let mut row = format!("<text y=\"{y}\">");
    let mut column = 0;
    for span in paint::spans(line, COLUMNS) {
        let blank = span.text.chars().take_while(|letter| *letter == ' ').count();
        let count = span.text.chars().count();
        let shown = span.text.trim();
        if !shown.is_empty() {
            let class =
                if span.class.is_empty() { String::new() } else { format!(" class=\"{}\"", span.class) };
            let (x, length) = (pixels(column + blank), pixels(shown.chars().count()));
            let _ = write!(
                row,
                "<tspan{class} x=\"{x}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\">{}</tspan>",
                escaped(shown)
            );
        }
        column += count;
    }
    row.push_str("</text>\n");
    row
}

/// Columns in pixels.
fn pixels(columns: usize) -> String {
    let tenths = columns * ADVANCE;
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
