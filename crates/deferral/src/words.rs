//! Words of names and descriptions, in a form in which they can be compared.

use throughline_text::{split_words, stem};

/// Words that say nothing about what a tool does, and the mark of tools that come from MCP servers.
const STOP: &[&str] = &[
    "a", "about", "all", "also", "an", "and", "another", "any", "are", "as", "at", "be", "been", "by", "can",
    "could", "did", "do", "does", "each", "every", "for", "from", "had", "has", "have", "he", "her", "his",
    "how", "i", "if", "in", "into", "is", "it", "its", "let", "mcp", "me", "more", "most", "my", "need",
    "no", "not", "now", "of", "on", "only", "or", "other", "our", "out", "per", "please", "s", "she",
    "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "to", "tool", "tools", "up", "use", "used", "using", "via", "want", "was", "we", "were",
    "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
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
