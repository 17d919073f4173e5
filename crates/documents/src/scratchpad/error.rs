//! What can go wrong with a document. The texts are for the model.

use throughline_conversation::{DocumentName, Seq};
use throughline_text::group_thousands;

/// A document would be over its cap. It is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the {document} would have {} bytes and may have {}; it stays unchanged. Shorten it and write it again: leave out \
     finished steps and whatever is in files or tool results",
    group_thousands(*size as u64),
    group_thousands(*cap as u64)
)]
pub struct TooLarge {
    /// Which document.
    pub document: DocumentName,
    /// Bytes that it would have.
    pub size: usize,
    /// Bytes that it may have.
    pub cap: usize,
}

impl TooLarge {
    pub(crate) fn scratchpad(size: usize, cap: usize) -> Self {
        Self { document: DocumentName::Scratchpad, size, cap }
    }
}

/// Why the scratchpad was not read or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScratchpadError {
    /// The input has another form than the tool's schema.
    #[error("the input of manage_scratchpad is not valid: {0}")]
    Input(String),
    /// There is no such action.
    #[error("manage_scratchpad has no action {0:?}; use one of: read, update, append, section")]
    UnknownAction(String),
    /// The document was changed since it was read.
    #[error(
        "the scratchpad is at revision {current} and not at {expected}: it was changed since. Read it again, then \
         write with expected_revision {current}"
    )]
    Conflict {
        /// The revision that the input names.
        expected: Seq,
        /// The revision in force.
        current: Seq,
    },
    /// The document would be over its cap.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}
