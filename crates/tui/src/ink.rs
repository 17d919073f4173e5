//! Styled lines: the only form in which text reaches the terminal. The text of a span is clean by construction.

use std::fmt::Write;

use crate::clean::one_line;
use crate::layout::width;

/// A colour of the terminal's own palette, so that the user's theme decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Colour {
    /// The terminal's own.
    #[default]
    Plain,
    Red,
    Green,
    Yellow,
    Magenta,
    Cyan,
}

/// How text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Style {
    pub(crate) colour: Colour,
    pub(crate) bold: bool,
    pub(crate) dim: bool,
    pub(crate) italic: bool,
    pub(crate) underlined: bool,
    pub(crate) struck: bool,
    pub(crate) reversed: bool,
}

/// As the terminal writes by itself.
pub(crate) const PLAIN: Style = Style {
    colour: Colour::Plain,
    bold: false,
    dim: false,
    italic: false,
    underlined: false,
    struck: false,
    reversed: false,
};
/// Beside the matter.
pub(crate) const DIM: Style = Style { dim: true, ..PLAIN };
/// What matters.
pub(crate) const BOLD: Style = Style { bold: true, ..PLAIN };
/// The chosen one of several.
pub(crate) const CHOSEN: Style = Style { reversed: true, ..PLAIN };

impl Style {
    /// Text of a colour.
    pub(crate) const fn of(colour: Colour) -> Self {
        Self { colour, ..PLAIN }
    }

    fn codes(self, colours: bool) -> String {
        let mut codes = String::new();
        let colour = match self.colour {
            Colour::Plain => "",
            Colour::Red => ";31",
            Colour::Green => ";32",
            Colour::Yellow => ";33",
            Colour::Magenta => ";35",
            Colour::Cyan => ";36",
        };
        if colours {
            codes.push_str(colour);
        }
        let marks = [
            (self.bold, ";1"),
            (self.dim, ";2"),
            (self.italic, ";3"),
            (self.underlined, ";4"),
            (self.reversed, ";7"),
            (self.struck, ";9"),
        ];
        codes.extend(marks.iter().filter(|(set, _)| *set).map(|(_, code)| *code));
        codes
    }
}

/// Text of one style, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    text: String,
    style: Style,
}

impl Span {
    /// A span of this text. Tabs become spaces, control characters become marks.
    pub(crate) fn new(text: impl AsRef<str>, style: Style) -> Self {
        Self { text: one_line(text.as_ref(), 0), style }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn style(&self) -> Style {
        self.style
    }
}

/// A line of spans.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Line {
    spans: Vec<Span>,
    /// Whether its breaks are the terminal's business, so that it can be copied as one line.
    whole: bool,
}

impl Line {
    /// A line of one style.
    pub(crate) fn styled(text: impl AsRef<str>, style: Style) -> Self {
        Self { spans: vec![Span::new(text, style)], whole: false }
    }

    /// A line without a style.
    pub(crate) fn plain(text: impl AsRef<str>) -> Self {
        Self::styled(text, PLAIN)
    }

    /// An empty line.
    pub(crate) fn blank() -> Self {
        Self::default()
    }

    /// The same line, left in one piece in the scrollback.
    pub(crate) fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The line with more at its end.
    pub(crate) fn then(mut self, text: impl AsRef<str>, style: Style) -> Self {
        self.add(text, style);
        self
    }

    /// Adds at its end.
    pub(crate) fn add(&mut self, text: impl AsRef<str>, style: Style) {
        let text = text.as_ref();
        // Only a tab depends on where it stands.
        let column = if text.contains('\t') { self.width() } else { 0 };
        self.push(Span { text: one_line(text, column), style });
    }

    /// Adds a span, joined to the last one when it looks the same.
    pub(crate) fn push(&mut self, span: Span) {
        if span.text.is_empty() {
            return;
        }
        match self.spans.last_mut() {
            Some(last) if last.style == span.style => last.text.push_str(&span.text),
            _ => self.spans.push(span),
        }
    }

    /// Adds a part of another line's text.
    pub(crate) fn add_clean(&mut self, text: &str, style: Style) {
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.spans.push(Span { text: text.to_owned(), style }),
        }
    }

    /// Adds all of another line.
    pub(crate) fn append(&mut self, other: Self) {
        for span in other.spans {
            self.push(span);
        }
    }

    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.text.is_empty())
    }

    /// Columns that it takes.
    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.text)).sum()
    }

    /// Its text without style.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// Its text with the codes for a terminal.
    pub(crate) fn encoded(&self, colours: bool) -> String {
        let mut out = String::new();
        for span in &self.spans {
            let codes = span.style.codes(colours);
            if codes.is_empty() {
                out.push_str(&span.text);
            } else {
                // Writing to a string cannot fail.
                let _ = write!(out, "\u{1b}[0{codes}m{}\u{1b}[0m", span.text);
            }
        }
        out
    }
}
