//! The words of a message of a server.

use std::collections::BTreeSet;

/// The words of a message. The name of a field or of a tool is one word, so a field is not found in the name of a tool that has it as a
/// part.
pub(super) fn words(message: &str) -> BTreeSet<&str> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    message.split(|letter: char| !is_of_name(letter)).collect()
}
