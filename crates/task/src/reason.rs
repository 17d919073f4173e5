//! Why a task has ended.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use throughline_text::span_text;

/// Why a task has ended. All but the first leave work open; a resumed task continues with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// The model says so, nothing is open and every gate has passed.
    Done,
    /// All iterations are used.
    MaxIterations {
        /// The limit.
        limit: u64,
    },
    /// The time is over.
    MaxTime {
        /// The limit in seconds.
        seconds: u64,
    },
    /// The model reports that it is blocked.
    Blocked {
        /// What is in the way, in the model's words.
        why: String,
    },
    /// The model's signals could not be read, several iterations in a row.
    Malformed {
        /// The last line that could not be read.
        line: String,
    },
    /// Several iterations in a row called no tool and changed nothing on the checklist.
    Stalled {
        /// How many.
        iterations: u32,
    },
    /// The model refuses to answer.
    Refused,
}

impl Reason {
    /// The reason in one word, for programs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::MaxIterations { .. } => "max_iterations",
            Self::MaxTime { .. } => "max_time",
            Self::Blocked { .. } => "blocked",
            Self::Malformed { .. } => "malformed",
            Self::Stalled { .. } => "stalled",
            Self::Refused => "refused",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => write!(out, "the task is done"),
            Self::MaxIterations { limit } => {
                write!(
                    out,
                    "the task is not done after {limit} iterations; raise max_iterations in its file to continue"
                )
            }
            Self::MaxTime { seconds } => {
                let span = span_text(Duration::from_secs(*seconds));
                write!(
                    out,
                    "the task is not done after {span} of work; raise max_time in its file to continue"
                )
            }
            Self::Blocked { why } => write!(out, "the task is blocked: {why}"),
            Self::Malformed { line } => {
                write!(
                    out,
                    "the model's signals could not be read, iteration after iteration; the last one is: {line}"
                )
            }
            Self::Stalled { iterations } => {
                write!(
                    out,
                    "nothing has happened for {iterations} iterations: no tool was called, no item changed"
                )
            }
            Self::Refused => write!(out, "the model refuses to answer"),
        }
    }
}
