//! A model that makes the same call again and again is told so, instead of being given the same answer once more.

use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::ToolOutput;

/// Identical calls in a row that are run. The next one is refused.
pub const IDENTICAL_CALLS: u32 = 5;

/// Counts identical calls, one after the other.
///
/// Two calls are identical when they name the same tool and their arguments are the same JSON value; the order of an
/// object's keys makes no difference. Any other call in between starts the count anew. One guard watches one session;
/// it keeps no more than the last call.
#[derive(Debug, Clone, Default)]
pub struct RepetitionGuard {
    last: Option<(String, Value)>,
    /// How often the last call was made in a row, the refused ones included.
    count: u32,
}

/// Whether a call is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is.
    Run,
    /// It is not, and this is what the model is told instead.
    Refuse(String),
}

impl RepetitionGuard {
    /// A guard that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next call, in the order in which the model made them, and says whether it is run.
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
    /// What stands in for the call's output; `None` when the call is run.
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
