//! The anchor of a heading, as hosts of repositories and mdBook make it.

/// The name of a heading: its letters and digits in lower case, with hyphens between words.
pub(super) fn of(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || " -_".contains(*letter);
    let text: String = shown(heading).chars().filter(kept).collect();
    text.to_lowercase().replace(' ', "-")
}

/// The text that a reader sees: of a link its name alone.
fn shown(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text
}

/// A line without what is in backticks.
pub(super) fn without_code(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    let closed = parts.len() % 2 == 1;
    let is_text = |at: usize| at.is_multiple_of(2) || (!closed && at + 1 == parts.len());
    let kept = parts.iter().enumerate().filter(|(at, _)| is_text(*at)).map(|(_, part)| *part);
    kept.collect::<Vec<_>>().join("`")
}
