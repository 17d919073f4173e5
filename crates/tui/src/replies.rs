//! Answers of the terminal among the keys: a query's answer arrives as if it had been typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// How answers begin, after `ESC ]`: to the query for the program status, and to one for the ground that came late.
const STARTS: [&str; 2] = ["7501;", "11;"];
/// Longer text is no answer.
const LONGEST: usize = 400;

/// Takes the terminal's answer out of the keys.
#[derive(Debug, Default)]
pub(crate) struct Replies {
    held: Vec<KeyEvent>,
    text: String,
}

/// What a key was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyOrReply {
    /// Keys for the screen; none while it is not yet clear.
    Keys(Vec<KeyEvent>),
    /// The answer, without its frame.
    Reply(String),
}

impl Replies {
    /// Takes the next key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> KeyOrReply {
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        if self.held.is_empty() {
            if alt && key.code == KeyCode::Char(']') {
                self.held.push(key);
                return KeyOrReply::Keys(Vec::new());
            }
            return KeyOrReply::Keys(vec![key]);
        }
        self.held.push(key);
        let ends = (alt && key.code == KeyCode::Char('\\'))
            || (key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('g'));
        if ends && STARTS.iter().any(|start| self.text.starts_with(start)) {
            self.held.clear();
            return KeyOrReply::Reply(std::mem::take(&mut self.text));
        }
        match key.code {
            KeyCode::Char(letter) if !alt && !key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.text.push(letter);
                let fits =
                    STARTS.iter().any(|start| self.text.starts_with(start) || start.starts_with(&self.text));
                if fits && self.text.len() < LONGEST {
                    return KeyOrReply::Keys(Vec::new());
                }
            }
            _ => {}
        }
        self.text.clear();
        KeyOrReply::Keys(std::mem::take(&mut self.held))
    }
}

#[cfg(test)]
mod tests;
