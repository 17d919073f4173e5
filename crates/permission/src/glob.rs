//! Patterns with wildcards, over the characters of a word, the words of a command or the parts of a path.

/// Whether a pattern fits a whole sequence. `many` says which of its items stand for any number of items, `one` whether
/// another item stands for this one.
///
/// It goes back only to the newest wildcard, so its time is at most the product of the two lengths.
pub(crate) fn fits<P, T>(
    pattern: &[P],
    text: &[T],
    many: impl Fn(&P) -> bool,
    one: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while let Some(item) = text.get(place) {
        match pattern.get(at) {
            Some(wild) if many(wild) => {
                at += 1;
                back = Some((at, place));
            }
            Some(own) if one(own, item) => {
                at += 1;
                place += 1;
            }
            _ => match back {
                Some((after, from)) => {
                    at = after;
                    place = from + 1;
                    back = Some((after, place));
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(many)
}

/// Whether a pattern in which `*` stands for any characters fits a whole word.
pub(crate) fn word_fits(pattern: &str, word: &str) -> bool {
    let (pattern, word): (Vec<char>, Vec<char>) = (pattern.chars().collect(), word.chars().collect());
    fits(&pattern, &word, |own| *own == '*', |own, other| own == other)
}

/// Whether a pattern fits a path, both with `/` between their parts: `**` stands for any number of parts, `*` for any
/// characters of one part and `?` for one character.
pub(crate) fn path_fits(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
    fits(&pattern, &path, |part| *part == "**", |own, part| part_fits(own, part))
}

fn part_fits(pattern: &str, part: &str) -> bool {
    let (pattern, part): (Vec<char>, Vec<char>) = (pattern.chars().collect(), part.chars().collect());
    fits(&pattern, &part, |own| *own == '*', |own, other| *own == '?' || own == other)
}
