//! The decision about a call.

/// The decision about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The call runs.
    Allow {
        /// The reason, for the user.
        because: String,
    },
    /// The user must approve the call.
    Ask {
        /// The reason, for the user.
        why: String,
        /// A rule that would allow such calls from now on; `None` if none should be remembered.
        rule: Option<String>,
    },
    /// The call does not run.
    Deny {
        /// The reason, for the model.
        because: String,
    },
}
