//! The keys of a text on one line, as in a question.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Editor;

impl Editor {
    /// Edits the text by a key. Other keys, such as Enter, change nothing.
    pub(crate) fn line_key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Backspace => self.backspace(),
            KeyCode::Delete => self.delete(),
            KeyCode::Left => self.left(),
            KeyCode::Right => self.right(),
            KeyCode::Home => self.home(),
            KeyCode::End => self.end(),
            KeyCode::Char('u') if control => self.clear(),
            KeyCode::Char('w') if control => self.kill_word(),
            KeyCode::Char(letter) if !control => self.insert(letter.encode_utf8(&mut [0; 4])),
            _ => {}
        }
    }
}
