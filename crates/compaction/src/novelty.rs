//! How much a text says that no other text says.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use throughline_conversation::TokenCounter;

/// The places of `others` (each with its place in the conversation and its text, newest first) in the order in which a
/// summary takes them: the newest within `recent` tokens, then those with the largest share of words that occur in no
/// other of `texts`, newest first among equals.
pub(crate) fn newest_then_novel(
    others: &[(usize, &String)],
    texts: &[String],
    recent: u64,
    counter: &dyn TokenCounter,
) -> Vec<usize> {
    let mut left = recent;
    let newest = others.iter().take_while(|(_, text)| {
        let tokens = counter.text(text);
        let fits = tokens <= left;
        left = left.saturating_sub(tokens);
        fits
    });
    let newest = newest.count();
    let mut order: Vec<usize> = (0..others.len()).collect();
    let shares = shares(others.iter().map(|(_, text)| text.as_str()), texts);
    if let Some(older) = order.get_mut(newest..) {
        // `sort` is stable: equals stay newest first.
        older.sort_by_key(|place| Reverse(shares.get(*place).copied().unwrap_or_default()));
    }
    order
}

/// Of each text: its different words that no other of all texts has, in tenths of its different words. A finer scale would
/// choose between texts of the same kind by chance instead of by age.
fn shares<'t>(of: impl Iterator<Item = &'t str>, all: &[String]) -> Vec<usize> {
    let mut texts_with: HashMap<&str, usize> = HashMap::new();
    for text in all {
        for word in words(text).collect::<HashSet<_>>() {
            *texts_with.entry(word).or_default() += 1;
        }
    }
    let share = |text: &str| {
        let own: HashSet<&str> = words(text).collect();
        let alone = own.iter().filter(|word| texts_with.get(**word).is_none_or(|count| *count == 1)).count();
        alone * 10 / own.len().max(1)
    };
    of.map(share).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-'))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
