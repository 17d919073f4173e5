//! What the user types into a question: a reason for the model, or another rule.

use crossterm::event::{KeyCode, KeyEvent};
use throughline_permission::{Approval, Rule};

use crate::editor::Editor;
use crate::layout::wrap_hanging;
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::palette::BAD;

/// What the text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Denies the call for this reason.
    Reason,
    /// Allows all calls that this rule matches.
    Rule,
}

/// A text that is being typed.
#[derive(Debug)]
pub(super) struct TypedAnswer {
    purpose: Purpose,
    editor: Editor,
    /// Why the rule cannot be used.
    fault: Option<String>,
}

/// What a key did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TypedOutcome {
    /// The text may have changed.
    Stay,
    /// Back to the answers.
    Back,
    /// This is the answer.
    Answer(Approval),
}

/// Its rows, and the place of the cursor: rows above the last one, and the column.
#[derive(Debug)]
pub(super) struct TypedLines {
    pub(super) lines: Vec<Line>,
    pub(super) cursor: (usize, usize),
}

impl TypedAnswer {
    /// A reason to deny a call.
    pub(super) fn reason() -> Self {
        Self { purpose: Purpose::Reason, editor: Editor::default(), fault: None }
    }

    /// A rule, which begins as this one.
    pub(super) fn rule(from: &str) -> Self {
        let mut editor = Editor::default();
        editor.insert(from);
        Self { purpose: Purpose::Rule, editor, fault: None }
    }

    pub(super) fn paste(&mut self, text: &str) {
        self.editor.paste(&text.replace('\n', " "));
        self.fault = None;
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> TypedOutcome {
        match key.code {
            KeyCode::Esc => return TypedOutcome::Back,
            KeyCode::Enter => return self.enter(),
            _ => self.editor.line_key(key),
        }
        self.fault = None;
        TypedOutcome::Stay
    }

    fn enter(&mut self) -> TypedOutcome {
        let text = self.editor.full_text().trim().to_owned();
        match self.purpose {
            Purpose::Reason => {
                let feedback = (!text.is_empty()).then_some(text);
                TypedOutcome::Answer(Approval::Deny { feedback })
            }
            Purpose::Rule if text.is_empty() => TypedOutcome::Back,
            Purpose::Rule => match Rule::parse(&text) {
                Ok(rule) => TypedOutcome::Answer(Approval::AlwaysBy(rule.text().to_owned())),
                Err(error) => {
                    self.fault = Some(error.why);
                    TypedOutcome::Stay
                }
            },
        }
    }

    pub(super) fn lines(&self, columns: usize) -> TypedLines {
        let (start, keys) = match self.purpose {
            Purpose::Reason => ("  No, because: ", "enter sends it to the model · esc back"),
            Purpose::Rule => {
                ("  Always allow: ", "enter allows what the rule matches, from now on · esc back")
            }
        };
        let place = self.editor.rows(columns.saturating_sub(start.len()).max(2));
        let mut lines = Vec::new();
        for (index, row) in place.rows.iter().enumerate() {
            let before = if index == 0 { start.to_owned() } else { " ".repeat(start.len()) };
            lines.push(Line::styled(before, BOLD).then(row, PLAIN));
        }
        let behind = lines.len() - 1 - place.row;
        let (mut below, indent) = (Vec::new(), Line::plain("  "));
        if let Some(fault) = &self.fault {
            below.extend(wrap_hanging(&indent, &indent, &Line::styled(fault, PLAIN.fg(BAD)), columns));
        }
        below.extend(wrap_hanging(&indent, &indent, &Line::styled(keys, DIM), columns));
        let cursor = (behind + below.len(), start.len() + place.column);
        lines.extend(below);
        TypedLines { lines, cursor }
    }
}
