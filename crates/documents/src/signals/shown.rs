//! The text of a response as a person reads it: without the blocks of documents.

use super::SCRATCHPAD;
use super::marks::{Form, Kind, MarkReader};
use crate::markdown::{Fences, Line};

/// Leaves the blocks of documents out of a text that arrives in parts. Everything else is passed on as soon as it cannot begin
/// a block; empty lines are passed on with the next text, so none is left over where a block was.
#[derive(Debug, Default)]
pub struct ShownText {
    fences: Fences,
    marks: MarkReader,
    block: Option<Kind>,
    /// The line that has not ended yet, and how many bytes of it were passed on.
    line: String,
    passed: usize,
    /// Empty lines that wait for the next text.
    blank: String,
    /// A block was left out since the last text that was passed on.
    has_cut: bool,
}

impl ShownText {
    /// The next part. Returns what can be shown now.
    #[must_use]
    pub fn push(&mut self, part: &str) -> String {
        let mut shown = String::new();
        for piece in part.split_inclusive('\n') {
            self.line.push_str(piece);
            if piece.ends_with('\n') {
                self.end_line(&mut shown);
            } else if self.block.is_none() && (self.fences.open().is_some() || !may_begin_block(&self.line)) {
                self.pass(&mut shown);
            }
        }
        shown
    }

    /// The end of the text. Returns the rest, and begins again.
    #[must_use]
    pub fn finish(&mut self) -> String {
        let mut shown = String::new();
        if !self.line.is_empty() {
            self.end_line(&mut shown);
        }
        let left = std::mem::take(self);
        if !left.has_cut {
            shown.push_str(&left.blank);
        }
        shown
    }

    fn end_line(&mut self, shown: &mut String) {
        let text = self.line.trim_end_matches(['\n', '\r']);
        let fenced = self.fences.take(text, 0, SCRATCHPAD);
        let mark = self.marks.take(&Line { start: 0, text, fenced });
        if let Some(mark) = mark {
            let is_over = match self.block {
                Some(Kind::Scratchpad) => mark.ends_scratchpad(),
                Some(_) => mark.ends_state(),
                None => true,
            };
            let begins = mark.form == Form::Plain && matches!(mark.kind, Kind::Scratchpad | Kind::State);
            if is_over {
                self.block = begins.then_some(mark.kind);
                self.has_cut |= begins;
            }
        }
        if self.block.is_none() {
            self.pass(shown);
        }
        self.line.clear();
        self.passed = 0;
    }

    fn pass(&mut self, shown: &mut String) {
        let rest = self.line.get(self.passed..).unwrap_or_default();
        self.passed = self.line.len();
        if self.line.trim().is_empty() {
            self.blank.push_str(rest);
        } else {
            shown.push_str(&std::mem::take(&mut self.blank));
            shown.push_str(rest);
            self.has_cut = false;
        }
    }
}

/// Returns true if a line that begins so may begin a block.
fn may_begin_block(line: &str) -> bool {
    line.starts_with('#') || SCRATCHPAD.starts_with(line) || line.starts_with(SCRATCHPAD)
}

/// The text without the blocks of documents. Malformed blocks are left out too; one in a code fence or with a decorated heading
/// is not.
#[must_use]
pub fn without_documents(text: &str) -> String {
    let mut shown = ShownText::default();
    let mut rest = shown.push(text);
    rest.push_str(&shown.finish());
    rest
}
