//! What is left to say when the screen is gone.

use throughline_conversation::SessionId;

/// How an interactive session ended.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// The code to end with.
    pub(super) code: u8,
    /// The session, when there is something to go on with.
    pub(super) session: Option<SessionId>,
    /// What to add to a command line to find the same data folder.
    pub(super) option: String,
    /// What went wrong at the very end.
    pub(super) problems: Vec<String>,
}
