//! Words of names and texts, in a form in which they can be compared.

/// From here on scripts are written without spaces between words (CJK and its neighbours).
const UNSPACED: char = '\u{2e80}';

/// Returns true if a letter belongs to a script without spaces between words. There each character counts
/// as a word of its own.
#[must_use]
pub fn is_unspaced(letter: char) -> bool {
    letter >= UNSPACED && letter.is_alphabetic() && !letter.is_numeric()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Other,
    Digit,
    Upper,
    Lower,
    Unspaced,
}

fn class(c: char) -> CharClass {
    match c {
        c if c.is_numeric() => CharClass::Digit,
        c if !c.is_alphabetic() => CharClass::Other,
        c if is_unspaced(c) => CharClass::Unspaced,
        c if c.is_uppercase() => CharClass::Upper,
        _ => CharClass::Lower,
    }
}

/// The words of a text in order: parts of `snake_case`, `kebab-case` and `camelCase`, numbers on their own, in
/// lower case. Everything that is neither letter nor digit stands between words. In scripts without spaces each
/// character is a word.
#[must_use]
pub fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = CharClass::Other;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let this = class(c);
        let next = chars.peek().map_or(CharClass::Other, |c| class(*c));
        let boundary = match (before, this) {
            (CharClass::Upper, CharClass::Lower) => false,
            // `HTTPServer`: the last capital belongs to what follows.
            (CharClass::Upper, CharClass::Upper) => next == CharClass::Lower,
            (_, CharClass::Unspaced) => true,
            (before, this) => before != this,
        };
        if boundary && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if this != CharClass::Other {
            word.extend(c.to_lowercase());
        }
        before = this;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Takes off plural endings, `-ing` and a final `e`, so that `builds`, `building` and `build` are one word. Both
/// sides of a search go through this, so a stem need be no real word.
#[must_use]
pub fn stem(word: &str) -> String {
    let singular = singular(word);
    let base = match singular.strip_suffix("ing") {
        Some(base) if base.len() > 2 && base.contains(['a', 'e', 'i', 'o', 'u', 'y']) => undouble(base),
        _ => singular,
    };
    match base.strip_suffix('e') {
        Some(bare) if bare.len() > 3 => bare.to_owned(),
        _ => base,
    }
}

fn singular(word: &str) -> String {
    if let Some(base) = word.strip_suffix("ies")
        && base.len() > 1
    {
        return format!("{base}y");
    }
    for ending in ["sses", "shes", "ches", "xes"] {
        if word.ends_with(ending) {
            return word.strip_suffix("es").unwrap_or(word).to_owned();
        }
    }
    match word.strip_suffix('s') {
        Some(base) if base.len() > 2 && !base.ends_with(['s', 'u', 'i']) => base.to_owned(),
        _ => word.to_owned(),
    }
}

/// `runn` of `running` is `run`; `call` of `calling` stays.
fn undouble(base: &str) -> String {
    let mut ends = base.chars().rev();
    match (ends.next(), ends.next()) {
        (Some(a), Some(b)) if a == b && !matches!(a, 'l' | 's' | 'z' | 'e' | 'o') => {
            base.strip_suffix(a).unwrap_or(base).to_owned()
        }
        _ => base.to_owned(),
    }
}

#[cfg(test)]
mod tests;
