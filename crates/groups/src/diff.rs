//! Compares the view before and after a compaction.

use serde::Serialize;
use throughline_conversation::{
    Certificate, CompactionReceipt, Edit, EditReason, Millis, ProjectError, Receipt, Record, RecordBody,
    RegretReceipt, Seq, TokenCounter, View, project,
};

use crate::change::compactions;
use crate::removed::{Cover, PicturesLeft, Removed, Replacement, removed};

/// A compaction, and what the model saw before and after it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompactionDiff {
    /// Its number within the session, from 1.
    pub number: u64,
    /// How many compactions the session has had.
    pub of: u64,
    /// The record that holds its edit.
    pub edit: Seq,
    /// When it was made.
    pub at: Millis,
    /// What set it off.
    pub reason: EditReason,
    /// The strategies that made it.
    pub strategies: Vec<String>,
    /// It was undone since.
    pub undone: bool,
    /// The conversation before.
    pub before: ViewSize,
    /// The conversation after.
    pub after: ViewSize,
    /// What the receipt of the next request says of it, in tokens of whole requests. `None`: none was sent, or it tells of
    /// a later compaction.
    pub receipt: Option<CompactionReceipt>,
    /// Stretches that were covered, in the order of the edit.
    pub covers: Vec<Cover>,
    /// Results and arguments that became references, in the order of the edit.
    pub replaced: Vec<Replacement>,
    /// Messages whose pictures were left out, in the order of the edit.
    pub pictures: Vec<PicturesLeft>,
    /// What of the removed was needed later; `None`: nothing so far.
    pub needed: Option<RegretReceipt>,
    /// What the next request had to have word for word, and where it stood; `None`: none was sent, or the log is older than
    /// the check.
    pub certificate: Option<Certificate>,
}

/// How large a view is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ViewSize {
    /// Messages.
    pub messages: u64,
    /// Their tokens by the counter, before calibration.
    pub tokens: u64,
}

/// Why there is nothing to compare.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    /// The session was never compacted.
    #[error("the session was not compacted yet")]
    Never,
    /// It has fewer compactions.
    #[error("there is no compaction {asked}; the session has compactions 1 to {last}")]
    Unknown {
        /// The number asked for.
        asked: u64,
        /// The newest.
        last: u64,
    },
    /// The log is damaged.
    #[error("the session's log is damaged")]
    Damaged(#[from] ProjectError),
}

/// What compaction number `number` (from 1; `None`: the newest one) took away, by the records of the whole log.
///
/// # Errors
/// [`DiffError`] when there is no such compaction, or the log is damaged.
pub fn compaction_diff(
    records: &[Record],
    number: Option<u64>,
    counter: &dyn TokenCounter,
) -> Result<CompactionDiff, DiffError> {
    let all: Vec<(Seq, bool)> = compactions(records).collect();
    let of = all.len() as u64;
    let number = number.unwrap_or(of);
    let index = number.checked_sub(1).and_then(|index| usize::try_from(index).ok());
    let Some((seq, undone)) = index.and_then(|index| all.get(index)).copied() else {
        return Err(if of == 0 { DiffError::Never } else { DiffError::Unknown { asked: number, last: of } });
    };
    let earlier = records.iter().take_while(|record| record.seq < seq);
    let before = project(earlier, counter)?;
    let after = project(records.iter().take_while(|record| record.seq <= seq), counter)?;
    let found = records.iter().find(|record| record.seq == seq);
    let Some((record, edit)) = found.and_then(|record| Some((record, edit_of(record)?))) else {
        return Err(DiffError::Never);
    };
    let Removed { covers, replaced, pictures } = removed(&before, edit);
    let next = next_receipt(records, seq);
    Ok(CompactionDiff {
        number,
        of,
        edit: seq,
        at: record.at,
        reason: edit.reason.clone(),
        strategies: edit.strategies.clone(),
        undone,
        before: size(&before),
        after: size(&after),
        receipt: next.and_then(|receipt| receipt.compaction.clone()),
        certificate: next.and_then(|receipt| receipt.certificate.clone()),
        covers,
        replaced,
        pictures,
        needed: needed(records, seq),
    })
}

/// What later answers needed of what a compaction had removed, each name, line and file once.
fn needed(records: &[Record], edit: Seq) -> Option<RegretReceipt> {
    let receipts = records.iter().filter_map(|record| match &record.body {
        RecordBody::Receipt(receipt) => Some(&receipt.regret),
        _ => None,
    });
    let mut sum: Option<RegretReceipt> = None;
    for regret in receipts.flatten().filter(|regret| regret.edit == edit) {
        let sum = sum.get_or_insert_with(|| RegretReceipt { edit, ..RegretReceipt::default() });
        let add = |to: &mut Vec<String>, from: &[String]| {
            from.iter().for_each(|one| {
                if !to.contains(one) {
                    to.push(one.clone());
                }
            });
        };
        add(&mut sum.names, &regret.names);
        add(&mut sum.lines, &regret.lines);
        add(&mut sum.files, &regret.files);
        add(&mut sum.read_back, &regret.read_back);
        sum.price += regret.price;
    }
    sum
}

fn edit_of(record: &Record) -> Option<&Edit> {
    match &record.body {
        RecordBody::Edit(edit) => Some(edit),
        _ => None,
    }
}

fn size(view: &View) -> ViewSize {
    ViewSize { messages: view.entries().len() as u64, tokens: view.tokens() }
}

/// The receipt that tells of the compaction: that of the next request, when no other compaction came between.
fn next_receipt(records: &[Record], seq: Seq) -> Option<&Receipt> {
    let later = records.iter().filter(|record| record.seq > seq);
    for record in later {
        match &record.body {
            RecordBody::Receipt(receipt) => return Some(receipt),
            RecordBody::Edit(edit) if edit.reason != EditReason::Window => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
