//! The lines of a question: its title and the keys that answer it.

use crate::clean::visible;
use crate::layout::{chop, cut_middle, width};
use crate::line::{BOLD, Color, DIM, Line, PLAIN};

/// Ends a question.
const ASKS: &str = "?";
/// Most rows of a rule.
pub(super) const RULE_ROWS: usize = 2;

/// The question on one line, and true if the path in it is complete. A path that is too long is shortened in the middle.
pub(super) fn title(name: &str, path: Option<&str>, more: usize, columns: usize) -> (Line, bool) {
    let more = if more > 0 { format!("  ({more} more)") } else { String::new() };
    let mut title = Line::styled("Allow ", BOLD.fg(Color::Yellow)).then(flat(name), BOLD);
    let mut is_whole = true;
    if let Some(path) = path {
        let room = columns.saturating_sub(title.width() + 1 + width(ASKS) + width(&more));
        is_whole = width(path) <= room;
        title.add(format!(" {}", cut_middle(path, room)), PLAIN);
    }
    title.add(ASKS, BOLD.fg(Color::Yellow));
    title.add(&more, DIM);
    (title, is_whole)
}

pub(super) fn path_line(path: String) -> Line {
    Line::styled("path: ", DIM).then(path, PLAIN)
}

/// A text on one line.
pub(super) fn flat(text: &str) -> String {
    visible(text).replace('\n', " ")
}

/// The keys that answer; dim while they are not active yet.
pub(super) fn keys(rule: Option<&str>, shielded: bool, columns: usize) -> Vec<Line> {
    let style = if shielded { DIM } else { BOLD.fg(Color::Green) };
    let mut parts: Vec<(&str, String)> = vec![("y", "yes".to_owned())];
    if let Some(rule) = rule {
        // The end of a rule that is remembered permanently must be visible.
        parts.push(("a", format!("always {}", cut_middle(&flat(rule), RULE_ROWS * columns))));
    }
    parts.extend([("n", "no".to_owned()), ("e", "no, because…".to_owned()), ("esc", "stop".to_owned())]);
    let mut lines: Vec<Line> = Vec::new();
    for (key, does) in parts {
        let part = Line::styled(key, style).then(format!(" {does}"), PLAIN);
        match lines.last_mut() {
            Some(line) if line.width() + 3 + part.width() <= columns => {
                line.add("   ", PLAIN);
                line.append(part);
            }
            _ => lines.extend(chop(&part, columns)),
        }
    }
    lines
}
