//! The answers to a question, as a list with one chosen row.

use crate::clean::one_row;
use crate::layout::{break_at_width, cut_middle, width, wrap};
use crate::line::{BOLD, CHOSEN, DIM, Line, Modifier, PLAIN};
use crate::palette::WAIT;

/// Maximum rows of a rule.
pub(super) const RULE_ROWS: usize = 2;
/// Columns of the chosen row.
const CHOSEN_ROW: usize = 52;

pub(super) fn path_line(path: String) -> Line {
    Line::styled("path: ", DIM).then(path, PLAIN)
}

/// What is asked about a call of this tool.
pub(super) fn question(name: &str) -> &'static str {
    match name {
        "edit_file" | "multi_edit" => "Apply this edit?",
        "write_file" => "Write this file?",
        "shell" => "Run this command?",
        "fetch" => "Fetch this page?",
        _ => "Allow this call?",
    }
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

    /// Its letter, on the screen, and its digit. A digit means the same in every question.
    fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Once => ["y", "1"],
            Self::Always => ["a", "2"],
            Self::Deny => ["n", "3"],
            Self::DenyWithReason => ["e", "4"],
            Self::EditRule => ["p", "5"],
            Self::Stop => ["esc", "esc"],
        }
    }

    /// Returns true if this letter or digit gives the answer.
    pub(super) fn has_key(self, letter: char) -> bool {
        self != Self::Stop && self.keys().iter().any(|key| key.chars().eq(letter.to_lowercase()))
    }

    /// Returns true if it is used least: where there is little room, its key works and is not shown.
    pub(super) fn is_rare(self) -> bool {
        matches!(self, Self::DenyWithReason | Self::EditRule)
    }

    /// Returns true if it is in the last row, with the other keys.
    fn is_in_last_row(self) -> bool {
        matches!(self, Self::EditRule | Self::Stop)
    }

    /// What it does, on the screen. The end of a rule that is remembered permanently must be visible.
    fn label(self, rule: Option<&str>, columns: usize) -> String {
        match self {
            Self::Once => "yes".to_owned(),
            Self::Always => {
                format!("always {}", cut_middle(&one_row(rule.unwrap_or_default()), RULE_ROWS * columns))
            }
            Self::Deny => "no".to_owned(),
            Self::DenyWithReason => "no, and say why".to_owned(),
            Self::EditRule => "edit the rule".to_owned(),
            Self::Stop => "stop the turn".to_owned(),
        }
    }
}

/// Which keys are for the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    All,
    /// None yet.
    None,
    /// Those that move to it from a text in the input.
    Arrows,
}

/// The rows of the answers, the chosen one reversed; dim while letters do not give them.
pub(super) fn rows(
    answers: &[Answer],
    rule: Option<&str>,
    chosen: Answer,
    reach: Reach,
    columns: usize,
) -> Vec<Line> {
    let shielded = reach != Reach::All;
    let key_style = if shielded { DIM } else { BOLD.fg(WAIT) };
    let room = columns.saturating_sub(4).max(1);
    let mut lines = Vec::new();
    for answer in answers.iter().filter(|answer| !answer.is_in_last_row()) {
        let [key, _] = answer.keys();
        let text = answer.label(rule, room.saturating_sub(width("always ") + 3));
        let is_chosen = chosen == *answer && !shielded;
        let (mark, styles) = if is_chosen {
            ("› ", [CHOSEN, CHOSEN])
        } else {
            ("  ", [key_style, if shielded { DIM } else { PLAIN }])
        };
        let row = Line::styled(key, styles[0]).then(format!("  {text}"), styles[1]);
        for (index, piece) in break_at_width(&row, room).into_iter().enumerate() {
            let mut line = Line::plain("  ");
            line.add(if index == 0 { mark } else { "  " }, if is_chosen { CHOSEN } else { PLAIN });
            line.append(piece);
            let pad = if is_chosen { CHOSEN_ROW.min(columns).saturating_sub(line.width()) } else { 0 };
            lines.push(line.then(" ".repeat(pad), CHOSEN));
        }
    }
    lines.extend(last_row(answers, chosen, reach, columns));
    lines
}

/// The row of the other keys.
fn last_row(answers: &[Answer], chosen: Answer, reach: Reach, columns: usize) -> Vec<Line> {
    let mut line = Line::blank();
    let mut add = |key: &str, label: &str, style| {
        if !line.is_empty() {
            line.add(" · ", DIM);
        }
        line.add(format!("{key} {label}"), style);
    };
    let style = |answer| if chosen == answer { CHOSEN.add_modifier(Modifier::BOLD) } else { DIM };
    let is_draft = reach == Reach::Arrows;
    if is_draft {
        add("up or down", "to answer", DIM);
    }
    let others = answers.iter().copied().filter(|answer| answer.is_in_last_row());
    for answer in others.filter(|answer| !is_draft || *answer == Answer::Stop) {
        if answer == Answer::Stop && !is_draft {
            add("v", "show all", DIM);
        }
        let [key, _] = answer.keys();
        add(key, &answer.label(None, columns), style(answer));
    }
    let indented = |line| {
        let mut out = Line::plain("    ");
        Line::append(&mut out, line);
        out
    };
    wrap(&line, columns.saturating_sub(4).max(1)).into_iter().map(indented).collect()
}
