//! Beginning and end of a text that has no room as a whole.

use throughline_text::{first_lines, group_thousands, last_lines};

/// With less room than this a text is named and not shown.
pub(crate) const LEAST_CHARS: usize = 500;

/// The omission between beginning and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OmittedPart {
    /// The first line of the text that is not shown, from 1.
    pub(crate) line: usize,
    /// How many characters are missing.
    pub(crate) chars: u64,
    /// Whether a part of them was counted in bytes because it was not read.
    pub(crate) about: bool,
}

impl OmittedPart {
    /// The line that describes it. `how` tells how to read the rest.
    pub(crate) fn describe(self, how: &str) -> String {
        let about = if self.about { "about " } else { "" };
        let chars = group_thousands(self.chars);
        format!("[From line {} on, {about}{chars} characters are left out here; {how}.]", self.line)
    }
}

/// The text within this many characters, and whether it was cut: about 70 per cent of the room are its beginning and 20
/// per cent its end. `hidden` characters between them are missing already. `None` when there is no room worth using.
pub(crate) fn within(text: &str, hidden: u64, most: usize, how: &str) -> Option<(String, bool)> {
    let all = text.chars().count();
    if all <= most && hidden == 0 {
        return Some((text.to_owned(), false));
    }
    let widest =
        OmittedPart { line: usize::MAX, chars: u64::MAX, about: true }.describe(how).chars().count() + 4;
    let room = most.checked_sub(widest).filter(|room| *room >= LEAST_CHARS)?;
    let beginning = room * 7 / 9;
    let head = first_lines(text, beginning);
    let tail = last_lines(text, room - beginning);
    let shown = head.chars().count() + tail.chars().count();
    let chars = hidden.saturating_add(all.saturating_sub(shown) as u64);
    // A line that is cut in the middle is the first one to read again.
    let line = head.lines().count() + usize::from(head.ends_with('\n'));
    let gap = OmittedPart { line, chars, about: hidden > 0 };
    Some((format!("{}\n\n{}\n\n{tail}", head.trim_end_matches('\n'), gap.describe(how)), true))
}

#[cfg(test)]
mod tests;
