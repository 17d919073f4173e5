//! What is decided about a call.

/// What is decided about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It runs.
    Allow {
        /// Why, for the user.
        because: String,
    },
    /// The user is asked.
    Ask {
        /// Why it is asked, for the user.
        why: String,
        /// The rule that would let such calls run from now on. `None`: no rule should.
        rule: Option<String>,
    },
    /// It does not run.
    Deny {
        /// Why, for the model.
        because: String,
    },
}
