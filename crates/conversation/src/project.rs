//! From the log to the view.

use crate::ids::Seq;
use crate::outline::Outline;
use crate::record::Record;
use crate::tokens::TokenCounter;
use crate::view::{View, ViewError};

/// A log that is damaged at a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {seq} does not fit what comes before it")]
pub struct ProjectError {
    /// The record.
    pub seq: Seq,
    /// What does not fit.
    pub source: ViewError,
}

/// Projects a log to the view that the model sees: its messages with its edits applied, without the groups that its
/// marks hide.
///
/// Deterministic: the same records give the same view, so a snapshot is only a cache. Records must come in order, from
/// the first one.
///
/// # Errors
/// [`ProjectError`] if records are out of order or an edit does not fit the records before it: the log is damaged at
/// that record.
pub fn project<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    counter: &dyn TokenCounter,
) -> Result<View, ProjectError> {
    let records: Vec<&Record> = records.into_iter().collect();
    let outline = Outline::of(&records);
    let mut view = View::under(&outline.groups);
    for record in records {
        let taken = if outline.any() {
            view.apply_under(record, &outline, counter)
        } else {
            view.apply(record, counter)
        };
        taken.map_err(|source| ProjectError { seq: record.seq, source })?;
    }
    Ok(view)
}
