//! The title of a session.

use throughline_text::{headline, plain};

/// Maximum characters of a title.
const MAX_CHARACTERS: usize = 120;

/// What marks the title of a fork, up to its number.
const FORK: &str = " (fork";

/// What a line of Markdown may begin with.
const LINE_MARKS: [char; 5] = ['#', '-', '*', '>', ' '];

/// The title that a text gives a session: its first line, cut to 120 characters. A first line that only leads to the next one, as
/// `Implement this plan:` does, has that one behind it.
#[must_use]
pub fn title_of(text: &str) -> String {
    let first = headline(text, MAX_CHARACTERS);
    let next = match first.ends_with([':', '：']) {
        true => text.lines().map(str::trim).filter(|line| !line.is_empty()).nth(1).unwrap_or_default(),
        false => "",
    };
    let next = next.trim_start_matches(LINE_MARKS);
    // A fence or a tag says nothing about the request.
    match next.starts_with(['`', '<', '~']) || next.is_empty() {
        true => first,
        false => headline(&format!("{first} {next}"), MAX_CHARACTERS),
    }
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
    !stem.is_empty() && (plain(text).contains(stem) || title_of(text).starts_with(stem))
}

#[cfg(test)]
mod tests;
