//! The text inside a block: emphasis, code, links, and where a line must end.

use crate::line::{DIM, Line, Modifier, PLAIN, Style};
use crate::palette::ACCENT;

/// Lines of text that are put together piece by piece.
#[derive(Debug, Default)]
pub(super) struct Inline {
    lines: Vec<Line>,
    current: Line,
    bold: usize,
    italic: usize,
    struck: usize,
    heading: bool,
    links: Vec<Link>,
}

/// A link whose text is being written.
#[derive(Debug)]
struct Link {
    address: String,
    text: String,
}

impl Inline {
    fn style(&self) -> Style {
        let marks = [
            (self.bold > 0 || self.heading, Modifier::BOLD),
            (self.italic > 0, Modifier::ITALIC),
            (self.struck > 0, Modifier::CROSSED_OUT),
            (!self.links.is_empty(), Modifier::UNDERLINED),
        ];
        let set = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark);
        PLAIN.add_modifier(set.collect())
    }

    /// A heading begins or ends. Its level is not shown: headings of an answer are few.
    pub(super) fn heading(&mut self, on: bool) {
        self.heading = on;
    }

    pub(super) fn bold(&mut self, on: bool) {
        count(&mut self.bold, on);
    }

    pub(super) fn italic(&mut self, on: bool) {
        count(&mut self.italic, on);
    }

    pub(super) fn struck(&mut self, on: bool) {
        count(&mut self.struck, on);
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some(link) = self.links.last_mut() {
            link.text.push_str(text);
        }
        self.current.add(text, self.style());
    }

    /// Literal text.
    pub(super) fn code(&mut self, text: &str) {
        if let Some(link) = self.links.last_mut() {
            link.text.push_str(text);
        }
        self.current.add(text, self.style().fg(ACCENT));
    }

    /// What is no text of the writer's own.
    pub(super) fn dim(&mut self, text: &str) {
        self.current.add(text, DIM);
    }

    /// The line ends here.
    pub(super) fn end_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.current));
    }

    pub(super) fn open_link(&mut self, address: &str) {
        self.links.push(Link { address: address.to_owned(), text: String::new() });
    }

    /// The address follows the text, so that a link that names one place and leads to another is seen.
    pub(super) fn close_link(&mut self) {
        let Some(Link { address, text }) = self.links.pop() else { return };
        let same = address == text || address.strip_prefix("mailto:") == Some(&text);
        if !same && !address.is_empty() {
            self.current.add(format!(" ({address})"), DIM);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.current.is_empty()
    }

    /// The lines so far.
    pub(super) fn take(&mut self) -> Vec<Line> {
        if !self.current.is_empty() || self.lines.is_empty() {
            self.end_line();
        }
        std::mem::take(&mut self.lines)
    }
}

fn count(depth: &mut usize, on: bool) {
    *depth = if on { *depth + 1 } else { depth.saturating_sub(1) };
}
