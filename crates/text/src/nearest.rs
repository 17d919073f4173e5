//! The known names that a mistyped one was probably meant to be.

use crate::truncate::first_chars;

/// Maximum characters of a mistyped name that are compared. No name is longer, and the comparison takes quadratic time.
const MAX_CHARS: usize = 100;

/// Maximum number of typing errors, however long the name is.
const MAX_SLIPS: usize = 3;

/// A name contains nearly every shorter text than this.
const MIN_PART: usize = 3;

/// Returns the names close to `typed`, the closest first, equally close ones in alphabetical order.
///
/// A name is close if at most a third of the characters of `typed` (1 to 3) are wrong, missing, too many or swapped, or
/// if one of the two contains the other. Case makes no difference.
#[must_use]
pub fn nearest_names<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = first_chars(typed, MAX_CHARS).to_lowercase();
    let slips = (typed.chars().count() / 3).clamp(1, MAX_SLIPS);
    let mut close: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let distance = edit_distance(&typed, &lower);
            (distance <= slips || is_part(&typed, &lower) || is_part(&lower, &typed))
                .then_some((distance, name))
        })
        .collect();
    close.sort_unstable();
    close.into_iter().map(|(_, name)| name).collect()
}

/// Returns the first of [`nearest_names`].
#[must_use]
pub fn nearest_name<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_names(typed, names).into_iter().next()
}

fn is_part(part: &str, whole: &str) -> bool {
    part.chars().count() >= MIN_PART && whole.contains(part)
}

/// Counts the characters to change, remove, insert or swap with a neighbour (optimal string alignment). Takes time in
/// proportion to the product of the two lengths.
fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    let mut last = None;
    for (index, letter) in from.chars().enumerate() {
        let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
        let mut next = vec![index + 1];
        for (at, wanted) in to.iter().enumerate() {
            let exchange = cell(&row, at) + usize::from(letter != *wanted);
            let mut least = exchange.min(cell(&row, at + 1) + 1).min(cell(&next, at) + 1);
            let before = at.checked_sub(1).and_then(|before| to.get(before));
            if before == Some(&letter) && last == Some(*wanted) {
                least = least.min(cell(&above, at - 1) + 1);
            }
            next.push(least);
        }
        above = std::mem::replace(&mut row, next);
        last = Some(letter);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
