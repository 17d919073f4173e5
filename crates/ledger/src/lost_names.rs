//! Names that leave the view with a compaction.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use throughline_conversation::Entry;

use crate::need::{Shown, names_of, texts};
use crate::reference::{is_word_of_reference, refs};
use crate::regret::left;

/// The names in messages that a compaction removes which no message after it has: paths, files and identifiers, the most
/// mentioned first. References to stored results are none: they are the engine's.
#[must_use]
pub fn lost_names(before: &[Entry], after: &[Entry]) -> Vec<String> {
    let left = left(before, after);
    let mut mentions: HashMap<&str, (usize, usize)> = HashMap::new();
    let references = left.iter().flat_map(|message| texts(message)).flat_map(refs);
    let digits: HashSet<&str> = references.filter_map(|name| name.strip_prefix("r-")).collect();
    let is_own = |name: &&str| is_word_of_reference(name) || digits.contains(name);
    let names = left.iter().flat_map(|message| names_of(message)).filter(|name| !is_own(name));
    for (place, name) in names.enumerate() {
        mentions.entry(name).or_insert((0, place)).0 += 1;
    }
    let shown = Shown::of(after.iter().map(|entry| Arc::as_ref(&entry.message)), []);
    let mut lost: Vec<(&str, (usize, usize))> =
        mentions.into_iter().filter(|(name, _)| !shown.has_name(name)).collect();
    lost.sort_by_key(|(_, (count, place))| (std::cmp::Reverse(*count), *place));
    lost.into_iter().map(|(name, _)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests;
