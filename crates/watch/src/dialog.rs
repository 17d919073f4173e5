//! Recognises a dialog on a screen: keys that are typed then would answer it.

/// What the chosen item of a list begins with.
const CHOSEN: [char; 6] = ['❯', '›', '●', '>', '▶', '◉'];

/// Words near a question that keys answer.
const ASKS: [&str; 8] = [
    "(y/n)",
    "[y/n]",
    "enter to select",
    "enter to confirm",
    "enter to continue",
    "esc to cancel",
    "esc to go back",
    "esc to close",
];

/// Returns true if the rows of a screen show a dialog: a list with a chosen item, or a question that keys answer. Texts of an
/// agent may look the same.
pub fn shows_dialog<'r>(rows: impl IntoIterator<Item = &'r str>) -> bool {
    rows.into_iter().any(|row| {
        let lower = row.to_lowercase();
        is_chosen_item(row) || ASKS.iter().any(|words| lower.contains(words))
    })
}

/// Returns true for a row such as `│ ● 1. Allow once │`.
fn is_chosen_item(row: &str) -> bool {
    let is_frame = |letter: char| letter.is_whitespace() || ('\u{2500}'..='\u{259f}').contains(&letter);
    let Some(item) = row.trim_start_matches(is_frame).strip_prefix(CHOSEN) else { return false };
    let item = item.trim_start();
    let after = item.trim_start_matches(|letter: char| letter.is_ascii_digit());
    after.len() < item.len() && after.starts_with(['.', ')'])
}

#[cfg(test)]
mod tests;
