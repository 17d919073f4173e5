//! Refuses identical calls that a model repeats without end.

use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::output::ToolOutput;

/// Number of identical calls in a row that run. The next one is refused.
const IDENTICAL_CALLS: u32 = 5;

/// Counts identical calls in a row.
///
/// Two calls are identical when they name the same tool and their arguments are the same JSON value; the order of an
/// object's keys makes no difference. Any other call resets the count. Each session has its own guard, which stores the
/// last call only.
#[derive(Debug, Clone, Default)]
pub struct RepetitionGuard {
    last: Option<(String, Value)>,
    /// How often the last call was made in a row, including refused calls.
    count: u32,
}

/// The decision about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The call runs.
    Run,
    /// The call does not run. The text is its output for the model.
    Refuse(String),
}

impl RepetitionGuard {
    /// A guard for a new session.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Decides about the next call. Calls must be observed in the order in which the model made them.
    pub fn observe(&mut self, call: &ToolCall) -> Verdict {
        let same = self.last.as_ref().is_some_and(|(name, input)| *name == call.name && *input == call.input);
        if !same {
            self.last = Some((call.name.clone(), call.input.clone()));
            self.count = 0;
        }
        self.count = self.count.saturating_add(1);
        if self.count <= IDENTICAL_CALLS {
            return Verdict::Run;
        }
        let times = (self.count - 1).to_string();
        let text = include_str!("repetition.md").trim_end();
        Verdict::Refuse(text.replace("{count}", &times).replace("{name}", &call.name))
    }
}

impl Verdict {
    /// The output of a refused call; `None` if the call runs.
    #[must_use]
    pub fn refusal(self) -> Option<ToolOutput> {
        match self {
            Self::Run => None,
            Self::Refuse(text) => Some(ToolOutput::error(text)),
        }
    }
}

#[cfg(test)]
mod tests;
