//! The status line below the input, which becomes shorter where there is less room.

use super::gauge::is_near;
use crate::clean::stripped;
use crate::layout::{cut_text, width};
use crate::line::{BOLD, CHOSEN, DIM, Line, Modifier, PLAIN, Style};
use crate::palette::{ACCENT, BAD, WAIT};
use crate::port::StatusLine;

/// Maximum columns of the name of a model, and of a branch.
const NAME: usize = 28;

/// A part of the line.
#[derive(Debug)]
struct StatusPart {
    /// How little it matters: those of a higher rank go first.
    rank: u8,
    text: String,
    style: Style,
}

impl StatusPart {
    fn new(rank: u8, text: String) -> Self {
        Self { rank, text, style: DIM }
    }

    fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }
}

/// The line in `columns` columns: what changes at its left, with a hint at its right or else where the session is. Where there is
/// too little room, what matters least goes first, and the mode never. `fresh`: the mode has just been changed.
pub(super) fn line(status: &StatusLine, hint: &str, fresh: bool, columns: usize) -> Line {
    let (mode, mut left, mut right) = (mode(status, fresh), left_parts(status), right_parts(status));
    if !hint.is_empty() {
        right = vec![StatusPart::new(9, hint.to_owned())];
    }
    let needed = |left: &[StatusPart], right: &[StatusPart]| {
        let gap = if left.is_empty() || mode.is_empty() { 0 } else { 2 };
        let sides = usize::from(!right.is_empty()) * 2;
        mode.width() + gap + joined_width(left) + sides + joined_width(right)
    };
    while needed(&left, &right) > columns && !(left.is_empty() && right.is_empty()) {
        let side = if right.is_empty() { &mut left } else { &mut right };
        if let Some((worst, _)) = side.iter().enumerate().max_by_key(|(_, part)| part.rank) {
            side.remove(worst);
        }
    }
    let mut line = mode;
    if !line.is_empty() && !left.is_empty() {
        line.add("  ", PLAIN);
    }
    add_joined(&mut line, &left);
    if !right.is_empty() {
        let free = columns.saturating_sub(line.width() + joined_width(&right));
        line.add(" ".repeat(free), PLAIN);
        add_joined(&mut line, &right);
    }
    line
}

fn joined_width(parts: &[StatusPart]) -> usize {
    parts.iter().map(|part| width(&part.text) + 3).sum::<usize>().saturating_sub(3)
}

fn add_joined(line: &mut Line, parts: &[StatusPart]) {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            line.add(" · ", DIM);
        }
        line.add(&part.text, part.style);
    }
}

fn own(text: &str) -> String {
    stripped(text).replace('\n', " ")
}

fn mode(status: &StatusLine, fresh: bool) -> Line {
    let mode = cut_text(&own(&status.mode), NAME);
    if status.unguarded {
        return Line::styled(
            format!(" {} ", mode.to_uppercase()),
            CHOSEN.add_modifier(Modifier::BOLD).fg(BAD),
        );
    }
    Line::styled(mode, if fresh { BOLD.fg(ACCENT) } else { BOLD })
}

/// The figures, in the order in which they are read.
fn left_parts(status: &StatusLine) -> Vec<StatusPart> {
    let mut parts = Vec::new();
    if let Some(percent) = status.context_percent {
        let of =
            status.window_tokens.map_or(" used".to_owned(), |window| format!(" of {}", short_number(window)));
        let style = if is_near(status) { BOLD.fg(WAIT) } else { PLAIN };
        parts.push(StatusPart::new(0, format!("{percent}%{of}")).styled(style));
    }
    parts.extend(compaction(status));
    parts.extend(match &status.cache_lost {
        Some(cause) => {
            let text = format!("cache lost: {}", cut_text(&own(cause), NAME));
            Some(StatusPart::new(3, text).styled(PLAIN.fg(WAIT)))
        }
        None => status.cached_percent.map(|percent| StatusPart::new(3, format!("{percent}% cached"))),
    });
    parts.extend(price(status).map(|text| StatusPart::new(2, text).styled(PLAIN)));
    parts
}

/// When the next compaction happens.
fn compaction(status: &StatusLine) -> Option<StatusPart> {
    let (used, point) = (status.context_tokens?, status.compacts_at?);
    Some(if used >= point {
        StatusPart::new(4, "compacts at the next message".to_owned()).styled(PLAIN.fg(WAIT))
    } else if is_near(status) {
        let text = format!("compacts in {}", short_number(point - used));
        StatusPart::new(4, text).styled(PLAIN.fg(WAIT))
    } else {
        StatusPart::new(4, format!("compacts at {}", short_number(point)))
    })
}

fn price(status: &StatusLine) -> Option<String> {
    if status.price_unknown {
        return Some("price unknown".to_owned());
    }
    let at_least = if status.dollars_at_least { "≥" } else { "" };
    status.dollars.map(|dollars| format!("{at_least}{}", dollars_in_line(dollars)))
}

/// Where the session is: the model, and the branch.
fn right_parts(status: &StatusLine) -> Vec<StatusPart> {
    let mut parts = Vec::new();
    if !status.model.is_empty() {
        parts.push(StatusPart::new(5, cut_text(short_model(&own(&status.model)), NAME)));
    }
    if let Some(branch) = status.branch.as_deref().filter(|branch| !branch.is_empty()) {
        parts.push(StatusPart::new(6, cut_text(&own(branch), NAME)));
    }
    parts
}

/// The name of a model without what all names of its provider have: `sonnet-4-5` of `anthropic/claude-sonnet-4-5-20250929`.
fn short_model(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.strip_prefix("claude-").unwrap_or(name);
    match name.rsplit_once('-') {
        Some((model, date)) if date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()) => model,
        _ => name,
    }
}

/// An amount of money in a line: `$0.84`, and `<$0.01` below half a cent.
pub(crate) fn dollars_in_line(dollars: f64) -> String {
    if dollars > 0.0 && dollars < 0.005 { "<$0.01".to_owned() } else { format!("${dollars:.2}") }
}

/// A number of tokens at a glance: `840`, `8.4k`, `112k`, `1.2M`.
pub(crate) fn short_number(number: u64) -> String {
    match number {
        0..=999 => number.to_string(),
        1_000..=9_949 => format!("{}.{}k", (number + 50) / 1_000, (number + 50) % 1_000 / 100),
        9_950..=999_499 => format!("{}k", (number + 500) / 1_000),
        _ => format!("{}.{}M", (number + 50_000) / 1_000_000, (number + 50_000) % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests;
