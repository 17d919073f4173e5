//! The title of a session.

use throughline_text::{headline, plain};

/// Maximum characters of a title.
const MAX_CHARACTERS: usize = 120;

/// What marks the title of a fork, up to its number.
const FORK: &str = " (fork";

/// The title that a text gives a session: its first line, cut to 120 characters.
#[must_use]
pub fn title_of(text: &str) -> String {
    headline(text, MAX_CHARACTERS)
}

/// The title of a copy of a session, which no session of a list has. An empty title stays empty.
#[must_use]
pub fn title_of_fork(title: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let original = original_title(title);
    if original.is_empty() {
        return String::new();
    }
    let first = format!("{original}{FORK})");
    let more = (2_u32..).map(|number| format!("{original}{FORK} {number})"));
    std::iter::once(first).chain(more).find(|title| !is_taken(title)).unwrap_or_default()
}

/// The title without the mark of a fork.
fn original_title(title: &str) -> &str {
    let Some((original, mark)) = title.rsplit_once(FORK) else { return title };
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = mark.strip_suffix(')').and_then(|number| number.strip_prefix(' '));
    if mark == ")" || number.is_some_and(is_number) { original } else { title }
}

/// Returns true if a title may have been made of a text. An empty title was made of nothing.
#[must_use]
pub fn is_title_of(title: &str, text: &str) -> bool {
    let stem = original_title(title).trim_end_matches('…');
    !stem.is_empty() && plain(text).contains(stem)
}

#[cfg(test)]
mod tests;
