//! The line behind a shown result whose bytes are not all text.

use throughline_conversation::ResultRef;

/// How the line begins.
const BEGIN: &str = "[Some bytes are no UTF-8 text. ";

/// The line, which says to the model under which name the exact bytes are.
pub(crate) fn byte_note(stored: &ResultRef) -> String {
    format!("{BEGIN}The exact bytes are stored: ref_id=\"{stored}\".]")
}

/// A shown result without that line, which a person does not need.
#[must_use]
pub fn without_byte_note(shown: &str) -> &str {
    let text = shown.trim_end();
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
    if last.starts_with(BEGIN) { before } else { shown }
}
