//! Files that were read more than once.

use std::collections::BTreeMap;

use serde::Serialize;

use super::items::{AuditedItem, ItemKind};
use super::shares::SharedCosts;

/// A file that was read more than once.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RepeatedRead {
    /// The file, as the calls name it.
    pub path: String,
    /// How often it was read.
    pub reads: u64,
    /// Reads that showed what an earlier read still showed, byte for byte.
    pub needless: u64,
    /// Tokens of all reads after the first.
    pub tokens: u64,
    /// Dollars of all reads after the first: the results, in every request that had them.
    pub dollars: f64,
    /// The part of the needless ones.
    pub needless_dollars: f64,
}

/// Notes which results show which file.
#[derive(Debug, Default)]
pub(super) struct ReadLog {
    /// Places of results by path, and whether each is needless.
    files: BTreeMap<String, Vec<FileRead>>,
    seen: usize,
}

#[derive(Debug, Clone, Copy)]
struct FileRead {
    place: usize,
    needless: bool,
}

impl ReadLog {
    /// Takes the items that came with the newest request.
    pub(super) fn note(&mut self, costs: &SharedCosts) {
        for (place, item) in costs.items.iter().enumerate().skip(self.seen) {
            let Some(path) = item.path.as_ref().filter(|_| item.kind == ItemKind::Result) else { continue };
            let reads = self.files.entry(path.clone()).or_default();
            let same = |read: &FileRead| {
                let content = costs.items.get(read.place).map(|earlier| earlier.content);
                content == Some(item.content) && costs.shows(read.place)
            };
            let needless = reads.iter().any(same);
            reads.push(FileRead { place, needless });
        }
        self.seen = costs.items.len();
    }

    /// The files that were read more than once, the dearest first; without prices the largest first.
    pub(super) fn repeated(&self, items: &[AuditedItem]) -> Vec<RepeatedRead> {
        let mut found: Vec<RepeatedRead> = self
            .files
            .iter()
            .filter(|(_, reads)| reads.len() > 1)
            .map(|(path, reads)| of(path, reads, items))
            .collect();
        found.sort_by(|a, b| b.dollars.total_cmp(&a.dollars).then(b.tokens.cmp(&a.tokens)));
        found
    }
}

fn of(path: &str, reads: &[FileRead], items: &[AuditedItem]) -> RepeatedRead {
    let mut sum =
        RepeatedRead { path: path.to_owned(), reads: reads.len() as u64, ..RepeatedRead::default() };
    let mut tokens = 0.0;
    for read in reads.iter().skip(1) {
        let Some(item) = items.get(read.place) else { continue };
        tokens += item.tokens;
        sum.dollars += item.dollars();
        if read.needless {
            sum.needless += 1;
            sum.needless_dollars += item.dollars();
        }
    }
    sum.tokens = tokens.round() as u64;
    sum
}
