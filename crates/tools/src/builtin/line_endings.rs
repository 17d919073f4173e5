//! Line endings and byte order marks, which `read_file` does not show.

const MARK: char = '\u{feff}';

/// A new content in the form of the file that it replaces.
#[derive(Debug)]
pub(super) struct Fitted {
    pub(super) text: String,
    /// `\n` was converted to `\r\n`, the line ending that the file has.
    pub(super) dos: bool,
    /// The byte order mark of the file was put before it.
    pub(super) mark: bool,
}

impl Fitted {
    /// The bytes to write. `old`: the text of the file.
    pub(super) fn new(content: &str, old: Option<&str>) -> Self {
        let dos = content.contains('\n') && !content.contains('\r') && old.is_some_and(is_dos);
        let mark = !content.starts_with(MARK) && old.is_some_and(|old| old.starts_with(MARK));
        let text = if dos { self::dos(content) } else { content.to_owned() };
        Self { text: if mark { format!("{MARK}{text}") } else { text }, dos, mark }
    }
}

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
