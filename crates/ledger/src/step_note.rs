//! The steps of the work, as the model's newest checklist has them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::lines::one_line;

/// One step of a checklist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepNote {
    /// The step in one line.
    pub description: String,
    /// How far it is: `completed`, or another word while it is not.
    pub status: String,
}

const DONE: &str = "completed";
const BEGUN: &str = "in_progress";

impl StepNote {
    /// Returns true if the step is not completed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.status != DONE
    }

    /// The step as a line of a Markdown list, without the dash.
    pub(crate) fn line(&self) -> String {
        let mark = match self.status.as_str() {
            DONE => 'x',
            BEGUN => '~',
            _ => ' ',
        };
        format!("[{mark}] {}", self.description)
    }

    /// Reads back what [`StepNote::line`] wrote.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (mark, description) = line.strip_prefix('[')?.split_once("] ")?;
        let status = match mark {
            "x" => DONE,
            "~" => BEGUN,
            " " => "pending",
            _ => return None,
        };
        Some(Self { description: description.to_owned(), status: status.to_owned() })
    }
}

/// Argument names under which tools take a checklist.
const LISTS: &[&str] = &["items", "todos", "plan"];
/// Names of the field with a step's text.
const TEXTS: &[&str] = &["description", "content", "step"];

/// The checklist that a call sets, whole and in order. `None`: it sets none.
#[must_use]
pub fn checklist(call: &ToolCall) -> Option<Vec<StepNote>> {
    let steps = LISTS.iter().find_map(|key| call.input.get(*key)?.as_array())?;
    steps.iter().map(step).collect()
}

fn step(value: &Value) -> Option<StepNote> {
    let description = TEXTS.iter().find_map(|key| value.get(*key)?.as_str())?;
    let status = value.get("status")?.as_str()?;
    Some(StepNote { description: one_line(description), status: one_line(status) })
}
