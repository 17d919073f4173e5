//! Where in a text signals begin and end.

use super::SCRATCHPAD;
use crate::markdown::{Line, heading, is_rule, lines};

/// Begins a signal that others read; it ends a document.
const SIGNAL: &str = "SIGNAL:";

/// The sections that the rules of the scratchpad ask for.
const SECTIONS: [&str; 5] =
    ["Current Understanding", "Current Plan", "Key Decisions", "Blockers", "Last Action"];

/// What begins at a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The scratchpad.
    Scratchpad,
    /// STATE.
    State,
    /// A signal that is not about documents.
    Other,
    /// A heading of a section of the scratchpad; it ends STATE only.
    Section,
    /// Another heading, or a line that ends STATE only.
    Break,
}

/// How a mark is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As the rules ask for it.
    Plain,
    /// As bold text, or as a heading of another level.
    Decorated,
    /// Inside of a code fence.
    Fenced,
}

/// A place where something begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) kind: Kind,
    pub(super) form: Form,
    /// Where its line begins, in bytes.
    pub(super) start: usize,
    /// Where its content begins, in bytes.
    pub(super) body: usize,
}

impl Mark {
    /// Returns true if a scratchpad ends in front of it.
    pub(super) fn ends_scratchpad(&self) -> bool {
        self.form == Form::Plain && matches!(self.kind, Kind::Scratchpad | Kind::State | Kind::Other)
    }

    /// Returns true if STATE ends in front of it.
    pub(super) fn ends_state(&self) -> bool {
        self.form != Form::Fenced
    }
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
    let mut lines = lines(text, SCRATCHPAD);
    for line in lines.by_ref() {
        let is_document = |mark: &Mark| matches!(mark.kind, Kind::Scratchpad | Kind::State);
        found.marks.extend(mark(&line).filter(|mark| mark.form != Form::Fenced || is_document(mark)));
    }
    if let Some(open) = lines.open() {
        let all = found.marks.len();
        found.marks.retain(|mark| mark.form != Form::Fenced || mark.start < open);
        found.unclosed = found.marks.len() < all;
    }
    found
}

/// The mark of a line.
pub(super) fn mark(line: &Line<'_>) -> Option<Mark> {
    let behind = line.start + line.text.len();
    let (kind, is_decorated, body) = if line.text.starts_with(SCRATCHPAD) {
        (Kind::Scratchpad, false, line.start + SCRATCHPAD.len())
    } else if line.text.starts_with(SIGNAL) {
        (Kind::Other, false, behind)
    } else if is_state(line.text) {
        (Kind::State, false, behind)
    } else if undressed(line.text).starts_with(SCRATCHPAD) {
        (Kind::Scratchpad, true, behind)
    } else if is_decorated_state(line.text) {
        (Kind::State, true, behind)
    } else if is_rule(line.text) {
        (Kind::Break, false, behind)
    } else {
        let (_, title) = heading(line.text).filter(|(level, _)| *level <= 3)?;
        (if SECTIONS.contains(&title) { Kind::Section } else { Kind::Break }, false, behind)
    };
    let form = match (line.fenced, is_decorated) {
        (true, _) => Form::Fenced,
        (false, true) => Form::Decorated,
        (false, false) => Form::Plain,
    };
    Some(Mark { kind, form, start: line.start, body })
}

/// Returns true if the line is the heading `### STATE`; bold text and a colon make no difference, lower case does: that is a
/// heading like any other.
fn is_state(line: &str) -> bool {
    let title = |(level, title): (usize, &str)| level == 3 && title.trim_matches(['*', '_', ':']) == "STATE";
    line.starts_with('#') && heading(line).is_some_and(title)
}

/// Returns true if the line is the word STATE as another heading, as bold text, or both.
fn is_decorated_state(line: &str) -> bool {
    let bare = undressed(line);
    bare.len() < line.len() && bare.trim_end_matches(['*', '_', '#', ':', ' ', '\t']) == "STATE"
}

fn undressed(line: &str) -> &str {
    line.trim_start_matches(['*', '_', '#', ' ', '\t'])
}
