//! Where in a text signals begin and end.

use super::SCRATCHPAD;
use crate::markdown::{Line, heading, is_rule, item, lines};
use crate::state::fields::is_label;

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
    /// Another heading, a line, or a paragraph of prose that ends STATE only.
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
    let mut reader = MarkReader::default();
    let mut lines = lines(text, SCRATCHPAD);
    for line in lines.by_ref() {
        let is_document = |mark: &Mark| matches!(mark.kind, Kind::Scratchpad | Kind::State);
        let mark = reader.take(&line);
        found.marks.extend(mark.filter(|mark| mark.form != Form::Fenced || is_document(mark)));
    }
    if let Some(open) = lines.open() {
        let all = found.marks.len();
        found.marks.retain(|mark| mark.form != Form::Fenced || mark.start < open);
        found.unclosed = found.marks.len() < all;
    }
    found
}

/// Finds the marks of a text, line by line.
#[derive(Debug, Default)]
pub(super) struct MarkReader {
    /// The line before is empty.
    is_behind_blank: bool,
    /// The text before ends with a colon: what follows an empty line belongs to it.
    is_announced: bool,
}

impl MarkReader {
    /// The mark of the next line.
    pub(super) fn take(&mut self, line: &Line<'_>) -> Option<Mark> {
        let is_prose = self.begins_prose(line);
        mark(line).or_else(|| {
            let end = line.start + line.text.len();
            is_prose.then_some(Mark { kind: Kind::Break, form: Form::Plain, start: line.start, body: end })
        })
    }

    /// Returns true if a paragraph begins here that is no field of STATE and no list: the model speaks to its user again.
    fn begins_prose(&mut self, line: &Line<'_>) -> bool {
        let text = line.text.trim();
        if text.is_empty() {
            self.is_behind_blank = true;
            return false;
        }
        let is_behind = std::mem::take(&mut self.is_behind_blank) && !self.is_announced && !line.fenced;
        self.is_announced = text.trim_end_matches(['*', '_']).ends_with(':');
        let is_block = line.text.starts_with([' ', '\t', '|', '>']) || item(line.text).is_some();
        is_behind && !is_block && !is_label(line.text)
    }
}

/// The mark of a line.
fn mark(line: &Line<'_>) -> Option<Mark> {
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

/// Returns true if the line is the word STATE with other marks or none, or in other letters with some.
fn is_decorated_state(line: &str) -> bool {
    let bare = undressed(line);
    let word = bare.trim_end_matches(['*', '_', '#', ':', ' ', '\t']);
    word == "STATE" || bare.len() < line.len() && word.eq_ignore_ascii_case("state")
}

fn undressed(line: &str) -> &str {
    line.trim_start_matches(['*', '_', '#', ' ', '\t'])
}
