//! Files that were read and not changed yet: material of work that is still ahead.

use std::collections::HashMap;

use throughline_conversation::{Entry, EntryKind};

use crate::tool_use::{Use, understand};

/// The number of files that one of the newest `within` messages of the model has read, and that no later call has changed.
/// 0 if no file was changed in that many messages: reading for so long answers questions.
#[must_use]
pub fn unchanged_reads(entries: &[Entry], within: usize) -> u64 {
    let mut read: HashMap<String, usize> = HashMap::new();
    let (mut messages, mut changed) = (0_usize, 0_usize);
    for entry in entries {
        messages += usize::from(entry.kind == EntryKind::Assistant);
        for call in entry.message.tool_calls() {
            match understand(call) {
                Use::Read(path) => {
                    read.insert(path, messages);
                }
                Use::Edit(changes) => {
                    changed = messages;
                    for change in changes {
                        read.remove(&change.path);
                    }
                }
                Use::Command(_) | Use::Other => {}
            }
        }
    }
    let oldest = messages.saturating_sub(within);
    if oldest > changed { 0 } else { read.values().filter(|at| **at > oldest).count() as u64 }
}

#[cfg(test)]
mod tests;
