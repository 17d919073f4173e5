//! The turn on the screen: whether an input is with the session, and what is known of the work on it.

mod activity;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::program_status::ProgramState;

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
    /// The request that is sent again, until something of its answer comes.
    retry: Option<Retry>,
    /// Output tokens of its requests.
    output: u64,
    /// Its answered requests.
    answers: usize,
    calls: CallCounts,
}

/// A request that is sent again.
#[derive(Debug)]
struct Retry {
    cause: String,
    /// When it is sent; `None`: now.
    due: Option<Instant>,
}

/// The calls of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CallCounts {
    pub(crate) calls: usize,
    pub(crate) failed: usize,
    /// Calls that the user did not allow.
    pub(crate) refused: usize,
    /// Searches of the web, which are counted apart: each has a price.
    pub(crate) searches: usize,
    /// Paths of the files that calls named and changed.
    pub(crate) files: BTreeSet<String>,
    /// Paths of all files that were changed, also by commands, as far as that is reported.
    pub(crate) reported: BTreeSet<PathBuf>,
    /// Lines that came and went in them.
    pub(crate) plus: usize,
    pub(crate) minus: usize,
}

/// A turn that has ended.
#[derive(Debug)]
pub(crate) struct EndedTurn {
    pub(crate) outcome: Outcome,
    /// What was done; `None`: the session did no work on it.
    pub(crate) work: Option<TurnWork>,
}

/// The work of a turn that has ended.
#[derive(Debug)]
pub(crate) struct TurnWork {
    pub(crate) took: Duration,
    /// Requests that the model answered.
    pub(crate) answers: usize,
    pub(crate) calls: CallCounts,
    /// It was a compaction, which has a notice of its own.
    pub(crate) compacted: bool,
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
        *self = Self::Running(RunningTurn {
            phase,
            since: now,
            outcome,
            retry: None,
            output: 0,
            answers: 0,
            calls: CallCounts::default(),
        });
    }

    /// A request was answered with this number of output tokens.
    pub(crate) fn count_answer(&mut self, output: u64) {
        if let Self::Running(turn) = self {
            turn.retry = None;
            turn.answers += 1;
            turn.output = turn.output.saturating_add(output);
        }
    }

    /// The request is sent again, at `due` if that is known. Returns false if no turn runs.
    pub(crate) fn retry(&mut self, cause: String, due: Option<Instant>) -> bool {
        let Self::Running(turn) = self else { return false };
        turn.retry = Some(Retry { cause, due });
        true
    }

    /// Something of an answer has come.
    pub(crate) fn hear(&mut self) {
        if let Self::Running(turn) = self {
            turn.retry = None;
        }
    }

    /// A search of the web has ended.
    pub(crate) fn count_search(&mut self) {
        if let Self::Running(turn) = self {
            turn.calls.searches += 1;
        }
    }

    /// A call has ended. `changed`: the file that it changed, and the lines that came and went.
    pub(crate) fn count_call(&mut self, is_error: bool, changed: Option<(String, (usize, usize))>) {
        let Self::Running(turn) = self else { return };
        turn.calls.calls += 1;
        turn.calls.failed += usize::from(is_error);
        if let Some((path, (plus, minus))) = changed.filter(|_| !is_error) {
            turn.calls.files.insert(path);
            turn.calls.plus += plus;
            turn.calls.minus += minus;
        }
    }

    /// A call changed these files.
    pub(crate) fn count_files(&mut self, paths: Vec<PathBuf>) {
        if let Self::Running(turn) = self {
            turn.calls.reported.extend(paths);
        }
    }

    /// A call has ended that the user did not allow.
    pub(crate) fn count_refused(&mut self) {
        if let Self::Running(turn) = self {
            turn.calls.calls += 1;
            turn.calls.refused += 1;
        }
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
            Self::Running(turn) => {
                let took = now.saturating_duration_since(turn.since);
                let compacted = turn.phase == Phase::Compacting;
                let calls = std::mem::take(&mut turn.calls);
                (true, Some(TurnWork { took, answers: turn.answers, calls, compacted }))
            }
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

#[cfg(test)]
mod tests;
