//! Splits the rest of a command line into words, as a shell does in the simple cases.

/// The words of a text. A word may be put in single or double quotes; a quote inside a word, or one that is never closed,
/// is an ordinary character, so that `don't` needs no care.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, behind) = quoted(rest, first).unwrap_or_else(|| unquoted(rest));
        words.push(word.to_owned());
        rest = behind.trim_start();
    }
    words
}

/// A quoted word and the text behind it. A closing quote ends a word only where a space or the end follows.
fn quoted(text: &str, quote: char) -> Option<(&str, &str)> {
    let inside = text.strip_prefix(['"', '\''])?;
    let (word, behind) = inside.split_once(quote)?;
    (behind.is_empty() || behind.starts_with(char::is_whitespace)).then_some((word, behind))
}

fn unquoted(text: &str) -> (&str, &str) {
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests;
