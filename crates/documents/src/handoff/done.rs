//! The part of the ledger that a handoff holds.

use serde::{Deserialize, Serialize};
use throughline_ledger::{CommandNote, ErrorNote, FileNote, Ledger, Milestone, was_not_run};

/// Maximum number of changed files.
const FILES: usize = 50;
/// Maximum number of commands.
const COMMANDS: usize = 10;
/// Maximum number of open errors.
const ERRORS: usize = 10;
/// Maximum number of milestones.
const MILESTONES: usize = 10;

/// The latest entries of a session's ledger. Each list has the latest last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HandoffLedger {
    /// The files that were changed last.
    pub files: Vec<FileNote>,
    /// The commands that were run last.
    pub commands: Vec<CommandNote>,
    /// The last errors that did not go away.
    pub errors: Vec<ErrorNote>,
    /// What commands have finished last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub milestones: Vec<Milestone>,
}

impl HandoffLedger {
    /// `None`: the ledger has no such entries.
    pub(super) fn of(ledger: &Ledger) -> Option<Self> {
        let latest = Self {
            files: last(FILES, ledger.files.iter().filter(|note| note.is_changed())),
            commands: last(COMMANDS, ledger.commands.iter()),
            errors: last(ERRORS, ledger.errors.iter().filter(|note| is_open(note))),
            milestones: last(MILESTONES, ledger.milestones.iter()),
        };
        (latest != Self::default()).then_some(latest)
    }
}

/// Returns true for an error that is still to be dealt with: no call that was not allowed.
fn is_open(note: &ErrorNote) -> bool {
    !note.resolved && !was_not_run(&note.text)
}

fn last<'n, T: Clone + 'n>(most: usize, notes: impl DoubleEndedIterator<Item = &'n T>) -> Vec<T> {
    let mut last: Vec<T> = notes.rev().take(most).cloned().collect();
    last.reverse();
    last
}
