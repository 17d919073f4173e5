//! What a call is called where there is little room.

use throughline_conversation::ToolCall;
use throughline_ledger::{file_shown, subject};
use throughline_text::{headline, last_chars};

/// The mark of a path without its front.
const CUT: char = '…';

/// What a call is about, in one line of at most this many characters: a path is cut at its front, anything else at its end. A
/// call that is about nothing has the name of its tool.
#[must_use]
pub fn call_name(call: &ToolCall, characters: usize) -> String {
    let about = subject(call);
    let is_path = is_path(&about) || file_shown(call).is_some_and(|path| path == about);
    let name = if is_path { path_end(&about, characters) } else { headline(&about, characters) };
    if name.is_empty() { headline(&call.name, characters) } else { name }
}

/// Such a name in fewer characters.
pub(super) fn shorter_name(name: &str, characters: usize) -> String {
    let is_path = is_path(name) || name.starts_with(CUT);
    if is_path { path_end(name, characters) } else { headline(name, characters) }
}

/// The end of a path, which says more than its beginning, in at most this many characters.
pub(super) fn path_end(path: &str, characters: usize) -> String {
    let path = headline(path, usize::MAX);
    if path.chars().count() <= characters {
        return path;
    }
    format!("{CUT}{}", last_chars(&path, characters.saturating_sub(1)))
}

/// Returns true if a text can only be the path of a file.
fn is_path(text: &str) -> bool {
    text.contains('/') && !text.contains("://") && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests;
