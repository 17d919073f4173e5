//! What compactions removed from view, and which of it was needed later.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use throughline_conversation::{
    Entry, EntryKind, Message, Projection, Record, RecordBody, RegretReceipt, Seq, Uncounted,
};

use crate::need::{MOST_BYTES, NeedTracker, Shown, bytes, telling_lines};

/// Newest records of an earlier run that are worth reading for its compactions: some thousand requests. A whole long log
/// takes seconds and its size in memory.
pub const FOLLOWED_RECORDS: u64 = 5_000;

/// Follows a session and remembers, for each compaction, what left the view with it. Messages are shared, not copied; of
/// very long sessions only the newest compactions are remembered.
#[derive(Debug, Default)]
pub struct RegretTracker {
    needs: NeedTracker,
    /// The newest record that is noted.
    upto: Seq,
    cuts: VecDeque<Cut>,
    /// Bytes of the texts that left with them.
    bytes: usize,
}

/// A compaction.
#[derive(Debug)]
struct Cut {
    edit: Seq,
    /// Messages that were in view before it and not, or in another form, after it.
    left: Vec<Arc<Message>>,
    /// Bytes of their texts.
    bytes: usize,
}

/// A result that was read from storage: a reference or the name of the tool, and what was read.
#[derive(Debug, Clone, Copy)]
pub struct ReadBack<'a> {
    /// What was asked for.
    pub name: &'a str,
    /// The result.
    pub text: &'a str,
}

impl RegretTracker {
    /// Follows a log, or the newest part of one. Records that do not fit what comes before them are left out.
    #[must_use]
    pub fn of(records: &[Record]) -> Self {
        let (mut tracker, mut projection) = (Self::default(), Projection::default());
        records.iter().for_each(|record| {
            projection.scan(record);
        });
        for record in records {
            let cuts = matches!(&record.body, RecordBody::Edit(edit) if edit.is_compaction());
            let before = projection.view().filter(|_| cuts).cloned();
            if projection.apply(record, &Uncounted).is_err() {
                continue;
            }
            let Some(after) = projection.view() else { continue };
            match before {
                Some(before) => tracker.cut(record.seq, before.entries(), after.entries()),
                None => tracker.note(after.entries()),
            }
        }
        tracker
    }

    /// Takes the messages that are new in view since the last time.
    pub fn note(&mut self, entries: &[Entry]) {
        let known = entries.iter().rposition(|entry| entry.span.last <= self.upto).map_or(0, |last| last + 1);
        for entry in entries.get(known..).unwrap_or_default() {
            self.upto = entry.span.last;
            if entry.kind != EntryKind::Summary {
                self.needs.note(&entry.message);
            }
        }
    }

    /// Takes a compaction: its edit's record, and the view before and after it.
    pub fn cut(&mut self, edit: Seq, before: &[Entry], after: &[Entry]) {
        self.note(before);
        let left = left(before, after);
        if left.is_empty() {
            return;
        }
        let bytes = left.iter().map(|message| bytes(message)).sum();
        self.bytes += bytes;
        self.cuts.push_back(Cut { edit, left, bytes });
        while self.bytes > MOST_BYTES
            && self.cuts.len() > 1
            && let Some(oldest) = self.cuts.pop_front()
        {
            self.bytes -= oldest.bytes;
        }
    }

    /// What an answer to the messages so far uses, of what compactions removed and its request did not show. Prices are 0.
    #[must_use]
    pub fn needed(&self, answer: &Message, shown: &Shown<'_>) -> Vec<RegretReceipt> {
        if self.cuts.is_empty() {
            return Vec::new();
        }
        let missing = self.needs.need(answer).missing(shown);
        if missing.is_empty() {
            return Vec::new();
        }
        let mut found = Found::of(&self.cuts);
        for name in missing.names {
            found.add(|left| left.has_name(&name), |regret| regret.names.push(name.clone()));
        }
        for line in missing.lines {
            found.add(|left| left.has(&line), |regret| regret.lines.push(line.clone()));
        }
        for (path, call) in missing.files {
            found.add(|left| left.has_result(&call), |regret| regret.files.push(path.clone()));
        }
        found.regrets()
    }

    /// What was read back of what compactions removed: results with a line that only the removed messages had. Prices are 0.
    #[must_use]
    pub fn read_back<'a>(
        &self,
        reads: impl IntoIterator<Item = ReadBack<'a>>,
        shown: &Shown<'_>,
    ) -> Vec<RegretReceipt> {
        let mut reads = reads.into_iter().peekable();
        if self.cuts.is_empty() || reads.peek().is_none() {
            return Vec::new();
        }
        let mut found = Found::of(&self.cuts);
        for ReadBack { name, text } in reads {
            let mut hidden = telling_lines(text).filter(|line| !shown.has(line));
            hidden.any(|line| {
                found.add(|left| left.has(line), |regret| regret.read_back.push(name.to_owned()))
            });
        }
        found.regrets()
    }
}

/// Messages that are in view before a compaction and not, or in another form, after it.
pub(crate) fn left(before: &[Entry], after: &[Entry]) -> Vec<Arc<Message>> {
    let stays: BTreeMap<Seq, &Entry> = after.iter().map(|entry| (entry.span.first, entry)).collect();
    let is_same = |entry: &Entry| {
        let after = stays.get(&entry.span.first);
        after.is_some_and(|after| {
            Arc::ptr_eq(&after.message, &entry.message) || after.message == entry.message
        })
    };
    before.iter().filter(|entry| !is_same(entry)).map(|entry| Arc::clone(&entry.message)).collect()
}

/// The removed texts of each compaction, and what of them was needed.
struct Found<'a> {
    cuts: Vec<(Seq, Shown<'a>)>,
    regrets: BTreeMap<Seq, RegretReceipt>,
}

impl<'a> Found<'a> {
    fn of(cuts: &'a VecDeque<Cut>) -> Self {
        let texts = |cut: &'a Cut| (cut.edit, Shown::of(cut.left.iter().map(Arc::as_ref), []));
        Self { cuts: cuts.iter().map(texts).collect(), regrets: BTreeMap::new() }
    }

    /// Adds something to the newest compaction that removed it. Returns false if none did.
    fn add(&mut self, removed: impl Fn(&Shown<'_>) -> bool, add: impl Fn(&mut RegretReceipt)) -> bool {
        let Some((edit, _)) = self.cuts.iter().rev().find(|(_, left)| removed(left)) else { return false };
        add(self.regrets.entry(*edit).or_insert_with(|| RegretReceipt { edit: *edit, ..Default::default() }));
        true
    }

    fn regrets(self) -> Vec<RegretReceipt> {
        self.regrets.into_values().collect()
    }
}

#[cfg(test)]
mod tests;
