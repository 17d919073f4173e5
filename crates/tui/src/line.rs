//! Styled lines, the only form in which text reaches the terminal. The text of a line is sanitized by construction.

use crossterm::Command;
use crossterm::style::{PrintStyledContent, SetBackgroundColor, force_color_output};
use crossterm::terminal::{Clear, ClearType};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
pub(crate) use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::text::{self, Span, StyledGrapheme};
use ratatui_core::widgets::Widget;
use ratatui_crossterm::IntoCrossterm;

use crate::clean::one_line;
use crate::layout::width;
use crate::palette::Palette;

/// As the terminal writes by itself. Colours are named by their meaning (see `palette`).
pub(crate) const PLAIN: Style = Style::new();
/// Secondary text.
pub(crate) const DIM: Style = PLAIN.add_modifier(Modifier::DIM);
/// Important text.
pub(crate) const BOLD: Style = PLAIN.add_modifier(Modifier::BOLD);
/// The selected item.
pub(crate) const CHOSEN: Style = PLAIN.add_modifier(Modifier::REVERSED);

/// Least columns of the text of a line that continues below a column.
const HANGING: usize = 16;

/// A line of text without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Line {
    text: text::Line<'static>,
    /// The terminal breaks it, so that it can be copied as one line.
    whole: bool,
    /// The ground of its whole row, which is no text of it.
    ground: Option<Color>,
    /// The column below which it continues where it does not fit.
    hang: usize,
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

    /// The same line on a ground, which runs to the edge of the screen where the terminal shows grounds.
    pub(crate) fn on(mut self, ground: Color) -> Self {
        self.ground = Some(ground);
        self
    }

    /// The same line on the ground of another one, if that has one.
    pub(crate) fn on_ground_of(mut self, other: &Self) -> Self {
        self.ground = other.ground.or(self.ground);
        self
    }

    /// The same line, continued below this column where it does not fit.
    pub(crate) fn hanging(mut self, column: usize) -> Self {
        self.hang = column;
        self
    }

    /// The column below which it continues in a row of this width: 0 if little would fit behind it.
    pub(crate) fn hang_in(&self, columns: usize) -> usize {
        if self.hang + HANGING <= columns { self.hang } else { 0 }
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

    /// Adds all of another line, and takes over its ground and the column below which it continues.
    pub(crate) fn append(&mut self, other: Self) {
        if other.hang > 0 {
            self.hang = self.width() + other.hang;
        }
        self.ground = other.ground.or(self.ground);
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

    /// The same line without spaces at its end, which would be copied with it.
    pub(crate) fn without_end_spaces(mut self) -> Self {
        while let Some(last) = self.text.spans.last_mut() {
            let end = last.content.trim_end_matches(' ').len();
            last.content.to_mut().truncate(end);
            if end > 0 {
                break;
            }
            self.text.spans.pop();
        }
        self
    }

    /// The same line without spaces at its start.
    pub(crate) fn without_start_spaces(mut self) -> Self {
        while let Some(first) = self.text.spans.first_mut() {
            let text = first.content.trim_start_matches(' ').to_owned();
            let is_text = !text.is_empty();
            first.content = text.into();
            if is_text {
                break;
            }
            self.text.spans.remove(0);
        }
        self
    }

    /// The same line with another text in each part of it.
    pub(crate) fn map_text(mut self, text: impl Fn(&str) -> Option<String>) -> Self {
        for span in &mut self.text.spans {
            if let Some(changed) = text(&span.content) {
                span.content = changed.into();
            }
        }
        self
    }

    /// Its text with the codes for a terminal of this width.
    pub(crate) fn encoded(&self, palette: Palette, columns: usize) -> String {
        let ground = self.ground.filter(|_| palette.has_grounds());
        let mut out = String::new();
        if let Some(ground) = ground {
            encode_ground(&mut out, ground, palette);
        }
        for span in &self.text.spans {
            let style = ground.map_or(span.style, |ground| span.style.bg(ground));
            encode(&mut out, &span.content, style, palette);
        }
        // The last row of a line that the terminal has broken begins without the ground.
        let width = self.width();
        if let Some(ground) = ground.filter(|_| width > columns && !width.is_multiple_of(columns.max(1))) {
            encode_ground(&mut out, ground, palette);
        }
        out
    }
}

impl Widget for &Line {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        buffer.set_line(area.x, area.y, &self.text, area.width);
        if let Some(ground) = self.ground {
            buffer.set_style(area, PLAIN.bg(ground));
        }
    }
}

/// Writes text with the codes of its style.
pub(crate) fn encode(out: &mut String, text: &str, style: Style, palette: Palette) {
    // The caller has decided about colours. By itself the library looks for NO_COLOR, and writes half a code where it finds it.
    force_color_output(true);
    // Writing to a string cannot fail.
    let _ = PrintStyledContent(palette.style(style).into_crossterm().apply(text)).write_ansi(out);
}

/// Gives the rest of the row a ground. It is erased with it, not filled: erased cells are not copied.
pub(crate) fn encode_ground(out: &mut String, ground: Color, palette: Palette) {
    force_color_output(true);
    let Some(ground) = palette.style(PLAIN.bg(ground)).bg else { return };
    let _ = SetBackgroundColor(ground.into_crossterm()).write_ansi(out);
    let _ = Clear(ClearType::UntilNewLine).write_ansi(out);
    let _ = SetBackgroundColor(crossterm::style::Color::Reset).write_ansi(out);
}
