//! Why a turn failed.

use throughline_completion::{ModelError, RequestFault};
use throughline_text::{counted, error_chain, group_thousands};

use crate::compact_error::CompactError;
use crate::spending::SpendingError;

impl TurnError {
    /// One word for programs. It never holds anything of the session.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Model(error) => error.kind(),
            Self::DoesNotFit { .. } => "does_not_fit",
            Self::Compaction(error) => error.kind(),
            Self::InvalidRequest(_) => "invalid_request",
            Self::TooManyRequests(_) => "too_many_requests",
            Self::NoProgress(_) => "no_progress",
            Self::Spending(_) => "spending_limit",
            Self::Unsaved(_) => "unsaved",
            Self::Declined(_) => "declined",
            Self::EmptyMessage => "empty_message",
        }
    }

    /// A sentence on how to continue; `None` if nothing is known to help.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Model(error) if error.is_transient() => {
                Some("The provider could not answer then; the work can continue where it stopped.")
            }
            Self::DoesNotFit { .. } => Some("Something in the conversation was too large for the window."),
            Self::TooManyRequests(_) => Some("The turn was only cut off; continue with the next step."),
            Self::NoProgress(_) => Some(
                "The turn repeated or failed the same calls; continue with a smaller step or another way.",
            ),
            Self::Spending(_) => Some("Everything before is saved; the work continues under a higher limit."),
            Self::Unsaved(_) => Some("The calls were not run; continue when the session can be stored."),
            Self::Model(_) | Self::Compaction(_) | Self::InvalidRequest(_) => None,
            Self::Declined(_) | Self::EmptyMessage => None,
        }
    }
}

/// Why a turn failed. The step that failed has left the log unchanged, and the session can continue.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    /// The model failed.
    #[error("could not get an answer from the model")]
    Model(#[from] ModelError),
    /// Content that may not be cut does not fit the window.
    #[error(
        "the window of {} tokens is too small: {} tokens of system prompt and tools, {} of conversation that cannot be \
         cut ({what}) and {} reserved for output; all but the last must stay below {}; use a larger window, fewer tools or a \
         shorter message",
        group_thousands(*.window),
        group_thousands(*.fixed),
        group_thousands(*.smallest),
        group_thousands(*.reserved),
        group_thousands(*.below)
    )]
    DoesNotFit {
        /// The window.
        window: u64,
        /// Tokens reserved for output.
        reserved: u64,
        /// System prompt, skills and tools.
        fixed: u64,
        /// The smallest conversation that can be reached.
        smallest: u64,
        /// Tokens that both together must stay below, with the notes at the end of a request.
        below: u64,
        /// What it consists of.
        what: String,
    },
    /// A compaction failed, and the policy ends the turn then.
    #[error("{}", compaction_failed(.0))]
    Compaction(#[from] CompactError),
    /// The engine built a request that a provider would reject. It was not sent.
    #[error("the request is not valid and was not sent: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    InvalidRequest(Vec<RequestFault>),
    /// The turn reached its limit of requests.
    #[error(
        "stopped after {} in one turn; send another message to continue, or raise the limit",
        counted(*.0, "request")
    )]
    TooManyRequests(u64),
    /// The turn reached its limit of requests without progress.
    #[error(
        "stopped after {} in a row without progress: their calls failed, were cut off or repeated earlier ones; send a \
         message that says how to continue, or raise limits.stalled_requests",
        counted(*.0, "request")
    )]
    NoProgress(u64),
    /// This number of records cannot be stored, so the calls of the answer were not run.
    #[error(
        "stopped because {0} records of the session cannot be stored: what the calls did would be in no log"
    )]
    Unsaved(usize),
    /// A hook did not let the message in. The session does not have it.
    #[error("a hook declined the message: {0}")]
    Declined(String),
    /// The message says nothing. The session does not have it.
    #[error("the message has no text and no picture")]
    EmptyMessage,
    /// The next request may not be paid for. It was not sent.
    #[error(transparent)]
    Spending(#[from] SpendingError),
}

/// The failure with its cause. Some causes begin with the same words.
fn compaction_failed(error: &CompactError) -> String {
    let cause = error_chain(error);
    match cause.strip_prefix("compaction failed: ") {
        Some(_) => cause,
        None => format!("compaction failed: {cause}"),
    }
}
