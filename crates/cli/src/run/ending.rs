//! The exit codes of a run.

use throughline_session::RunEnding;

/// Exit codes for scripts. 0 is success.
pub(super) mod exit {
    /// Any other failure.
    pub(in crate::run) const FAILED: u8 = 1;
    /// Wrong usage.
    pub(in crate::run) const USAGE: u8 = crate::usage::USAGE;
    /// No model is configured, or its provider refuses the key or the account.
    pub(in crate::run) const NO_MODEL: u8 = 3;
    /// The provider is unavailable or limits the rate: the same command may succeed later.
    pub(in crate::run) const TRY_LATER: u8 = 4;
    /// A limit of this run was reached.
    pub(in crate::run) const LIMIT: u8 = 5;
    /// Interrupted; the session can be resumed.
    pub(in crate::run) const INTERRUPTED: u8 = 130;
    /// The reader of standard output is gone. Shells report this code for a program that SIGPIPE ended.
    pub(in crate::run) const UNREAD: u8 = 141;
}

/// The exit code of a run that ended this way.
pub(super) fn exit_code(ending: &RunEnding) -> u8 {
    match ending.kind {
        "done" | "nothing_to_do" => 0,
        // A hook may end a turn; a task is not done by that.
        RunEnding::STOPPED_BY_HOOK if ending.error.is_none() => 0,
        "unauthorized" | "unpaid" => exit::NO_MODEL,
        "try_later" | "empty_answer" | "broken_off" => exit::TRY_LATER,
        "limit" | "no_progress" | "cut_off" | "max_iterations" | "max_time" | "stalled" => exit::LIMIT,
        RunEnding::INTERRUPTED => exit::INTERRUPTED,
        _ => exit::FAILED,
    }
}
