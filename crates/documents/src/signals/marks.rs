//! Where in a text signals begin and end.

use super::SCRATCHPAD;
use crate::markdown::{Line, heading, is_rule, lines};

/// Signals that others read; each ends a document.
const OTHERS: [&str; 3] = ["SIGNAL:", "CHECKLIST:", "MEMORY:"];

/// What begins at a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The scratchpad.
    Scratchpad,
    /// STATE.
    State,
    /// A signal that is not about documents.
    Other,
    /// A heading or a line that ends STATE only.
    Break,
    /// The scratchpad's signal, dressed up.
    Decorated,
}

/// A place where something begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) kind: Kind,
    /// Where its line begins, in bytes.
    pub(super) start: usize,
    /// Where its content begins, in bytes.
    pub(super) body: usize,
}

/// All marks of a text.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) marks: Vec<Mark>,
    /// Whether a signal stands inside of a fence that is never closed.
    pub(super) unclosed: bool,
}

pub(super) fn of(text: &str) -> Found {
    let mut found = Found::default();
    let mut fenced: Option<usize> = None;
    let mut lines = lines(text, SCRATCHPAD);
    for line in lines.by_ref() {
        let Some(mark) = mark(&line) else { continue };
        if !line.fenced {
            found.marks.push(mark);
        } else if matches!(mark.kind, Kind::Scratchpad | Kind::State) {
            fenced = Some(line.start);
        }
    }
    found.unclosed = lines.open().is_some_and(|open| fenced.is_some_and(|at| at > open));
    found
}

fn mark(line: &Line<'_>) -> Option<Mark> {
    let behind = line.start + line.text.len();
    let (kind, body) = if line.text.starts_with(SCRATCHPAD) {
        (Kind::Scratchpad, line.start + SCRATCHPAD.len())
    } else if OTHERS.iter().any(|other| line.text.starts_with(other)) {
        (Kind::Other, behind)
    } else if is_state(line.text) {
        (Kind::State, behind)
    } else if undressed(line.text).starts_with(SCRATCHPAD) {
        (Kind::Decorated, behind)
    } else if is_rule(line.text) || heading(line.text).is_some_and(|(level, _)| level <= 3) {
        (Kind::Break, behind)
    } else {
        return None;
    };
    Some(Mark { kind, start: line.start, body })
}

/// Returns true if the line is the heading `### STATE`; bold text and a colon make no difference, lower case does: that is a
/// heading like any other.
fn is_state(line: &str) -> bool {
    let title = |(level, title): (usize, &str)| level == 3 && title.trim_matches(['*', '_', ':']) == "STATE";
    line.starts_with('#') && heading(line).is_some_and(title)
}

fn undressed(line: &str) -> &str {
    line.trim_start_matches(['*', '_', '#', ' ', '\t'])
}
