//! What later answers needed of what compactions of another agent took out of view.

use throughline_conversation::{Projection, Record, RecordBody, RegretReceipt, Source, Uncounted};
use throughline_ledger::{RegretTracker, Shown};

/// The records, with what each answer needed in the receipt of its request.
pub(super) fn with_needs(records: &[Record]) -> Vec<Record> {
    let (mut tracker, mut projection) = (RegretTracker::default(), Projection::default());
    records.iter().for_each(|record| {
        projection.scan(record);
    });
    let (mut found, mut made) = (Vec::<RegretReceipt>::new(), Vec::with_capacity(records.len()));
    for record in records {
        let cuts = matches!(&record.body, RecordBody::Edit(edit) if edit.is_compaction());
        let before = projection.view().filter(|_| cuts).cloned();
        if let RecordBody::Message(message) = &record.body
            && matches!(message.source, Source::Model(_))
            && let Some(view) = projection.view()
        {
            let entries = view.entries().iter().map(|entry| entry.message.as_ref());
            found.extend(tracker.needed(&message.message, &Shown::of(entries, [])));
        }
        let mut record = record.clone();
        if let RecordBody::Receipt(receipt) = &mut record.body {
            receipt.regret = std::mem::take(&mut found);
        }
        if projection.apply(&record, &Uncounted).is_ok()
            && let Some(after) = projection.view()
        {
            match before {
                Some(before) => tracker.cut(record.seq, before.entries(), after.entries()),
                None => tracker.note(after.entries()),
            }
        }
        made.push(record);
    }
    made
}
