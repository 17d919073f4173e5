//! Non-Latin keyboard layouts: with Ctrl or Alt a key counts by its position, not its letter.
//!
//! A terminal that reports modifiers reports the letter of the active layout; classic control codes used the Latin one. The
//! kitty keyboard protocol can report both, but crossterm drops one of them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Keyboard layouts, one per line.
const LAYOUTS: &str = include_str!("layouts.txt");
/// The keys in the order of the layouts.
const KEYS: &str = "qwertyuiopasdfghjklzxcvbnm";

/// Replaces the letter by the Latin one at its position if Ctrl or Alt is held.
pub(crate) fn latin_key(key: KeyEvent) -> KeyEvent {
    // Ctrl+Alt is AltGr, which types third-level letters.
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
