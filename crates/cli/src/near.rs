//! What somebody may have meant who mistyped a word.

/// Letters that may be wrong, missing, too many or exchanged.
const SLIPS: usize = 2;

/// The nearest of some words, when one is near enough; of several the first. A word of which this is the beginning is near.
pub(crate) fn nearest<'w>(typed: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let typed = typed.to_lowercase();
    let letters = typed.chars().count();
    let words: Vec<&str> = words.into_iter().collect();
    let begins = |word: &&&str| letters >= 3 && word.starts_with(&typed);
    let near = words.iter().map(|word| (distance(&typed, word), *word));
    // A short word is near to every other short word.
    let near = near.filter(|(slips, _)| *slips <= SLIPS && *slips * 2 < letters);
    words.iter().find(begins).copied().or_else(|| near.min_by_key(|(slips, _)| *slips).map(|(_, word)| word))
}

/// How many letters have to be changed, left out, put in or exchanged with their neighbour.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, letter) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, wanted) in other.iter().enumerate() {
            let at = |row: Option<&Vec<usize>>, place: usize| {
                row.and_then(|row| row.get(place)).copied().unwrap_or(usize::MAX - 1)
            };
            let above = rows.last();
            let mut least = (at(above, j + 1) + 1).min(at(Some(&row), j) + 1);
            least = least.min(at(above, j) + usize::from(letter != wanted));
            let crossed =
                i > 0 && j > 0 && Some(letter) == other.get(j - 1) && one.get(i - 1) == Some(wanted);
            if crossed {
                least = least.min(at(rows.get(i - 1), j - 1) + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const WORDS: [&str; 5] = ["/undo", "/redo", "/context", "/compact", "/sessions"];

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        for (typed, meant) in [
            ("/undoo", Some("/undo")),
            ("/unod", Some("/undo")),
            ("/contxt", Some("/context")),
            ("/comapct", Some("/compact")),
            ("/ses", Some("/sessions")),
            ("/Undo", Some("/undo")),
            ("/frobnicate", None),
            ("/x", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, WORDS), meant, "{typed}");
        }
    }
}
