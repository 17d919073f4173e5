//! The few names that are listed in place of a cleared text.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::names::names;
use crate::policy::CompactionPolicy;

/// Names of a text that are not visible elsewhere: those that occur most, in the order in which they first
/// stand. They count as visible from here on.
pub(crate) fn digest<'t>(
    text: &'t str,
    visible: &mut HashSet<&'t str>,
    policy: &CompactionPolicy,
) -> Vec<&'t str> {
    let most = (text.len() / policy.digest_bytes_per_name.max(1)).min(policy.digest_max_names);
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for (place, name) in names(text).enumerate() {
        if !visible.contains(name) {
            counts.entry(name).or_insert((0, place)).0 += 1;
        }
    }
    let mut found: Vec<(&str, usize, usize)> =
        counts.into_iter().map(|(name, (count, place))| (name, count, place)).collect();
    found.sort_unstable_by_key(|(_, count, place)| (Reverse(*count), *place));
    found.truncate(most);
    found.sort_unstable_by_key(|(_, _, place)| *place);
    visible.extend(found.iter().map(|(name, ..)| *name));
    found.into_iter().map(|(name, ..)| name).collect()
}

#[cfg(test)]
mod tests;
