//! Names of the work in a text.

use throughline_ledger::is_word_of_reference;

use crate::stub::refs;

/// All names of a text, in order, repeats included.
///
/// References to stored results, and the words around them, are none: they are the engine's, not the work's.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    throughline_text::names(text).filter(|token| !is_ours(token))
}

fn is_ours(token: &str) -> bool {
    is_word_of_reference(token) || refs(token).any(|name| name == token)
}

#[cfg(test)]
mod tests;
