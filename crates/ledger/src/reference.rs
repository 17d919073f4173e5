//! How a text names bytes that are stored elsewhere, and how such names are found again.

use throughline_conversation::ResultRef;

const REF: &str = "ref_id=\"";

/// How a reference is written wherever a model reads it: `ref_id="r-…"`.
#[must_use]
pub fn naming(stored: &ResultRef) -> String {
    format!("{REF}{stored}\"")
}

/// Returns true for the words around a reference: they are the engine's, not names of the work.
#[must_use]
pub fn is_word_of_reference(word: &str) -> bool {
    matches!(word, "read_result" | "ref_id")
}

/// Every reference that a text names, in order, however it is written there.
pub fn refs(text: &str) -> impl Iterator<Item = &str> {
    /// `r-` and 16 hexadecimal digits.
    const BYTES: usize = 18;
    text.match_indices("r-").filter_map(|(at, _)| {
        let name = text.get(at..at + BYTES)?;
        let digits = name.get(2..)?;
        digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f')).then_some(name)
    })
}
