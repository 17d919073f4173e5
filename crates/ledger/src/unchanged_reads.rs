//! Files that were read and not changed yet: material of work that is still ahead.

use std::collections::HashMap;

use throughline_conversation::{Entry, EntryKind};

use crate::tool_use::{Use, understand};

/// The number of files that one of the newest `within` messages of the model has read, and that no later call has changed.
/// 0 if neither these nor the message before them changed a file: reading for so long answers questions. Costs time in
/// proportion to these messages.
#[must_use]
pub fn unchanged_reads(entries: &[Entry], within: usize) -> u64 {
    /// What the newest call about a file did.
    #[derive(PartialEq)]
    enum Newest {
        Read,
        Changed,
    }
    let mut files: HashMap<String, Newest> = HashMap::new();
    let (mut messages, mut changed) = (0_usize, false);
    let of_model = entries.iter().rev().filter(|entry| entry.kind == EntryKind::Assistant);
    for entry in of_model.take(within.saturating_add(1)) {
        messages += 1;
        let calls: Vec<_> = entry.message.tool_calls().collect();
        for call in calls.into_iter().rev() {
            match understand(call) {
                Use::Read(path) if messages <= within => {
                    files.entry(path).or_insert(Newest::Read);
                }
                Use::Edit(changes) => {
                    changed = true;
                    for change in changes {
                        files.entry(change.path).or_insert(Newest::Changed);
                    }
                }
                Use::Read(_) | Use::Command(_) | Use::Other => {}
            }
        }
    }
    let only_read = messages > within && !changed;
    if only_read { 0 } else { files.values().filter(|newest| **newest == Newest::Read).count() as u64 }
}

#[cfg(test)]
mod tests;
