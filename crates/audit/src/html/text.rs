//! Text, tables and the levels of charts in HTML.

use throughline_text::plain;

/// Text for an element or an attribute in double quotes.
pub(super) fn escaped(text: &str) -> String {
    let text = plain(text);
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}

/// A table of rows, headers first; empty without another row.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let Some((head, body)) = rows.split_first().filter(|(_, body)| !body.is_empty()) else {
        return String::new();
    };
    let cells = |row: &[String], tag: &str| -> String {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect()
    };
    let body: String = body.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n",
        cells(head, "th")
    )
}

/// A level of a chart from `left` to `right`, with its label.
pub(super) fn level(left: f64, right: f64, y: f64, label: &str) -> String {
    format!(
        "<line x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\" class=\"grid\"/>\n\
         <text x=\"{:.0}\" y=\"{y:.1}\" class=\"tick end\">{label}</text>\n",
        left - 8.0
    )
}

/// The least round number that is not below a value, for the end of an axis.
pub(super) fn round_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let unit = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * unit).find(|end| *end >= value).unwrap_or(10.0 * unit)
}
