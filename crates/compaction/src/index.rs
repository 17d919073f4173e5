//! The index of names: which names of messages that leave the window are listed in their summary.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use throughline_text::cut_end;

use crate::names::names;

/// Names by how many messages they were in. The index says it in three lines, and reads it back from them.
const CLASSES: [(&str, usize); 3] = [("in many messages: ", 6), ("in some: ", 2), ("in one: ", 1)];

/// How often and how lately a name was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    messages: usize,
    last: usize,
}

/// Counts names over messages.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameIndex<'t> {
    counts: HashMap<&'t str, Count>,
    message: usize,
}

impl<'t> NameIndex<'t> {
    /// The texts that follow are of another message.
    pub(crate) fn next_message(&mut self) {
        self.message += 1;
    }

    /// Counts the names of a text of the message.
    pub(crate) fn add(&mut self, text: &'t str) {
        let message = self.message;
        for name in names(text) {
            let count = self.counts.entry(name).or_insert(Count { messages: 0, last: 0 });
            if count.last != message || count.messages == 0 {
                count.messages += 1;
                count.last = message;
            }
        }
    }

    /// Takes over the lines of an earlier index.
    pub(crate) fn merge(&mut self, lines: &'t str) {
        for (name, messages) in earlier_names(lines) {
            let count = self.counts.entry(name).or_insert(Count { messages: 0, last: 0 });
            count.messages += messages;
            count.last = self.message;
        }
    }

    /// The index of names that are not visible elsewhere, within that many bytes: names of many messages
    /// first, then the latest.
    pub(crate) fn render(&self, visible: &HashSet<&str>, bytes: usize) -> String {
        let mut found: Vec<(&str, Count)> = self
            .counts
            .iter()
            .filter(|(name, _)| !visible.contains(**name))
            .map(|(name, count)| (*name, *count))
            .collect();
        found.sort_unstable_by_key(|(name, count)| (Reverse(count.messages), Reverse(count.last), *name));
        let mut left = bytes;
        let mut lines = Vec::new();
        let mut found = found.into_iter().peekable();
        for (head, least) in CLASSES {
            let mut list = String::new();
            while let Some((name, _)) = found.next_if(|(_, count)| count.messages >= least) {
                let cost = name.len() + if list.is_empty() { head.len() + 1 } else { 2 };
                if cost > left {
                    continue;
                }
                left -= cost;
                list.push_str(if list.is_empty() { head } else { ", " });
                list.push_str(name);
            }
            if !list.is_empty() {
                lines.push(list);
            }
        }
        cut_end(&lines.join("\n"), bytes).to_owned()
    }
}

/// The names of an earlier index, with the least number of messages that each was in. A line without such a number counts for
/// one.
pub(crate) fn earlier_names(lines: &str) -> impl Iterator<Item = (&str, usize)> {
    lines.lines().flat_map(|line| {
        let class = CLASSES.iter().find_map(|(head, messages)| Some((line.strip_prefix(head)?, *messages)));
        let (list, messages) = class.unwrap_or((line, 1));
        list.split([',', ' ']).filter(|name| !name.is_empty()).map(move |name| (name, messages))
    })
}

#[cfg(test)]
mod tests;
