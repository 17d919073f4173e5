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

/// A projection of a log that is read in pieces, so that it is never in memory as a whole.
///
/// Marks change how earlier records are shown. A log that has any is therefore read twice: first every record goes to
/// [`scan`](Projection::scan), then every record to [`apply`](Projection::apply), both times in order. A log without marks
/// need not be scanned.
#[derive(Debug, Default)]
pub struct Projection {
    outline: Outline,
    view: Option<View>,
}

impl Projection {
    /// Notes what a record's marks change. Returns true if the log has had a mark so far.
    pub fn scan(&mut self, record: &Record) -> bool {
        self.outline.scan(record);
        self.outline.any()
    }

    /// Applies the next record.
    ///
    /// # Errors
    /// [`ProjectError`] if the record is out of order, an edit does not fit what comes before it, or a mark was not scanned.
    /// The view is then the same as without the record.
    pub fn apply(&mut self, record: &Record, counter: &dyn TokenCounter) -> Result<(), ProjectError> {
        let outline = &self.outline;
        let view = self.view.get_or_insert_with(|| View::under(&outline.groups));
        let applied = if outline.any() {
            view.apply_under(record, outline, counter)
        } else {
            view.apply(record, counter)
        };
        applied.map_err(|source| ProjectError { seq: record.seq, source })
    }

    /// The view of the records that were applied; `None` before the first.
    #[must_use]
    pub fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }

    /// The view of the records that were applied.
    #[must_use]
    pub fn into_view(self) -> View {
        let outline = self.outline;
        self.view.unwrap_or_else(|| View::under(&outline.groups))
    }
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
    let mut projection = scanned(&records);
    for record in records {
        projection.apply(record, counter)?;
    }
    Ok(projection.into_view())
}

/// The same for a log with lost records: leaves out the records that do not fit without them, and returns why.
pub fn project_readable<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    counter: &dyn TokenCounter,
) -> (View, Vec<ProjectError>) {
    let records: Vec<&Record> = records.into_iter().collect();
    let mut projection = scanned(&records);
    let left_out = records.into_iter().filter_map(|record| projection.apply(record, counter).err()).collect();
    (projection.into_view(), left_out)
}

fn scanned(records: &[&Record]) -> Projection {
    let mut projection = Projection::default();
    for record in records {
        projection.scan(record);
    }
    projection
}
