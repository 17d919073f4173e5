//! The checkpoint that a session is resumed from.

use throughline_conversation::{CheckpointRecord, Groups, Record, RecordBody, Seq, SessionId};

use crate::log::{LogError, MessageLog, Part};
use crate::projected::Pages;

/// The newest checkpoint whose work is not undone; `None`: none was made. Its sums are those of the newest of all, because requests
/// of undone work were sent, too; if the work of all is undone, it has nothing but these sums. Only after an undo is more read than one record.
///
/// # Errors
/// The log cannot be read, or the newest checkpoint is damaged.
pub async fn live_checkpoint(
    log: &dyn MessageLog,
    session: &SessionId,
    groups: &Groups,
) -> Result<Option<CheckpointRecord>, LogError> {
    let holds = |record: &Record| !groups.status(record.exchange).reverts_documents();
    let Some(record) = log.newest(session, "checkpoint").await? else { return Ok(None) };
    let is_live = holds(&record);
    let Some(newest) = checkpoint_in(record) else { return Ok(None) };
    if is_live {
        return Ok(Some(newest));
    }
    let (mut found, mut pages) = (None, Pages::new(log, session, Part::All));
    while let Some(page) = pages.next().await? {
        found = page.records.into_iter().filter(holds).filter_map(checkpoint_in).last().or(found);
    }
    let CheckpointRecord { reason, iteration, input_tokens, output_tokens, .. } = newest;
    let found = found.unwrap_or_else(|| CheckpointRecord::new(reason, Seq(0)));
    Ok(Some(CheckpointRecord { iteration, input_tokens, output_tokens, ..found }))
}

fn checkpoint_in(record: Record) -> Option<CheckpointRecord> {
    match record.body {
        RecordBody::Checkpoint(checkpoint) => Some(*checkpoint),
        _ => None,
    }
}
