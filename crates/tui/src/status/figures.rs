//! The status line below the input, which becomes shorter where there is less room.

use crate::clean::stripped;
use crate::layout::{cut_text, width};
use crate::line::{BOLD, Color, DIM, Line, Style};
use crate::port::StatusLine;

/// From here on the window is nearly full.
const NEARLY_FULL: u64 = 80;

/// A part of the line.
#[derive(Debug)]
struct StatusPart {
    /// How little it matters: those of a higher rank give room first.
    rank: u8,
    text: String,
    /// A shorter form.
    short: Option<String>,
    style: Style,
}

impl StatusPart {
    fn new(rank: u8, text: String) -> Self {
        Self { rank, text, short: None, style: DIM }
    }
}

/// The line in `columns` columns, with a hint at its end where there is room for it. Where there is too little, parts
/// first become shorter and then go, those that matter least before the others.
pub(crate) fn line(status: &StatusLine, hint: &str, columns: usize) -> Line {
    let mut parts = parts(status);
    let used = |parts: &[StatusPart]| {
        parts.iter().map(|part| width(&part.text) + 3).sum::<usize>().saturating_sub(3)
    };
    while used(&parts) > columns {
        let longest = parts.iter_mut().filter(|part| part.short.is_some()).max_by_key(|part| part.rank);
        if let Some(short) = longest.and_then(|part| part.short.take().map(|short| (part, short))) {
            short.0.text = short.1;
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
        line.add(cut_text(&part.text, columns), part.style);
    }
    let free = columns.saturating_sub(line.width());
    if free > width(hint) + 3 && !hint.is_empty() {
        line.add("   ", DIM);
        line.add(hint, DIM);
    }
    line
}

fn parts(status: &StatusLine) -> Vec<StatusPart> {
    let own = |text: &str| stripped(text).replace('\n', " ");
    let mut parts = Vec::new();
    if !status.model.is_empty() {
        let model = own(&status.model);
        let short = model.rsplit('/').next().unwrap_or_default();
        parts.push(StatusPart { short: Some(cut_text(short, 20)), ..StatusPart::new(1, model.clone()) });
    }
    if let Some(branch) = status.branch.as_deref().filter(|branch| !branch.is_empty()) {
        let branch = own(branch);
        parts.push(StatusPart { short: Some(cut_text(&branch, 14)), ..StatusPart::new(5, branch.clone()) });
    }
    if !status.mode.is_empty() {
        let mut part = StatusPart::new(2, own(&status.mode));
        if status.unguarded {
            part.style = BOLD.fg(Color::Red);
        }
        parts.push(part);
    }
    if let Some(percent) = status.context_percent {
        let mut part = StatusPart::new(0, format!("context {percent}%"));
        part.short = Some(format!("{percent}% used"));
        if percent >= NEARLY_FULL {
            part.style = BOLD.fg(Color::Yellow);
        }
        parts.push(part);
    }
    parts.extend(status.until_compaction.map(until_compaction));
    parts.extend(status.context_tokens.map(|tokens| StatusPart::new(7, short_number(tokens))));
    parts.extend(status.cached_percent.map(|percent| StatusPart::new(6, format!("cached {percent}%"))));
    let at_least = if status.dollars_at_least { "≥" } else { "" };
    parts.extend(status.dollars.map(|dollars| StatusPart::new(3, format!("{at_least}${dollars:.2}"))));
    parts
}

fn until_compaction(percent: u64) -> StatusPart {
    let (text, short) = match percent {
        0 => ("compacts at the next message".to_owned(), "compacts next".to_owned()),
        percent => (format!("{percent}% until compaction"), format!("{percent}% left")),
    };
    StatusPart { short: Some(short), ..StatusPart::new(4, text) }
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
