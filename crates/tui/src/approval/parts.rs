//! Parts of a question as lines: what is asked about, and the keys.

use crate::clean::visible;
use crate::ink::{BOLD, Color, DIM, Line, PLAIN};
use crate::layout::{chop, cut_middle, width};

/// What a title asks.
const MAY_IT: &str = " — may it run?";
/// Rows that a rule may take.
pub(super) const RULE_ROWS: usize = 2;

/// What is asked about, on one line, and whether the path in it is whole. Of a path that is too long the end is seen.
pub(super) fn title(name: &str, path: Option<&str>, more: usize, columns: usize) -> (Line, bool) {
    let start = Line::styled("? ", BOLD.fg(Color::Yellow)).then(flat(name), BOLD);
    let more = if more > 0 { format!("  ({more} more)") } else { String::new() };
    let end = |asks: &str| Line::plain(asks).then(&more, DIM);
    let (asks, path) = match path {
        Some(path) if start.width() + 1 + width(path) + width(MAY_IT) + width(&more) > columns => {
            let room = columns.saturating_sub(start.width() + 1 + width(&more));
            // Where there is little room, the path takes that of the words.
            let (asks, room) = match room.checked_sub(width(MAY_IT)) {
                Some(room) if room >= columns / 2 => (MAY_IT, room),
                _ => ("", room),
            };
            (asks, Some((cut_middle(path, room), room >= width(path))))
        }
        path => (MAY_IT, path.map(|path| (path.to_owned(), true))),
    };
    let mut title = start;
    if let Some((path, _)) = &path {
        title.add(format!(" {path}"), PLAIN);
    }
    title.append(end(asks));
    (title, path.is_none_or(|(_, is_whole)| is_whole))
}

pub(super) fn path_line(path: String) -> Line {
    Line::styled("path: ", DIM).then(path, PLAIN)
}

/// A text on one line.
pub(super) fn flat(text: &str) -> String {
    visible(text).replace('\n', " ")
}

/// The keys that answer; dim while they do not yet.
pub(super) fn keys(rule: Option<&str>, shielded: bool, columns: usize) -> Vec<Line> {
    let style = if shielded { DIM } else { BOLD.fg(Color::Green) };
    let mut parts: Vec<(&str, String)> = vec![("y", "yes".to_owned())];
    if let Some(rule) = rule {
        // What is remembered for good is seen up to its end.
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
