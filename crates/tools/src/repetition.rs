//! Refuses calls that a model repeats without end, and says when a turn makes no progress.

mod stall;

use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::output::ToolOutput;
use stall::StallCounter;

/// Number of identical calls in a row that run. The next one is refused.
const IDENTICAL_CALLS: u32 = 5;

/// Counts identical calls in a row, and requests in a row without progress.
///
/// Two calls are identical when they name the same tool and their arguments are the same JSON value; the order of an
/// object's keys makes no difference. Any other call resets that count, and so does an answer that is not the one before.
///
/// A request makes progress when one of its calls is new in this turn and succeeds. With a limit on requests without
/// progress, calls that repeat an earlier call of the turn are refused from half of it on, and
/// [`stalled`](Self::stalled) reports the end of the limit. A request none of whose calls was run counts four times, one
/// whose calls fail for the first time or repeat earlier ones with new answers counts half.
#[derive(Debug, Clone, Default)]
pub struct RepetitionGuard {
    last: Option<(String, Value)>,
    /// How often the last call was made in a row, including refused calls.
    count: u32,
    stall: StallCounter,
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
    /// A guard for a new session. `limit`: requests in a row without progress after which a turn should end; `None` for no
    /// limit.
    #[must_use]
    pub fn new(limit: Option<u64>) -> Self {
        Self { stall: StallCounter::new(limit), ..Self::default() }
    }

    /// Forgets all calls: a new turn begins.
    pub fn begin_turn(&mut self) {
        *self = Self { stall: self.stall.restarted(), ..Self::default() };
    }

    /// Decides about the next call. Calls must be observed in the order in which the model made them.
    pub fn observe(&mut self, call: &ToolCall) -> Verdict {
        if !self.is_last(call) {
            self.last = Some((call.name.clone(), call.input.clone()));
            self.count = 0;
        }
        self.count = self.count.saturating_add(1);
        if self.count > IDENTICAL_CALLS {
            let text = include_str!("repetition.md").trim_end();
            return refuse(text, call, u64::from(self.count - 1));
        }
        if self.stall.refuses(call) {
            return refuse(include_str!("repetition/cycle.md").trim_end(), call, self.stall.requests());
        }
        Verdict::Run
    }

    /// Takes the output of a call that was run.
    pub fn note_output(&mut self, call: &ToolCall, output: &ToolOutput) {
        if self.stall.note_output(call, output) && self.is_last(call) {
            self.count = 1;
        }
    }

    fn is_last(&self, call: &ToolCall) -> bool {
        self.last.as_ref().is_some_and(|(name, input)| *name == call.name && *input == call.input)
    }

    /// Takes the end of a request whose calls all have a result.
    pub fn end_request(&mut self) {
        self.stall.end_request();
    }

    /// Takes the end of a request whose answer calls nothing. It counts if the turn continues all the same.
    pub fn end_without_calls(&mut self) {
        self.stall.note_no_call();
        self.stall.end_request();
    }

    /// The number of requests in a row without progress, if they have reached the limit.
    #[must_use]
    pub fn stalled(&self) -> Option<u64> {
        self.stall.stalled()
    }
}

fn refuse(text: &str, call: &ToolCall, count: u64) -> Verdict {
    Verdict::Refuse(text.replace("{count}", &count.to_string()).replace("{name}", &call.name))
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
