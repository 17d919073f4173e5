//! Lines of a bounded list.

use throughline_conversation::TokenCounter;
use throughline_text::cut_end;

/// Longest line about a command or an error, in bytes.
pub(crate) const LINE: usize = 200;

/// The newest lines within that many tokens, oldest first, as a list.
#[must_use]
pub fn newest(lines: &[String], budget: u64, counter: &dyn TokenCounter) -> String {
    let mut left = budget;
    let mut chosen = Vec::new();
    for line in lines.iter().rev() {
        let line = format!("- {line}");
        let tokens = counter.text(&line);
        if tokens > left {
            break;
        }
        left -= tokens;
        chosen.push(line);
    }
    chosen.reverse();
    chosen.join("\n")
}

/// A text as one line of at most 200 bytes and a mark where it was cut.
#[must_use]
pub fn one_line(text: &str) -> String {
    bounded(text, LINE)
}

/// A text as one line of at most that many bytes and a mark where it was cut.
pub(crate) fn bounded(text: &str, bytes: usize) -> String {
    let start = cut_end(text, 4 * bytes);
    let words: Vec<&str> = start
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    match cut_end(&line, bytes) {
        cut if cut.len() < line.len() || start.len() < text.len() => format!("{cut}…"),
        _ => line,
    }
}

/// The items of such a list.
pub(crate) fn items(lines: &str) -> impl Iterator<Item = &str> {
    lines.lines().filter_map(|line| line.strip_prefix("- "))
}
