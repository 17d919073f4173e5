//! The status line below the input, which becomes shorter where there is less room.

use super::gauge::is_near;
use super::parts::StatusPart;
use crate::clean::stripped;
use crate::layout::{cut_text, width};
use crate::line::{BOLD, CHOSEN, DIM, Line, Modifier, PLAIN, Style};
use crate::palette::{ACCENT, BAD, WAIT};
use crate::port::StatusLine;

/// Maximum columns of the name of a model, and of a branch.
const NAME: usize = 28;

/// Replaces an amount of which nothing is known.
pub const PRICE_UNKNOWN: &str = "price unknown";
/// Smaller amounts, in dollars, are rounded to no cent.
const HALF_A_CENT: f64 = 0.005;

/// The text of a part of the line.
#[derive(Debug)]
struct Piece {
    /// How little it matters: those of a higher rank go first.
    rank: u8,
    text: String,
    style: Style,
}

/// The line in `columns` columns: what changes at its left, with a hint at its right or else where the session is. Where there is
/// too little room, what matters least goes first, and the modes never. `fresh`: the mode has just been changed. `input`: the mode
/// of the input; may be empty.
pub(super) fn line(
    status: &StatusLine,
    parts: &[StatusPart],
    input: &str,
    hint: &str,
    fresh: bool,
    columns: usize,
) -> Line {
    let mut mode = mode(status, fresh);
    if !input.is_empty() {
        mode.add(if mode.is_empty() { "" } else { "  " }, PLAIN);
        mode.add(input, PLAIN.fg(ACCENT));
    }
    let room = columns.saturating_sub(mode.width() + 2);
    let side = |is_place: bool| -> Vec<Piece> {
        let of_side = parts.iter().filter(|part| part.is_place() == is_place);
        of_side.filter_map(|part| piece(*part, status, room)).collect()
    };
    let (mut left, mut right) = (side(false), side(true));
    if !hint.is_empty() {
        right = vec![Piece { rank: u8::MAX, text: hint.to_owned(), style: DIM }];
    }
    let needed = |left: &[Piece], right: &[Piece]| {
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

fn joined_width(parts: &[Piece]) -> usize {
    parts.iter().map(|part| width(&part.text) + 3).sum::<usize>().saturating_sub(3)
}

fn add_joined(line: &mut Line, parts: &[Piece]) {
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

/// A part with what is known of it; `None`: nothing. `room`: columns of the longest one.
fn piece(part: StatusPart, status: &StatusLine, room: usize) -> Option<Piece> {
    let (text, style) = match part {
        StatusPart::Context => context(status)?,
        StatusPart::Compaction => compaction(status)?,
        StatusPart::Cached => cached(status)?,
        StatusPart::Cost => (price(status)?, PLAIN),
        StatusPart::Turn => {
            (format!("turn {}", dollars_in_line(status.turn.dollars?, status.turn.at_least)), DIM)
        }
        StatusPart::Command => (named(&cut_text(&own(status.command.as_deref()?), room))?, PLAIN),
        StatusPart::Model => (cut_text(short_model(&named(&status.model)?), NAME), DIM),
        StatusPart::Effort => (format!("effort {}", named(status.effort.as_deref()?)?), DIM),
        StatusPart::Branch => (cut_text(&named(status.branch.as_deref()?)?, NAME), DIM),
        StatusPart::Folder => (cut_start(&named(&status.folder)?, NAME), DIM),
        StatusPart::Title => (cut_text(&named(&status.title)?, NAME), DIM),
    };
    Some(Piece { rank: part.rank(), text, style })
}

/// A text in one line, if it is not empty.
fn named(text: &str) -> Option<String> {
    Some(own(text).trim().to_owned()).filter(|text| !text.is_empty())
}

/// The end of a path that is too long, which says most.
fn cut_start(path: &str, columns: usize) -> String {
    let mut rest = path;
    while width(rest) > columns.saturating_sub(1) {
        match rest.char_indices().nth(1) {
            Some((at, _)) => rest = rest.get(at..).unwrap_or_default(),
            None => break,
        }
    }
    if rest.len() == path.len() || width(path) <= columns { path.to_owned() } else { format!("…{rest}") }
}

/// How full the window is.
fn context(status: &StatusLine) -> Option<(String, Style)> {
    let percent = status.context_percent?;
    let of =
        status.window_tokens.map_or(" used".to_owned(), |window| format!(" of {}", short_number(window)));
    Some((format!("{percent}%{of}"), if is_near(status) { BOLD.fg(WAIT) } else { PLAIN }))
}

/// How much came from the cache, or why it did not.
fn cached(status: &StatusLine) -> Option<(String, Style)> {
    match &status.cache_lost {
        Some(cause) => Some((format!("cache lost: {}", cut_text(&own(cause), NAME)), PLAIN.fg(WAIT))),
        None => status.cached_percent.map(|percent| (format!("{percent}% cached"), DIM)),
    }
}

/// When the next compaction happens.
fn compaction(status: &StatusLine) -> Option<(String, Style)> {
    let (used, point) = (status.context_tokens?, status.compacts_at?);
    Some(if used >= point {
        ("compacts at the next message".to_owned(), PLAIN.fg(WAIT))
    } else if is_near(status) {
        (format!("compacts in {}", short_number(point - used)), PLAIN.fg(WAIT))
    } else {
        (format!("compacts at {}", short_number(point)), DIM)
    })
}

fn price(status: &StatusLine) -> Option<String> {
    if status.price_unknown {
        return Some(PRICE_UNKNOWN.to_owned());
    }
    status.dollars.map(|dollars| dollars_in_line(dollars, status.dollars_at_least))
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

/// An amount of money in a line: `$0.84`, and `<$0.01` below half a cent. A lower bound has a mark, `≥$0.84`; one below half a
/// cent says nothing, so the price is unknown.
#[must_use]
pub fn dollars_in_line(dollars: f64, at_least: bool) -> String {
    match (at_least, dollars < HALF_A_CENT) {
        (true, true) => PRICE_UNKNOWN.to_owned(),
        (true, false) => format!("≥${dollars:.2}"),
        (false, true) if dollars > 0.0 => "<$0.01".to_owned(),
        (false, _) => format!("${dollars:.2}"),
    }
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
