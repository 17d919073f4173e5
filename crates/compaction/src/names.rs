//! Names of the work in a text.

use crate::stub::refs;

/// All names of a text, in order, repeats included.
///
/// References to stored results, and the words around them, are none: they are the engine's, not the work's.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    throughline_text::names(text).filter(|token| !is_ours(token))
}

fn is_ours(token: &str) -> bool {
    matches!(token, "read_result" | "ref_id") || refs(token).any(|name| name == token)
}

#[cfg(test)]
mod tests;
