//! What a terminal is told of the program: whether it works, is done, or waits for its user.
//!
//! The sequence is OSC 7501, the program status protocol, revision 0.4. A terminal that knows it answers a query with
//! the states that it takes; nothing is sent to one that does not answer.

/// The query, without its frame.
pub(crate) const QUERY: &str = "7501;?";

/// What the program does, as its user sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgramState {
    /// Nothing was asked yet.
    Idle,
    /// It works.
    Working,
    /// It has an answer.
    Done,
    /// It waits for a word about a call.
    Permission,
    /// It waits for a choice.
    Question,
}

impl ProgramState {
    /// What is sent, without its frame.
    pub(crate) fn told(self) -> String {
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
