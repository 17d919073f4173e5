//! Keys with their modifiers, and non-Latin keyboard layouts: with Ctrl or Alt a key counts by its position, not its letter.
//!
//! A terminal that reports modifiers reports the letter of the active layout; classic control codes used the Latin one. The
//! kitty keyboard protocol can report both, but crossterm drops one of them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Keyboard layouts, one per line.
const LAYOUTS: &str = include_str!("layouts.txt");
/// The keys in the order of the layouts.
const KEYS: &str = "qwertyuiopasdfghjklzxcvbnm";

/// A key and the modifiers that are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyPress {
    pub(crate) code: KeyCode,
    pub(crate) control: bool,
    pub(crate) alt: bool,
    pub(crate) shift: bool,
}

impl KeyPress {
    pub(crate) fn of(key: KeyEvent) -> Self {
        Self {
            code: key.code,
            control: key.modifiers.contains(KeyModifiers::CONTROL),
            alt: key.modifiers.contains(KeyModifiers::ALT),
            shift: key.modifiers.contains(KeyModifiers::SHIFT),
        }
    }

    /// Returns true for this letter with Ctrl.
    pub(crate) fn is_control(self, letter: char) -> bool {
        self.control && self.code == KeyCode::Char(letter)
    }

    /// Returns true for Enter without a modifier that makes it a new line.
    pub(crate) fn is_plain_enter(self) -> bool {
        self.code == KeyCode::Enter && !self.alt && !self.shift
    }
}

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
