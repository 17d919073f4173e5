//! The lines of a question: its title and the keys that answer it.

use crate::clean::visible;
use crate::layout::{break_at_width, cut_middle, width};
use crate::line::{BOLD, CHOSEN, Color, DIM, Line, Modifier, PLAIN};

/// Ends a question.
const ASKS: &str = "?";
/// Maximum rows of a rule.
pub(super) const RULE_ROWS: usize = 2;

/// The question on one line, and true if the path in it is complete. A path that is too long is shortened in the middle.
pub(super) fn title(name: &str, path: Option<&str>, more: usize, columns: usize) -> (Line, bool) {
    let more = if more > 0 { format!("  ({more} more)") } else { String::new() };
    let mut title = Line::styled("Allow ", BOLD.fg(Color::Yellow)).then(one_row(name), BOLD);
    let mut is_whole = true;
    if let Some(path) = path {
        let room = columns.saturating_sub(title.width() + 1 + width(ASKS) + width(&more));
        is_whole = width(path) <= room;
        title.add(format!(" {}", cut_middle(path, room)), PLAIN);
    }
    title.add(ASKS, BOLD.fg(Color::Yellow));
    title.add(&more, DIM);
    (title, is_whole)
}

pub(super) fn path_line(path: String) -> Line {
    Line::styled("path: ", DIM).then(path, PLAIN)
}

/// A text on one line.
pub(super) fn one_row(text: &str) -> String {
    visible(text).replace('\n', " ")
}

/// An answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Once,
    Always,
    Deny,
    DenyWithReason,
    EditRule,
    Stop,
}

impl Answer {
    pub(super) const ALL: [Self; 6] =
        [Self::Once, Self::Always, Self::Deny, Self::DenyWithReason, Self::EditRule, Self::Stop];

    /// Returns true if it needs a rule that can be remembered.
    pub(super) fn needs_rule(self) -> bool {
        matches!(self, Self::Always | Self::EditRule)
    }

    /// The shown keys. A digit means the same in every question.
    fn keys(self) -> &'static str {
        match self {
            Self::Once => "y/1",
            Self::Always => "a/2",
            Self::Deny => "n/3",
            Self::DenyWithReason => "e/4",
            Self::EditRule => "p/5",
            Self::Stop => "esc",
        }
    }

    /// Returns true if this letter or digit gives the answer.
    pub(super) fn has_key(self, letter: char) -> bool {
        self != Self::Stop && self.keys().split('/').any(|key| key.chars().eq(letter.to_lowercase()))
    }

    /// What it does, on the screen. The end of a rule that is remembered permanently must be visible.
    fn label(self, rule: Option<&str>, columns: usize) -> String {
        match self {
            Self::Once => "yes".to_owned(),
            Self::Always => {
                format!("always {}", cut_middle(&one_row(rule.unwrap_or_default()), RULE_ROWS * columns))
            }
            Self::Deny => "no".to_owned(),
            Self::DenyWithReason => "no, because…".to_owned(),
            Self::EditRule => "edit the rule…".to_owned(),
            Self::Stop => "stop".to_owned(),
        }
    }
}

/// The keys that answer, the chosen answer marked; dim while they are not active yet.
pub(super) fn keys(
    answers: &[Answer],
    rule: Option<&str>,
    chosen: Option<Answer>,
    shielded: bool,
    columns: usize,
) -> Vec<Line> {
    let style = if shielded { DIM } else { BOLD.fg(Color::Green) };
    let mut lines: Vec<Line> = Vec::new();
    for answer in answers {
        let text = if chosen == Some(*answer) { CHOSEN.add_modifier(Modifier::BOLD) } else { PLAIN };
        let part = Line::styled(answer.keys(), style).then(format!(" {}", answer.label(rule, columns)), text);
        match lines.last_mut() {
            Some(line) if line.width() + 3 + part.width() <= columns => {
                line.add("   ", PLAIN);
                line.append(part);
            }
            _ => lines.extend(break_at_width(&part, columns)),
        }
    }
    lines
}
