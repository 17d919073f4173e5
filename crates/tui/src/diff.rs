//! Two texts as a unified difference, line by line.

mod anchors;

use crate::line::{DIM, Line, PLAIN};
use crate::palette::{ADDED_GROUND, BAD, GOOD, REMOVED_GROUND};

/// Equal lines that are shown around a change.
const CONTEXT: usize = 3;

/// Comparisons that are worth a smaller difference. Larger changes are split where a line stays that both texts have once; without
/// one they are shown as a whole: all lines out, all lines in.
const COMPARISONS: usize = 250_000;

/// A line of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DiffLine<'a> {
    Same(&'a str),
    Out(&'a str),
    In(&'a str),
}

/// The difference of two texts as lines, with the lines that are equal far from any change left out.
pub(crate) fn unified(old: &str, new: &str) -> Vec<Line> {
    let changes = compare(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>());
    near_lines(&changes, "  ⋯", |_, change| shown(change))
}

/// The same with the numbers of the lines, of which the first is that of the texts. A removed line has its old number, the
/// others have their new one.
pub(crate) fn numbered(first: usize, old: &str, new: &str) -> Vec<Line> {
    let changes = compare(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>());
    let digits = (first + changes.len()).to_string().len();
    let (mut before, mut after) = (first, first);
    let mut numbers = Vec::new();
    for change in &changes {
        let number = if matches!(change, DiffLine::Out(_)) { before } else { after };
        numbers.push(number);
        before += usize::from(!matches!(change, DiffLine::In(_)));
        after += usize::from(!matches!(change, DiffLine::Out(_)));
    }
    let gap = format!("{:digits$}   ⋯", "");
    near_lines(&changes, &gap, |at, change| {
        let number = numbers.get(at).copied().unwrap_or_default();
        let mut line = Line::styled(format!("{number:digits$} "), DIM);
        line.append(shown(change));
        // A row without text ends with its number: what stands behind it would be copied.
        if change == DiffLine::Same("") { line.without_end_spaces() } else { line }
    })
}

/// The lines of changes and around them, with a mark where others are left out.
fn near_lines<'a>(
    changes: &[DiffLine<'a>],
    gap: &str,
    line: impl Fn(usize, DiffLine<'a>) -> Line,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut skipped = false;
    for (at, (change, near)) in changes.iter().zip(nearby(changes)).enumerate() {
        if near {
            if skipped {
                lines.push(Line::styled(gap, DIM));
            }
            lines.push(line(at, *change));
        }
        skipped = !near;
    }
    lines
}

/// Which lines are shown: changes, and what is around them.
fn nearby(changes: &[DiffLine<'_>]) -> Vec<bool> {
    let mut near = vec![false; changes.len()];
    for (at, change) in changes.iter().enumerate() {
        if !matches!(change, DiffLine::Same(_)) {
            let around = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(changes.len());
            near.get_mut(around).unwrap_or_default().fill(true);
        }
    }
    near
}

/// A text of which every line is new.
pub(crate) fn added(text: &str) -> Vec<Line> {
    text.lines().map(|line| shown(DiffLine::In(line))).collect()
}

/// The numbers of added and of removed lines.
pub(crate) fn counts(old: &str, new: &str) -> (usize, usize) {
    let changes = compare(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>());
    let plus = changes.iter().filter(|change| matches!(change, DiffLine::In(_))).count();
    let minus = changes.iter().filter(|change| matches!(change, DiffLine::Out(_))).count();
    (plus, minus)
}

fn shown(change: DiffLine<'_>) -> Line {
    match change {
        DiffLine::Same("") => Line::blank(),
        DiffLine::Same(line) => Line::styled(format!("  {line}"), DIM).hanging(2),
        DiffLine::Out(line) => Line::styled(format!("- {line}"), PLAIN.fg(BAD)).hanging(2).on(REMOVED_GROUND),
        DiffLine::In(line) => Line::styled(format!("+ {line}"), PLAIN.fg(GOOD)).hanging(2).on(ADDED_GROUND),
    }
}

fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<DiffLine<'a>> {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(old, new)| old == new).count();
    let old_middle = rest.0.get(..rest.0.len() - end).unwrap_or_default();
    let new_middle = rest.1.get(..rest.1.len() - end).unwrap_or_default();
    let mut changes: Vec<DiffLine<'a>> = old.iter().take(start).map(|line| DiffLine::Same(line)).collect();
    if old_middle.len().saturating_mul(new_middle.len()) > COMPARISONS {
        changes.extend(split(old_middle, new_middle));
    } else {
        changes.extend(shortest(old_middle, new_middle));
    }
    changes.extend(rest.0.iter().skip(rest.0.len() - end).map(|line| DiffLine::Same(line)));
    changes
}

/// The changes between the lines that stay for sure.
fn split<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<DiffLine<'a>> {
    let (mut from, mut changes) = ((0, 0), Vec::new());
    let anchors = anchors::anchors(old, new);
    for &(row, column) in &anchors {
        let before = (old.get(from.0..row).unwrap_or_default(), new.get(from.1..column).unwrap_or_default());
        changes.extend(compare(before.0, before.1));
        changes.extend(old.get(row).map(|line| DiffLine::Same(line)));
        from = (row + 1, column + 1);
    }
    let rest = (old.get(from.0..).unwrap_or_default(), new.get(from.1..).unwrap_or_default());
    if !anchors.is_empty() {
        changes.extend(compare(rest.0, rest.1));
    } else if old.len() == new.len() {
        changes.extend(line_by_line(old, new));
    } else {
        changes.extend(old.iter().map(|line| DiffLine::Out(line)));
        changes.extend(new.iter().map(|line| DiffLine::In(line)));
    }
    changes
}

/// The changes of a text in which lines are only replaced.
fn line_by_line<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<DiffLine<'a>> {
    let pairs: Vec<(&str, &str)> = old.iter().copied().zip(new.iter().copied()).collect();
    let runs = pairs.chunk_by(|one, other| (one.0 == one.1) == (other.0 == other.1));
    let mut changes = Vec::with_capacity(2 * pairs.len());
    for run in runs {
        if run.first().is_some_and(|(old, new)| old == new) {
            changes.extend(run.iter().map(|(old, _)| DiffLine::Same(old)));
        } else {
            changes.extend(run.iter().map(|(old, _)| DiffLine::Out(old)));
            changes.extend(run.iter().map(|(_, new)| DiffLine::In(new)));
        }
    }
    changes
}

/// The changes with the most equal lines.
fn shortest<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<DiffLine<'a>> {
    let columns = new.len() + 1;
    // `common[row * columns + column]`: maximum number of equal lines after both places.
    let mut common = vec![0_u32; (old.len() + 1) * columns];
    let cell = |common: &[u32], row: usize, column: usize| {
        common.get(row * columns + column).copied().unwrap_or_default()
    };
    for (row, old) in old.iter().enumerate().rev() {
        for (column, new) in new.iter().enumerate().rev() {
            let best = if old == new {
                cell(&common, row + 1, column + 1) + 1
            } else {
                cell(&common, row + 1, column).max(cell(&common, row, column + 1))
            };
            if let Some(place) = common.get_mut(row * columns + column) {
                *place = best;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut changes = Vec::new();
    loop {
        match (old.get(row), new.get(column)) {
            (Some(out), Some(come)) if out == come => {
                changes.push(DiffLine::Same(out));
                row += 1;
                column += 1;
            }
            (Some(out), Some(_)) if cell(&common, row + 1, column) >= cell(&common, row, column + 1) => {
                changes.push(DiffLine::Out(out));
                row += 1;
            }
            (_, Some(come)) => {
                changes.push(DiffLine::In(come));
                column += 1;
            }
            (Some(out), None) => {
                changes.push(DiffLine::Out(out));
                row += 1;
            }
            (None, None) => return changes,
        }
    }
}

#[cfg(test)]
mod tests;
