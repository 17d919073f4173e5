//! Line endings, which `read_file` does not show.

/// Returns true if the text has at least one line ending and all of them are `\r\n`.
pub(super) fn is_dos(text: &str) -> bool {
    let ends = newlines(text);
    ends > 0 && ends == text.matches("\r\n").count()
}

/// Converts all line endings to `\r\n`.
pub(super) fn dos(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

pub(super) fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
