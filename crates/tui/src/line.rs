//! Styled lines, the only form in which text reaches the terminal. The text of a line is sanitized by construction.

use crossterm::Command;
use crossterm::style::{PrintStyledContent, force_color_output};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
pub(crate) use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::text::{self, Span, StyledGrapheme};
use ratatui_core::widgets::Widget;
use ratatui_crossterm::IntoCrossterm;

use crate::clean::one_line;
use crate::layout::width;

/// As the terminal writes by itself. Colours are those of the terminal's own palette, so that the user's theme decides how
/// they look.
pub(crate) const PLAIN: Style = Style::new();
/// Secondary text.
pub(crate) const DIM: Style = PLAIN.add_modifier(Modifier::DIM);
/// Important text.
pub(crate) const BOLD: Style = PLAIN.add_modifier(Modifier::BOLD);
/// The selected item.
pub(crate) const CHOSEN: Style = PLAIN.add_modifier(Modifier::REVERSED);

/// A line of text without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Line {
    text: text::Line<'static>,
    /// The terminal breaks it, so that it can be copied as one line.
    whole: bool,
}

impl Line {
    /// A line of one style. Tabs become spaces, control characters become marks.
    pub(crate) fn styled(text: impl AsRef<str>, style: Style) -> Self {
        Self::blank().then(text, style)
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
        // Only a tab depends on its column.
        let column = if text.contains('\t') { self.width() } else { 0 };
        self.add_clean(&one_line(text, column), style);
    }

    /// Adds a part of another line's text, joined to the last one when it looks the same.
    pub(crate) fn add_clean(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        match self.text.spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(text),
            _ => self.text.push_span(Span::styled(text.to_owned(), style)),
        }
    }

    /// Adds all of another line.
    pub(crate) fn append(&mut self, other: Self) {
        for span in other.text.spans {
            self.add_clean(&span.content, span.style);
        }
    }

    /// Its letters, each with its marks.
    pub(crate) fn letters(&self) -> impl Iterator<Item = StyledGrapheme<'_>> {
        self.text.styled_graphemes(PLAIN)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.spans.is_empty()
    }

    /// Columns that it takes.
    pub(crate) fn width(&self) -> usize {
        self.text.spans.iter().map(|span| width(&span.content)).sum()
    }

    /// Its text without style.
    pub(crate) fn text(&self) -> String {
        self.text.spans.iter().map(|span| span.content.as_ref()).collect()
    }

    /// Its text with the codes for a terminal.
    pub(crate) fn encoded(&self, colours: bool) -> String {
        let mut out = String::new();
        for span in &self.text.spans {
            encode(&mut out, &span.content, span.style, colours);
        }
        out
    }
}

impl Widget for &Line {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        buffer.set_line(area.x, area.y, &self.text, area.width);
    }
}

/// Writes text with the codes of its style. Without colours there still are bold and dim letters.
pub(crate) fn encode(out: &mut String, text: &str, mut style: Style, colours: bool) {
    if colours {
        // The caller has decided. By itself the library looks for NO_COLOR, and writes half a code where it finds it.
        force_color_output(true);
    }
    let wanted = |colour: &Color| colours && *colour != Color::Reset;
    style.fg = style.fg.filter(wanted);
    style.bg = style.bg.filter(wanted);
    // Writing to a string cannot fail.
    let _ = PrintStyledContent(style.into_crossterm().apply(text)).write_ansi(out);
}
