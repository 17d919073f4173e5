//! The port for the output of a command while it runs.

use std::fmt::Debug;

/// Receives the output of a running command in parts. The output of the call contains all of it again.
///
/// # Contract
/// - MUST return at once: the command waits for it. An observer that is too slow drops output.
/// - MUST accept any bytes: a part may end within a character.
/// - MUST accept interleaved parts of several calls: calls run concurrently.
///
/// # When it fails
/// It cannot fail: what cannot be shown is dropped.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
pub trait OutputSink: Debug + Send + Sync {
    /// Receives the next part of the output of this call's command.
    fn output(&self, call_id: &str, part: &[u8]);
}

const _: Option<&dyn OutputSink> = None;
