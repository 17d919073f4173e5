//! How much a server may say, and how long it may take.

use std::time::Duration;

/// A call without a limit of its own.
pub(crate) const CALL: Duration = Duration::from_secs(120);

/// From the start of a server to the end of its list of tools. Package runners fetch the server the first time.
pub(crate) const START: Duration = Duration::from_secs(60);

/// How long a session waits for servers whose tools are not known yet.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// How long a server may take to end by itself, and again after it was asked to.
pub(crate) const END: Duration = Duration::from_secs(1);

/// One message of a server, in bytes.
pub(crate) const MESSAGE: usize = 16 * 1024 * 1024;

/// Tools of one server.
pub(crate) const TOOLS: usize = 1_000;

/// Pages of a list. A server that goes on for ever is cut off here at the latest.
pub(crate) const PAGES: usize = 100;

/// A description, in bytes.
pub(crate) const DESCRIPTION: usize = 8 * 1024;

/// The schema of a tool's arguments, in bytes. A larger one fits no window beside a conversation.
pub(crate) const SCHEMA: usize = 256 * 1024;

/// The text of one answer, in bytes.
pub(crate) const TEXT: usize = 8 * 1024 * 1024;

/// Pictures of one answer.
pub(crate) const IMAGES: usize = 20;

/// One picture in base64, in bytes: what providers take at most.
pub(crate) const IMAGE: usize = 5 * 1024 * 1024;

/// What a server said, as part of a message about it.
pub(crate) const SAID: usize = 500;

/// What a server writes to its error output, in bytes; the rest is read and thrown away.
pub(crate) const STDERR: usize = 256 * 1024;

/// The longest wait between two starts of a server that fails.
pub(crate) const BACK_OFF: Duration = Duration::from_secs(60);

/// The wait before the start that follows so many failures in a row: none after the first, then 1, 2, 4 … seconds.
pub(crate) fn back_off(failures: u32) -> Duration {
    match failures.checked_sub(2) {
        None => Duration::ZERO,
        Some(doublings) => Duration::from_secs(1 << doublings.min(6)).min(BACK_OFF),
    }
}

#[cfg(test)]
mod tests;
