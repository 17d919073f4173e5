//! The turn on the screen: whether an input is with the session, and what is known of the work on it.

mod activity;

use std::time::{Duration, Instant};

use crate::calls::elapsed;
use crate::program_status::ProgramState;
use crate::status::short_number;

/// Turns shorter than this print no line about their duration.
const LONG_TURN: Duration = Duration::from_secs(10);

/// How a turn ends, as far as is known. The greater one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Completed,
    Failed,
    Interrupted,
}

/// What the session does in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Working,
    Compacting,
}

/// The state of the turn.
#[derive(Debug)]
pub(crate) enum Turn {
    /// No input is with the session.
    Idle {
        /// A turn has run before.
        has_run: bool,
    },
    /// An input was sent, and the session has not reported work on it.
    Sent { has_run: bool, outcome: Outcome },
    /// The session has reported work.
    Running(RunningTurn),
}

/// A turn that runs.
#[derive(Debug)]
pub(crate) struct RunningTurn {
    phase: Phase,
    since: Instant,
    outcome: Outcome,
    /// Why the newest request was retried; `None`: it was not.
    retried: Option<String>,
    /// Output tokens of its requests.
    output: u64,
}

/// A turn that has ended.
#[derive(Debug)]
pub(crate) struct EndedTurn {
    pub(crate) outcome: Outcome,
    /// Its duration and output tokens; `None`: the session did no work on it.
    work: Option<(Duration, u64)>,
}

impl Default for Turn {
    fn default() -> Self {
        Self::Idle { has_run: false }
    }
}

impl Turn {
    /// Returns true while an input is with the session.
    pub(crate) fn is_busy(&self) -> bool {
        !matches!(self, Self::Idle { .. })
    }

    /// Returns true once the session has reported work, until it is done.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self, Self::Running(_))
    }

    /// Returns true if nothing was sent yet.
    pub(crate) fn is_fresh(&self) -> bool {
        matches!(self, Self::Idle { has_run: false })
    }

    pub(crate) fn is_compacting(&self) -> bool {
        matches!(self, Self::Running(turn) if turn.phase == Phase::Compacting)
    }

    pub(crate) fn program_state(&self) -> ProgramState {
        match self {
            Self::Idle { has_run: false } => ProgramState::Idle,
            Self::Idle { has_run: true } => ProgramState::Done,
            Self::Sent { .. } | Self::Running(_) => ProgramState::Working,
        }
    }

    /// An input was sent.
    pub(crate) fn send(&mut self) {
        if let Self::Idle { has_run } = *self {
            *self = Self::Sent { has_run, outcome: Outcome::Completed };
        }
    }

    /// The session reports work.
    pub(crate) fn run(&mut self, phase: Phase, now: Instant) {
        let outcome = match self {
            Self::Running(turn) => {
                turn.phase = phase;
                return;
            }
            Self::Sent { outcome, .. } => *outcome,
            Self::Idle { .. } => Outcome::Completed,
        };
        *self = Self::Running(RunningTurn { phase, since: now, outcome, retried: None, output: 0 });
    }

    /// A request was answered with this number of output tokens.
    pub(crate) fn count_answer(&mut self, output: u64) {
        if let Self::Running(turn) = self {
            turn.retried = None;
            turn.output = turn.output.saturating_add(output);
        }
    }

    /// The request is retried. Returns true if the previous try failed for the same cause.
    pub(crate) fn retry(&mut self, cause: &str) -> bool {
        let Self::Running(turn) = self else { return false };
        let repeated = turn.retried.as_deref() == Some(cause);
        turn.retried = Some(cause.to_owned());
        repeated
    }

    /// Something went wrong.
    pub(crate) fn fail(&mut self) {
        self.end_as(Outcome::Failed);
    }

    /// The user interrupts. Returns true if the session has to learn it.
    pub(crate) fn interrupt(&mut self) -> bool {
        let known = matches!(self.outcome(), Some(Outcome::Interrupted));
        self.end_as(Outcome::Interrupted);
        !known
    }

    /// The session is done with the input.
    pub(crate) fn end(&mut self, now: Instant) -> EndedTurn {
        let outcome = self.outcome().unwrap_or(Outcome::Completed);
        let (has_run, work) = match self {
            Self::Idle { has_run } | Self::Sent { has_run, .. } => (*has_run, None),
            Self::Running(turn) => (true, Some((now.saturating_duration_since(turn.since), turn.output))),
        };
        *self = Self::Idle { has_run };
        EndedTurn { outcome, work }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Idle { .. } => None,
            Self::Sent { outcome, .. } | Self::Running(RunningTurn { outcome, .. }) => Some(*outcome),
        }
    }

    fn end_as(&mut self, known: Outcome) {
        if let Self::Sent { outcome, .. } | Self::Running(RunningTurn { outcome, .. }) = self {
            *outcome = known.max(*outcome);
        }
    }
}

impl EndedTurn {
    /// A line about a long turn.
    pub(crate) fn summary(&self) -> Option<String> {
        let (took, output) = self.work.filter(|(took, _)| *took >= LONG_TURN)?;
        let tokens = match output {
            0 => String::new(),
            output => format!(" · {} tokens written", short_number(output)),
        };
        Some(format!("worked for {}{tokens}", elapsed(took)))
    }
}

#[cfg(test)]
mod tests;
