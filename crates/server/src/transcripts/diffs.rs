//! What compactions of other agents took away. It is found on a thread of its own: in a long conversation that takes a while.

use std::sync::Arc;

use throughline_groups::{CompactionDiff, compaction_diff};
use throughline_policies::Estimator;

use super::read::TranscriptPart;
use super::reader::{OpenedTranscript, blocking};
use crate::answer::Failure;

/// What one compaction of a conversation took away.
pub(crate) async fn part_diff(part: &Arc<TranscriptPart>, number: u64) -> Result<CompactionDiff, Failure> {
    let part = Arc::clone(part);
    blocking(move || diff(&part, number)).await
}

/// The same of an opened file.
pub(crate) async fn opened_diff(opened: OpenedTranscript, number: u64) -> Result<CompactionDiff, Failure> {
    blocking(move || diff(opened.part()?, number)).await
}

fn diff(part: &TranscriptPart, number: u64) -> Result<CompactionDiff, Failure> {
    let log = part.log_with_needs();
    let counter = Estimator::default().counter();
    compaction_diff(&log.records, Some(number), counter.as_ref())
        .map_err(|error| Failure::missing(error.to_string()))
}
