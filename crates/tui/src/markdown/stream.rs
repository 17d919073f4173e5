//! A streaming answer: complete blocks are emitted, the open one is buffered until it ends.
//!
//! Code is emitted line by line and lists item by item, so that the buffer stays short.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use throughline_text::cut_start;

use super::code::code_line;
use super::render::{options, render};
use crate::clean::stripped;
use crate::line::Line;

/// A block of code that is open.
#[derive(Debug, Clone)]
struct Fence {
    letter: char,
    length: usize,
    indent: usize,
    language: String,
}

/// A streaming answer.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    /// The text that is not emitted yet.
    text: String,
    fence: Option<Fence>,
    /// The next block continues a list whose first items were emitted.
    in_list: bool,
    /// Something was emitted.
    begun: bool,
    /// Bytes that were parsed without finding a complete block.
    tried: usize,
}

/// A block that is longer is read again only when it has grown by a part: what a long answer costs stays in proportion to
/// its length.
const LONG: usize = 4_096;
/// Bytes of the open block's end that are shown while it grows: more than any screen holds.
const SHOWN: usize = 32_768;

impl Stream {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Returns true if no text is buffered.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The lines of all that cannot change any more.
    pub(crate) fn complete(&mut self, columns: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        loop {
            let before = (self.text.len(), self.fence.is_some());
            lines.extend(match self.fence.clone() {
                Some(fence) => self.code_lines(&fence),
                None => self.blocks(columns),
            });
            if before == (self.text.len(), self.fence.is_some()) {
                return lines;
            }
        }
    }

    /// The lines of what is still open; of a very long block its end.
    pub(crate) fn open(&self, columns: usize) -> Vec<Line> {
        let end = cut_start(&self.text, SHOWN);
        let from = if end.len() < self.text.len() { end.find('\n').map_or(0, |at| at + 1) } else { 0 };
        self.lines_of(end.get(from..).unwrap_or_default(), columns)
    }

    fn lines_of(&self, text: &str, columns: usize) -> Vec<Line> {
        if let Some(fence) = &self.fence {
            return stripped(text).lines().map(|line| code_line(line, &fence.language)).collect();
        }
        if self.is_empty() {
            return Vec::new();
        }
        self.spaced(render(&stripped(text), columns))
    }

    /// The lines of the rest; the answer is at its end, or never comes to one.
    pub(crate) fn finish(&mut self, columns: usize) -> Vec<Line> {
        let mut lines = self.complete(columns);
        lines.extend(self.lines_of(&self.text, columns));
        *self = Self::default();
        lines
    }

    /// Discards the buffered text.
    pub(crate) fn discard(&mut self) {
        *self = Self::default();
    }

    /// With the empty line between two blocks.
    fn spaced(&self, lines: Vec<Line>) -> Vec<Line> {
        if !self.begun || self.in_list || lines.is_empty() {
            return lines;
        }
        std::iter::once(Line::blank()).chain(lines).collect()
    }

    fn blocks(&mut self, columns: usize) -> Vec<Line> {
        // A line that is not at its end may still become something else.
        let Some(end) = self.text.rfind('\n').map(|at| at + 1) else { return Vec::new() };
        if end > LONG && end < self.tried + self.tried / 8 {
            return Vec::new();
        }
        self.tried = end;
        let settled = self.text.get(..end).unwrap_or_default();
        let Settled { upto, list_open, fence } = settled_part(settled);
        let mut lines = Vec::new();
        if upto > 0 {
            let part = settled.get(..upto).unwrap_or_default();
            lines = self.spaced(render(&stripped(part), columns));
            self.begun |= !lines.is_empty();
            self.in_list = list_open;
            self.text.drain(..upto);
            self.tried = 0;
        }
        if let Some(fence) = fence {
            self.in_list = false;
            lines.extend(self.begun.then(Line::blank));
            let first = self.text.find('\n').map_or(self.text.len(), |at| at + 1);
            self.text.drain(..first);
            self.tried = 0;
            self.fence = Some(fence);
        }
        lines
    }

    fn code_lines(&mut self, fence: &Fence) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some(end) = self.text.find('\n') {
            let line: String = self.text.drain(..=end).collect();
            let line = line.trim_end_matches(['\n', '\r']);
            if closes(line, fence) {
                self.fence = None;
                break;
            }
            let spaces = line.len() - line.trim_start_matches(' ').len();
            let text = line.get(spaces.min(fence.indent)..).unwrap_or_default();
            lines.push(code_line(&stripped(text), &fence.language));
            self.begun = true;
        }
        lines
    }
}

fn closes(line: &str, fence: &Fence) -> bool {
    let text = line.trim_start_matches(' ');
    let marks = text.chars().take_while(|letter| *letter == fence.letter).count();
    line.len() - text.len() < 4
        && marks >= fence.length
        && text.chars().skip(marks).all(|letter| matches!(letter, ' ' | '\t'))
}

/// The part of a text that cannot change any more.
#[derive(Debug, Default)]
struct Settled {
    /// Bytes of it.
    upto: usize,
    /// Whether it ends between two items of a list.
    list_open: bool,
    /// The open block of code after it.
    fence: Option<Fence>,
}

fn settled_part(text: &str) -> Settled {
    let mut depth = 0_usize;
    let mut last = 0;
    let mut items = Vec::new();
    let mut fenced = false;
    let mut in_list = false;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    last = range.start;
                    items.clear();
                    in_list = matches!(tag, Tag::List(_));
                    fenced = matches!(tag, Tag::CodeBlock(CodeBlockKind::Fenced(_)));
                }
                if depth == 1 && in_list && matches!(tag, Tag::Item) {
                    items.push(range.start);
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Rule if depth == 0 => {
                last = range.start;
                items.clear();
                fenced = false;
            }
            _ => {}
        }
    }
    if fenced {
        let block = text.get(last..).unwrap_or_default();
        let fence = open_fence(text, last, block);
        return Settled { upto: line_start(text, last), list_open: false, fence };
    }
    match items.as_slice() {
        [_, .., newest] => Settled { upto: line_start(text, *newest), list_open: true, fence: None },
        _ => Settled { upto: line_start(text, last), list_open: false, fence: None },
    }
}

/// Blocks begin after their indentation; the text is cut before it.
fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
}

fn open_fence(text: &str, at: usize, block: &str) -> Option<Fence> {
    let letter = block.chars().next().filter(|letter| matches!(letter, '`' | '~'))?;
    let length = block.chars().take_while(|found| *found == letter).count();
    let line = block.lines().next().unwrap_or_default();
    let language = line.trim_start_matches(letter).trim().to_owned();
    Some(Fence { letter, length, indent: at - line_start(text, at), language })
}
