//! How far a mistyped word is from another.

/// How many characters have to be changed, left out, put in or swapped with their neighbour. It takes time as the product of
/// the two lengths.
#[must_use]
pub fn edit_distance(from: &str, to: &str) -> usize {
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
