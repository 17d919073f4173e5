//! Words of names and descriptions, in a form in which they can be compared.

use throughline_conversation::{split_words, stem};

/// Words that say nothing about what a tool does.
const STOP: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "for", "from", "how", "i", "if", "in",
    "into", "is", "it", "its", "me", "my", "of", "on", "or", "s", "some", "that", "the", "this", "to",
    "tool", "tools", "use", "used", "using", "want", "when", "which", "will", "with", "you", "your",
];

/// The words of a text: parts of `snake_case`, `kebab-case` and `camelCase`, numbers on their own, in lower case,
/// without common endings, without words that every description has. In scripts without spaces each character
/// is a word.
pub(crate) fn words(text: &str) -> Vec<String> {
    split_words(text)
        .into_iter()
        .filter(|word| !STOP.contains(&word.as_str()))
        .map(|word| stem(&word))
        .collect()
}

#[cfg(test)]
mod tests;
