//! Keyboards that write other letters: with Ctrl or Alt the key is meant, not its letter.
//!
//! Where a terminal tells keys with their modifiers, it tells the letter of the layout that is chosen; the plain codes of
//! old told the Latin one. The kitty keyboard protocol can tell both, but the library that reads the keys keeps one.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Layouts, a line each.
const LAYOUTS: &str = include_str!("layouts.txt");
/// The keys in the order of the layouts.
const KEYS: &str = "qwertyuiopasdfghjklzxcvbnm";

/// The same key by the Latin letter of its place, when it is held with one of them.
pub(crate) fn by_place(key: KeyEvent) -> KeyEvent {
    // With both, a keyboard writes its third letters.
    let held = key.modifiers.intersection(KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Char(letter) if held == KeyModifiers::CONTROL || held == KeyModifiers::ALT => {
            KeyEvent { code: KeyCode::Char(latin(letter).unwrap_or(letter)), ..key }
        }
        _ => key,
    }
}

fn latin(letter: char) -> Option<char> {
    if letter.is_ascii() {
        return None;
    }
    let small = letter.to_lowercase().next()?;
    let place = layouts().find_map(|(_, letters)| letters.chars().position(|own| own == small))?;
    KEYS.chars().nth(place)
}

/// Names and letters.
fn layouts() -> impl Iterator<Item = (&'static str, String)> {
    let lines = LAYOUTS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
    lines.map(|(name, letters)| (name, letters.split_whitespace().collect()))
}

#[cfg(test)]
mod tests;
