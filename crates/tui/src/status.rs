//! The line below the input: what a user wants to know at a glance, shorter where there is less room.

use crate::clean::stripped;
use crate::ink::{Colour, DIM, Line, Style};
use crate::layout::{cut_text, width};
use crate::port::StatusLine;

/// From here on the window is nearly full.
const NEARLY_FULL: u64 = 80;

/// A part of the line. Those of a higher rank go first when there is not enough room.
struct Part {
    rank: u8,
    long: String,
    short: String,
    style: Style,
}

impl Part {
    fn new(rank: u8, long: impl Into<String>) -> Self {
        let long = long.into();
        Self { rank, short: long.clone(), long, style: DIM }
    }
}

/// The line in so many columns, with a hint at its end where there is room for it.
pub(crate) fn line(status: &StatusLine, hint: &str, columns: usize) -> Line {
    let mut parts = parts(status);
    let mut short = false;
    let text = |part: &Part, short: bool| if short { part.short.clone() } else { part.long.clone() };
    loop {
        let used: usize =
            parts.iter().map(|part| width(&text(part, short)) + 3).sum::<usize>().saturating_sub(3);
        if used <= columns {
            break;
        }
        if !short {
            short = true;
            continue;
        }
        let worst = parts.iter().enumerate().max_by_key(|(_, part)| part.rank).map(|(index, _)| index);
        match worst {
            Some(index) if parts.len() > 1 => {
                parts.remove(index);
            }
            _ => break,
        }
    }
    let mut line = Line::blank();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            line.add(" · ", DIM);
        }
        line.add(cut_text(&text(part, short), columns), part.style);
    }
    let free = columns.saturating_sub(line.width());
    if free > width(hint) + 2 && !hint.is_empty() {
        line.add(" ".repeat(free - width(hint)), DIM);
        line.add(hint, DIM);
    }
    line
}

fn parts(status: &StatusLine) -> Vec<Part> {
    let mut parts = Vec::new();
    let own = |text: &str| stripped(text).replace('\n', " ");
    if !status.model.is_empty() {
        let mut part = Part::new(1, own(&status.model));
        part.short = cut_text(&part.long, 18);
        parts.push(part);
    }
    if let Some(branch) = status.branch.as_deref().filter(|branch| !branch.is_empty()) {
        let mut part = Part::new(5, own(branch));
        part.short = cut_text(&part.long, 12);
        parts.push(part);
    }
    if !status.mode.is_empty() {
        parts.push(Part::new(2, own(&status.mode)));
    }
    if let Some(percent) = status.context_percent {
        let mut part = Part::new(0, format!("context {percent}%"));
        part.short = format!("{percent}%");
        if percent >= NEARLY_FULL {
            part.style = Style { bold: true, ..Style::of(Colour::Yellow) };
        }
        parts.push(part);
    }
    parts.extend(status.context_tokens.map(|tokens| Part::new(6, short_number(tokens))));
    if let Some(percent) = status.cached_percent {
        let mut part = Part::new(4, format!("cached {percent}%"));
        part.short = format!("c {percent}%");
        parts.push(part);
    }
    parts.extend(status.dollars.map(|dollars| Part::new(3, format!("${dollars:.2}"))));
    parts
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
