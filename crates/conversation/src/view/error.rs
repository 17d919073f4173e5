//! Why a view rejects a record.

use crate::ids::{Seq, Span};

/// A record that does not fit the view. The view is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// No call or result of this id is in view.
    #[error("the edit names call {0}, which is not in view")]
    UnknownCall(String),
    /// The span holds no entry, or splits one.
    #[error("the edit covers records {first} to {last}, which are no whole entries of the view", first = .0.first, last = .0.last)]
    NotWhole(Span),
    /// The record is not the next one.
    #[error("record {found} follows record {last}; the log must be read in order")]
    OutOfOrder {
        /// The last record of the view.
        last: Seq,
        /// The record that was given.
        found: Seq,
    },
    /// The record changes how earlier records are shown: the view must be projected again from the whole log.
    #[error(
        "record {0} changes how earlier records are shown; the view must be projected again from the whole log"
    )]
    NeedsLog(Seq),
}
