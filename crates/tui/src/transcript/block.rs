//! Blocks of the transcript, and how each looks.

use throughline_text::counted;

use crate::calls::FinishedCall;
use crate::clean::{stripped, visible};
use crate::composer::PROMPT;
use crate::layout::wrap_hanging;
use crate::line::{BOLD, DIM, Line, Modifier, PLAIN, Style};
use crate::markdown::render;
use crate::palette::{ACCENT, BAD, USER_GROUND, WAIT};
use crate::port::Earlier;

use super::page::page;

/// Maximum lines of an input in the scrollback.
const INPUT_LINES: usize = 8;

/// What kind of block something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Answer,
    Call,
    Notice,
    Page,
    Receipt,
}

impl Kind {
    /// Returns true if an empty line belongs between a block of this kind and the one before.
    pub(super) fn is_apart_from(self, before: Self) -> bool {
        match self {
            Self::User | Self::Page | Self::Receipt => true,
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
    /// Calls that only read, as one block.
    Reads(Vec<Line>),
    /// A line about thinking.
    Thought(Line),
    /// What the model thought.
    Thinking(&'a str),
    /// A line of the program that needs no reaction.
    Notice(&'a str),
    /// What the engine did to the context, in lines of this width.
    Memory(Vec<Line>),
    /// A line about something that did not go as it should, and was handled.
    Warning(&'a str),
    /// A line about something that failed.
    Problem(&'a str),
    /// A turn that failed: what happened, and what to do.
    Failure { what: &'a str, advice: &'a str },
    /// The answer to a command: text with its own line breaks, below a title that may be empty.
    Page { title: &'a str, text: &'a str },
    /// What a turn took, as a rule.
    Receipt(Line),
    /// The name of the program, and lines about the session that begins.
    Welcome { title: &'a str, text: &'a str },
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
                Self::Call(FinishedCall { name, input, is_error, took: "", result, stored, excerpt: None })
            }
            Earlier::Notice(text) => Self::Notice(text),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::User(_) => Kind::User,
            Self::Answer(_) => Kind::Answer,
            Self::Call(_) | Self::Reads(_) => Kind::Call,
            Self::Thought(_)
            | Self::Thinking(_)
            | Self::Notice(_)
            | Self::Memory(_)
            | Self::Warning(_)
            | Self::Problem(_)
            | Self::Failure { .. }
            | Self::Welcome { .. } => Kind::Notice,
            Self::Page { .. } => Kind::Page,
            Self::Receipt(_) => Kind::Receipt,
        }
    }

    /// Its lines. `whole`: nothing is left out of inputs and results.
    pub(super) fn lines(self, columns: usize, whole: bool) -> Vec<Line> {
        match self {
            Self::User(text) => user(text, columns, if whole { usize::MAX } else { INPUT_LINES }),
            Self::Answer(lines) | Self::Memory(lines) | Self::Reads(lines) => lines,
            Self::Call(call) => call.lines(columns, whole),
            Self::Thinking(text) => {
                let style = DIM.add_modifier(Modifier::ITALIC);
                marked("∴ ", style, style, &text.replace("**", ""), columns)
            }
            Self::Thought(line) | Self::Receipt(line) => vec![line],
            Self::Notice(text) => marked("· ", DIM, DIM, text, columns),
            Self::Warning(text) => marked("! ", PLAIN.fg(WAIT), DIM, text, columns),
            Self::Problem(text) => marked("! ", BOLD.fg(BAD), PLAIN.fg(BAD), text, columns),
            Self::Failure { what, advice } => {
                let mut lines = marked("! ", BOLD.fg(BAD), PLAIN.fg(BAD), what, columns);
                lines.extend(marked("  ", PLAIN, PLAIN, advice, columns));
                lines
            }
            Self::Page { title, text } => page(title, text, columns),
            Self::Welcome { title, text } => welcome(title, text, columns),
        }
    }
}

fn user(text: &str, columns: usize, most: usize) -> Vec<Line> {
    let text = visible(text);
    let all = text.lines().count();
    let mut lines = Vec::new();
    let prompt = Line::styled(PROMPT, BOLD.fg(ACCENT));
    let next = Line::plain("  ");
    // A mark in place of one line would hide it for nothing.
    let most = if all == most.saturating_add(1) { all } else { most };
    for (index, line) in text.lines().take(most).enumerate() {
        let start = if index == 0 { &prompt } else { &next };
        lines.extend(wrap_hanging(start, &next, &Line::styled(line, BOLD), columns));
    }
    if all > most {
        lines.push(Line::styled(format!("  ⋯ {}", counted((all - most) as u64, "line")), DIM));
    }
    lines.into_iter().map(|line| line.on(USER_GROUND)).collect()
}

/// A text behind a mark in the column of machinery.
fn marked(mark: &str, mark_style: Style, style: Style, text: &str, columns: usize) -> Vec<Line> {
    let text = stripped(text);
    let mut lines = Vec::new();
    let next = Line::plain("    ");
    for (index, line) in text.lines().enumerate() {
        let start = if index == 0 { Line::plain("  ").then(mark, mark_style) } else { next.clone() };
        lines.extend(wrap_hanging(&start, &next, &Line::styled(line, style), columns));
    }
    lines
}

/// The mark of the program: a line with the sign of what the engine does in it.
fn welcome(title: &str, text: &str, columns: usize) -> Vec<Line> {
    let style = PLAIN.fg(ACCENT);
    let (name, version) = title.split_once(' ').unwrap_or((title, ""));
    let first =
        Line::styled("━━◆━━ ", style).then(stripped(name), BOLD).then(format!(" {}", stripped(version)), DIM);
    let next = Line::plain("      ");
    let text = stripped(text);
    let rest = text.lines().flat_map(|line| wrap_hanging(&next, &next, &Line::styled(line, DIM), columns));
    std::iter::once(first).chain(rest).collect()
}
