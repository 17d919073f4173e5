//! From the log to the view.

use crate::{Record, TokenCounter, View, ViewError};

/// What the model sees of a log: its messages as its edits show them.
///
/// Same records, same view: a snapshot is only this, kept. Records come in order.
///
/// # Errors
/// [`ViewError`] when records are out of order or an edit does not fit what comes before it: the log is
/// damaged at that record.
pub fn project<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    counter: &dyn TokenCounter,
) -> Result<View, ViewError> {
    let mut view = View::default();
    for record in records {
        view.apply(record, counter)?;
    }
    Ok(view)
}
