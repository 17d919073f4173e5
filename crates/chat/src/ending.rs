//! The end of an interactive session, after the screen is closed.

use throughline_conversation::SessionId;

/// How an interactive session ended.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// The exit code.
    pub(super) code: u8,
    /// The session, if it can be continued.
    pub(super) session: Option<SessionId>,
    /// The option that finds the same data folder.
    pub(super) option: String,
    /// The options that reach the same server.
    pub(super) server: String,
    /// Problems at the end.
    pub(super) problems: Vec<String>,
}
