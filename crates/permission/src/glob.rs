//! Wildcard matching over the characters of a word, the words of a command or the components of a path.

/// Returns true if a pattern matches a whole sequence. `many` returns true for a wildcard that matches any number of items,
/// `one` compares any other item of the pattern with an item of the sequence.
///
/// Backtracks to the last wildcard only, so the time is at most the product of the two lengths.
pub(crate) fn matches<P, T>(
    pattern: &[P],
    text: &[T],
    many: impl Fn(&P) -> bool,
    one: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut index) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while let Some(item) = text.get(index) {
        match pattern.get(at) {
            Some(wild) if many(wild) => {
                at += 1;
                back = Some((at, index));
            }
            Some(own) if one(own, item) => {
                at += 1;
                index += 1;
            }
            _ => match back {
                Some((after, from)) => {
                    at = after;
                    index = from + 1;
                    back = Some((after, index));
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(many)
}

/// Returns true if a pattern, in which `*` matches any characters, matches a whole word.
pub(crate) fn word_matches(pattern: &str, word: &str) -> bool {
    let (pattern, word): (Vec<char>, Vec<char>) = (pattern.chars().collect(), word.chars().collect());
    matches(&pattern, &word, |own| *own == '*', |own, other| own == other)
}

/// Returns true if a pattern matches a path: `**` matches any number of components, `*` any characters of one component and
/// `?` one character.
pub(crate) fn path_matches(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
    matches(&pattern, &path, |part| *part == "**", |own, part| component_matches(own, part))
}

fn component_matches(pattern: &str, part: &str) -> bool {
    let (pattern, part): (Vec<char>, Vec<char>) = (pattern.chars().collect(), part.chars().collect());
    matches(&pattern, &part, |own| *own == '*', |own, other| *own == '?' || own == other)
}
