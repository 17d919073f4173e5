//! A checklist: the steps of the current work.

use std::fmt;

use serde::Deserialize;

/// Maximum number of steps of a list.
const MOST_STEPS: usize = 100;

/// Maximum bytes of a step's text.
const MOST_TEXT: usize = 500;

/// The state of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StepStatus {
    Pending,
    InProgress,
    Completed,
}

/// One step. Its JSON form `{"description": …, "status": "completed"}` is the one that handoffs read.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChecklistStep {
    description: String,
    status: StepStatus,
}

/// A list of steps of which at most one is in progress. Displays as a Markdown list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Checklist {
    steps: Vec<ChecklistStep>,
}

/// Why steps are not a valid checklist.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ChecklistError {
    #[error("the list has {0} steps; at most {MOST_STEPS} are kept: join some of them")]
    TooMany(usize),
    #[error("step {0} has no description; say what is to be done, or leave it out")]
    Empty(usize),
    #[error("the description of step {0} has more than {MOST_TEXT} bytes; say it in one short line")]
    TooLong(usize),
    #[error(
        "steps {0} and {1} are both in_progress; at most one may be: set the other to pending or completed"
    )]
    TwoInProgress(usize, usize),
}

impl Checklist {
    /// Validates the steps. Runs of white space in a description become single spaces.
    ///
    /// # Errors
    /// [`ChecklistError`], with the number of the step, from 1.
    pub(super) fn new(steps: Vec<ChecklistStep>) -> Result<Self, ChecklistError> {
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

    fn completed(&self) -> usize {
        self.steps.iter().filter(|step| step.status == StepStatus::Completed).count()
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
