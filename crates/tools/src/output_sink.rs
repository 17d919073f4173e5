//! The port to whoever watches a command while it runs.

use std::fmt::Debug;

/// Takes what a running command writes, as it comes. The answer of the call has it all again.
///
/// # Contract
/// - MUST return at once: the command waits for it. Keep the newest lines and drop the rest.
/// - MUST take any bytes: a part may end within a character.
/// - MUST take parts of several calls in turn: calls run side by side.
///
/// # When it fails
/// It does not: what cannot be shown is dropped.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
pub trait OutputSink: Debug + Send + Sync {
    /// Takes the next part of what the command of this call writes.
    fn output(&self, call_id: &str, part: &[u8]);
}

const _: Option<&dyn OutputSink> = None;
