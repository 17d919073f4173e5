//! The steps of the work at hand, as the model keeps them.

use std::fmt;

use serde::{Deserialize, Serialize};
use throughline_conversation::ToolCall;

/// Name of the tool that replaces the list.
pub const CHECKLIST_TOOL: &str = "update_checklist";

/// Most steps of a list.
const MOST_STEPS: usize = 100;

/// Most bytes of a step's text.
const MOST_TEXT: usize = 500;

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Completed,
}

/// One step. It is written as a handoff reads it: `{"description": …, "status": "completed"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChecklistStep {
    /// What is to be done, in one line.
    pub description: String,
    /// How far it is.
    pub status: StepStatus,
}

/// A list of steps of which at most one is being worked on. It displays as a Markdown list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Checklist {
    steps: Vec<ChecklistStep>,
}

/// Why steps are no checklist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChecklistError {
    /// There are too many.
    #[error("the list has {0} steps; at most {MOST_STEPS} are kept: join some of them")]
    TooMany(usize),
    /// A step says nothing.
    #[error("step {0} has no description; say what is to be done, or leave it out")]
    Empty(usize),
    /// A step says too much.
    #[error("the description of step {0} has more than {MOST_TEXT} bytes; say it in one short line")]
    TooLong(usize),
    /// More than one step is being worked on.
    #[error(
        "steps {0} and {1} are both in_progress; at most one may be: set the other to pending or completed"
    )]
    TwoInProgress(usize, usize),
}

impl Checklist {
    /// A list of these steps. White space in a description becomes single blanks.
    ///
    /// # Errors
    /// [`ChecklistError`], with the number of the step, from 1.
    pub fn new(steps: Vec<ChecklistStep>) -> Result<Self, ChecklistError> {
        if steps.len() > MOST_STEPS {
            return Err(ChecklistError::TooMany(steps.len()));
        }
        let mut working = None;
        let mut checked = Vec::with_capacity(steps.len());
        for (step, number) in steps.into_iter().zip(1..) {
            let description = step.description.split_whitespace().collect::<Vec<_>>().join(" ");
            match description.len() {
                0 => return Err(ChecklistError::Empty(number)),
                bytes if bytes > MOST_TEXT => return Err(ChecklistError::TooLong(number)),
                _ => {}
            }
            if step.status == StepStatus::InProgress
                && let Some(other) = working.replace(number)
            {
                return Err(ChecklistError::TwoInProgress(other, number));
            }
            checked.push(ChecklistStep { description, ..step });
        }
        Ok(Self { steps: checked })
    }

    /// The list that a call sets. `None`: the call is another, or has no valid list.
    #[must_use]
    pub fn of_call(call: &ToolCall) -> Option<Self> {
        if call.name != CHECKLIST_TOOL {
            return None;
        }
        Self::new(Vec::deserialize(call.input.get("items")?).ok()?).ok()
    }

    /// The steps.
    #[must_use]
    pub fn steps(&self) -> &[ChecklistStep] {
        &self.steps
    }

    /// How many are done.
    #[must_use]
    pub fn completed(&self) -> usize {
        self.steps.iter().filter(|step| step.status == StepStatus::Completed).count()
    }

    /// The step that is being worked on.
    #[must_use]
    pub fn current(&self) -> Option<&ChecklistStep> {
        self.steps.iter().find(|step| step.status == StepStatus::InProgress)
    }
}

impl fmt::Display for Checklist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            let mark = match step.status {
                StepStatus::Pending => ' ',
                StepStatus::InProgress => '~',
                StepStatus::Completed => 'x',
            };
            writeln!(f, "- [{mark}] {}", step.description)?;
        }
        write!(f, "[{} of {} steps completed]", self.completed(), self.steps.len())
    }
}

#[cfg(test)]
mod tests;
