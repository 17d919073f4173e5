//! Limits on the size and the time of what servers do.

use std::time::Duration;

/// Default time limit of a call.
pub(crate) const CALL: Duration = Duration::from_secs(120);

/// Maximum time for a call that its server turned into a task. Such a call may take as long as its own lifetime, up to this.
pub(crate) const TASK: Duration = Duration::from_secs(60 * 60);

/// Wait between two questions about a task whose server does not say.
pub(crate) const POLL: Duration = Duration::from_secs(1);

/// Least wait between two questions about a task.
pub(crate) const SHORTEST_POLL: Duration = Duration::from_millis(100);

/// Longest wait between two questions about a task: the user waits for the answer.
pub(crate) const LONGEST_POLL: Duration = Duration::from_secs(30);

/// Default time limit from the start of a server to its tool list. Package runners download the server the first time.
pub(crate) const START: Duration = Duration::from_secs(60);

/// Time that a session waits for servers whose tools are unknown.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// More time than that, so that a start that fails at its own limit is known to have failed.
pub(crate) const SLACK: Duration = Duration::from_millis(100);

/// Time that a server has to exit by itself, and again after SIGTERM.
pub(crate) const END: Duration = Duration::from_secs(1);

/// Maximum bytes of a message from a server.
pub(crate) const MESSAGE: usize = 16 * 1024 * 1024;

/// Maximum bytes of a question for the user, with its form. A person reads all of it.
pub(crate) const QUESTION: usize = 64 * 1024;

/// Maximum number of requests for one call, in each of which the server may ask something.
pub(crate) const QUESTION_ROUNDS: usize = 10;

/// Maximum number of tools of a server.
pub(crate) const TOOLS: usize = 1_000;

/// Maximum number of pages of a tool list, in case it has no end.
pub(crate) const PAGES: usize = 100;

/// Least time between two lists of tools, where the server says that a list holds for less.
pub(crate) const RELIST: Duration = Duration::from_secs(60);

/// Maximum number of skills of a server.
pub(crate) const SKILLS: usize = 64;

/// Maximum number of files of a skill.
pub(crate) const SKILL_FILES: usize = 200;

/// Maximum bytes of the files of all skills of a server.
pub(crate) const SKILL_BYTES: u64 = 8 * 1024 * 1024;

/// Maximum bytes of a description.
pub(crate) const DESCRIPTION: usize = 8 * 1024;

/// Maximum bytes of a tool's argument schema. A larger one would leave no room for a conversation.
pub(crate) const SCHEMA: usize = 256 * 1024;

/// Maximum bytes of text in a result.
pub(crate) const TEXT: usize = 8 * 1024 * 1024;

/// Maximum bytes of a quotation from a server in a message.
pub(crate) const QUOTE: usize = 500;

/// Maximum bytes that are logged of a server's standard error; the rest is read and dropped.
pub(crate) const STDERR: usize = 256 * 1024;

/// Longest wait before a request is made again that a server has not taken because it had too many.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(10);

/// Longest wait between two starts of a failing server.
pub(crate) const BACK_OFF: Duration = Duration::from_secs(60);

/// The wait after this many consecutive failures: none after the first, then 1, 2, 4 … seconds.
pub(crate) fn back_off(failures: u32) -> Duration {
    match failures.checked_sub(2) {
        None => Duration::ZERO,
        Some(doublings) => Duration::from_secs(1 << doublings.min(6)).min(BACK_OFF),
    }
}

#[cfg(test)]
mod tests;
