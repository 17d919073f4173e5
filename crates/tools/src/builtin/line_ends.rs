//! The line ends of a file, which `read_file` does not show.

/// Whether every line end of the text is `\r\n`, and there is one.
pub(super) fn is_dos(text: &str) -> bool {
    let ends = newlines(text);
    ends > 0 && ends == text.matches("\r\n").count()
}

/// The text with `\r\n` alone.
pub(super) fn dos(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

pub(super) fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
