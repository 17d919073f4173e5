//! The law of resuming: what is opened is what was left.

use throughline_conversation::{Millis, Record, RecordBody, Seq, SessionId, project};

use super::{SampleCounter, sample_log};
use crate::log::MessageLog;
use crate::resume::{Resumed, resume};
use crate::snapshot::snapshot_of;
use crate::snapshots::SnapshotStore;

/// Writes a sample log in three batches, keeps a snapshot after some record, and resumes.
///
/// `cut` picks that record: 0 keeps no snapshot. The session must exist and be empty.
pub async fn contract_resume(
    log: &dyn MessageLog,
    snapshots: &dyn SnapshotStore,
    session: &SessionId,
    seed: u64,
    records: usize,
    cut: usize,
) {
    let all = sample_log(seed, records);
    for batch in all.chunks(all.len().div_ceil(3).max(1)) {
        log.append(session, batch).await.unwrap();
    }
    let cut = cut.min(all.len());
    if cut > 0 {
        let view = project(&all[..cut], &SampleCounter).unwrap();
        snapshots.save(&snapshot_of(session, &view, Millis(1))).await.unwrap();
    }
    let resumed = resume(log, snapshots, session, &SampleCounter).await.unwrap();
    assert_eq!(resumed.rebuilt, None);
    let shaping = |records: &[Record]| records.iter().filter(|record| record.body.shapes_view()).count();
    let reaches_back = all[cut..].iter().any(|record| matches!(record.body, RecordBody::Mark(_)));
    assert_eq!(resumed.from_snapshot, cut > 0 && !reaches_back);
    let again = if cut > 0 && reaches_back { shaping(&all) } else { 0 };
    let read = shaping(&all[cut..]) + again;
    assert_eq!(
        resumed.records_read, read,
        "only what comes after the snapshot is read, unless it reaches back"
    );
    assert_as_left(&resumed, &all);
}

/// Returns true if what was resumed is what the log says.
pub(crate) fn assert_as_left(resumed: &Resumed, all: &[Record]) {
    let live = project(all, &SampleCounter).unwrap();
    assert_eq!(resumed.view, live, "the view is the one that was left");
    assert_eq!(resumed.last, all.last().map_or(Seq(0), |record| record.seq));
    assert_eq!(resumed.unreadable, []);
    let message = all.iter().rfind(|record| matches!(record.body, RecordBody::Message(_)));
    assert_eq!(resumed.exchange, message.map(|record| record.exchange).unwrap_or_default());
    let newest =
        |kind: &str| all.iter().rev().find(|record| record.body.kind() == kind).map(|record| &record.body);
    assert_eq!(resumed.prompt.clone().map(RecordBody::Prompt).as_ref(), newest("prompt"));
    assert_eq!(resumed.tools.clone().map(RecordBody::Tools).as_ref(), newest("tools"));
    let receipt = resumed.receipt.clone().map(|receipt| RecordBody::Receipt(Box::new(receipt)));
    assert_eq!(receipt.as_ref(), newest("receipt"));
}
