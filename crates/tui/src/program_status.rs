//! Reports the state of the program to the terminal: working, done, or waiting for the user.
//!
//! The sequence is OSC 7501, the program status protocol, revision 0.4. A terminal that supports it answers a
//! query with the supported states; nothing is sent to one that does not answer.

/// The query, without its frame.
pub(crate) const QUERY: &str = "7501;?";

/// The state of the program for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgramState {
    /// Nothing was asked yet.
    Idle,
    /// It works.
    Working,
    /// It has an answer.
    Done,
    /// It waits for the approval of a call.
    Permission,
    /// It waits for a choice.
    Question,
}

impl ProgramState {
    /// The command to send, without its frame.
    pub(crate) fn command(self) -> String {
        let state = match self {
            Self::Idle => "state=idle",
            Self::Working => "state=working",
            Self::Done => "state=done",
            Self::Permission => "state=blocked:kind=permission",
            Self::Question => "state=blocked:kind=question",
        };
        format!("7501;{state}:app=throughline")
    }
}
