//! Lines that two long texts have in common for sure: each of them stands once in either text.

use std::collections::HashMap;

/// The places of such lines in both texts, in their order. Of lines that have changed places, the longest row is taken.
pub(super) fn anchors(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let (old_places, new_places) = (single_places(old), single_places(new));
    let mut pairs: Vec<(usize, usize)> =
        old_places.iter().filter_map(|(line, at)| Some((*at, *new_places.get(line)?))).collect();
    pairs.sort_unstable();
    longest_rising(&pairs)
}

/// The lines that stand once in a text, with their places.
fn single_places<'a>(lines: &[&'a str]) -> HashMap<&'a str, usize> {
    let mut places: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        places.entry(line).and_modify(|place| *place = None).or_insert(Some(at));
    }
    places.into_iter().filter_map(|(line, at)| Some((line, at?))).collect()
}

/// The longest row of pairs in which both places rise; the first ones rise already.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]`: the pair with the lowest end of all rows of n + 1 pairs.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |at: &usize| pairs.get(*at).map(|pair| pair.1);
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| second(end) < Some(pair.1));
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut row = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        row.extend(pairs.get(at));
        next = before.get(at).copied().flatten();
    }
    row.reverse();
    row
}
