//! Blocks of the transcript, and how each looks.

use crate::calls::FinishedCall;
use crate::clean::{stripped, visible};
use crate::composer::PROMPT;
use crate::layout::{wrap_hanging, wrap_row};
use crate::line::{BOLD, Color, DIM, Line, Modifier, PLAIN, Style};
use crate::markdown::render;
use crate::port::Earlier;

/// Maximum lines of an input in the scrollback.
const INPUT_LINES: usize = 12;

/// What kind of block something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Answer,
    Call,
    Notice,
    Page,
}

impl Kind {
    /// Returns true if an empty line belongs between a block of this kind and the one before.
    pub(super) fn is_apart_from(self, before: Self) -> bool {
        match self {
            Self::User | Self::Page => true,
            Self::Notice => !matches!(before, Self::Notice | Self::Page),
            Self::Answer | Self::Call => self != before,
        }
    }
}

/// A finished part of the transcript. Texts may contain anything; they are sanitized here.
#[derive(Debug)]
pub(crate) enum Block<'a> {
    /// An input.
    User(&'a str),
    /// Lines of an answer.
    Answer(Vec<Line>),
    /// A call.
    Call(FinishedCall<'a>),
    /// A line about thinking.
    Thought(Line),
    /// What the model thought.
    Thinking(&'a str),
    /// A line of the program that needs no reaction.
    Notice(&'a str),
    /// A line about something that did not go as it should, and was handled.
    Warning(&'a str),
    /// A line about something that failed.
    Problem(&'a str),
    /// The answer to a command: text with its own line breaks, below a title that may be empty.
    Page { title: &'a str, text: &'a str },
}

impl<'a> Block<'a> {
    /// The block of earlier output.
    pub(crate) fn of(one: &'a Earlier, columns: usize) -> Self {
        match one {
            Earlier::User(text) => Self::User(text),
            Earlier::Assistant(text) => Self::Answer(render(&stripped(text), columns)),
            Earlier::Thinking(text) => Self::Thinking(text),
            Earlier::Tool { name, input, is_error, result, stored } => {
                let (is_error, stored) = (*is_error, *stored);
                Self::Call(FinishedCall { name, input, is_error, took: "", result, stored })
            }
            Earlier::Notice(text) => Self::Notice(text),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::User(_) => Kind::User,
            Self::Answer(_) => Kind::Answer,
            Self::Call(_) => Kind::Call,
            Self::Thought(_) | Self::Thinking(_) | Self::Notice(_) | Self::Warning(_) | Self::Problem(_) => {
                Kind::Notice
            }
            Self::Page { .. } => Kind::Page,
        }
    }

    /// Its lines. `whole`: nothing is left out of inputs and results.
    pub(super) fn lines(self, columns: usize, whole: bool) -> Vec<Line> {
        match self {
            Self::User(text) => user(text, columns, if whole { usize::MAX } else { INPUT_LINES }),
            Self::Answer(lines) => lines,
            Self::Call(call) => call.lines(columns, whole),
            Self::Thinking(text) => {
                let style = DIM.add_modifier(Modifier::ITALIC);
                marked("∴ ", style, style, &text.replace("**", ""), columns)
            }
            Self::Thought(line) => vec![line],
            Self::Notice(text) => marked("· ", DIM, DIM, text, columns),
            Self::Warning(text) => marked("! ", PLAIN.fg(Color::Yellow), DIM, text, columns),
            Self::Problem(text) => marked("! ", BOLD.fg(Color::Red), PLAIN.fg(Color::Red), text, columns),
            Self::Page { title, text } => page(title, text, columns),
        }
    }
}

fn user(text: &str, columns: usize, most: usize) -> Vec<Line> {
    let text = visible(text);
    let all = text.lines().count();
    let mut lines = Vec::new();
    let prompt = Line::styled(PROMPT, BOLD.fg(Color::Cyan));
    let next = Line::plain("  ");
    for (index, line) in text.lines().take(most).enumerate() {
        let start = if index == 0 { &prompt } else { &next };
        lines.extend(wrap_hanging(start, &next, &Line::styled(line, BOLD), columns));
    }
    if all > most {
        lines.push(Line::styled(format!("  … {} more lines", all - most), DIM));
    }
    lines
}

fn marked(mark: &str, mark_style: Style, style: Style, text: &str, columns: usize) -> Vec<Line> {
    let text = stripped(text);
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let start = if index == 0 { Line::styled(mark, mark_style) } else { Line::plain("  ") };
        lines.extend(wrap_hanging(&start, &Line::plain("  "), &Line::styled(line, style), columns));
    }
    lines
}

fn page(title: &str, text: &str, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if !title.trim().is_empty() {
        lines.push(Line::styled(stripped(title).replace('\n', " "), BOLD));
    }
    let rows = stripped(text);
    let rows = rows.trim_end().lines().map(|line| Line::styled(line, PLAIN));
    lines.extend(rows.flat_map(|line| wrap_row(&line, columns)));
    lines
}
