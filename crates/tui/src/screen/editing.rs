//! The keys that change the text of the input, or move in it.

use crossterm::event::{KeyCode, KeyEvent};

use super::Screen;
use super::keys::Held;

impl Screen {
    /// Changes the text or moves in it. `false`: the text is the same.
    pub(super) fn edit(&mut self, key: KeyEvent, held: Held) -> bool {
        let input = &mut self.input;
        match (key.code, held.control, held.alt) {
            (KeyCode::Enter, _, _) | (KeyCode::Char('j'), true, _) => input.insert("\n"),
            (KeyCode::Left, true, _) | (KeyCode::Left | KeyCode::Char('b'), _, true) => {
                input.word_left();
                return false;
            }
            (KeyCode::Right, true, _) | (KeyCode::Right | KeyCode::Char('f'), _, true) => {
                input.word_right();
                return false;
            }
            (KeyCode::Left, ..) | (KeyCode::Char('b'), true, _) => {
                input.left();
                return false;
            }
            (KeyCode::Right, ..) | (KeyCode::Char('f'), true, _) => {
                input.right();
                return false;
            }
            (KeyCode::Home, ..) | (KeyCode::Char('a'), true, _) => {
                input.home();
                return false;
            }
            (KeyCode::End, ..) | (KeyCode::Char('e'), true, _) => {
                input.end();
                return false;
            }
            (KeyCode::Backspace | KeyCode::Char('w'), true, _) | (KeyCode::Backspace, _, true) => {
                input.kill_word();
            }
            (KeyCode::Char('d'), _, true) => input.kill_word_right(),
            (KeyCode::Backspace, ..) | (KeyCode::Char('h'), true, _) => input.backspace(),
            (KeyCode::Delete, ..) | (KeyCode::Char('d'), true, _) => input.delete(),
            (KeyCode::Char('k'), true, _) => input.kill_to_end(),
            (KeyCode::Char('u'), true, _) => input.kill_to_start(),
            (KeyCode::Char('y'), true, _) => input.yank(),
            (KeyCode::Char('_' | '-' | '7'), true, _) => input.undo(),
            (KeyCode::Char(letter), false, false) => input.insert(letter.encode_utf8(&mut [0; 4])),
            // Keyboards that write letters with AltGr report both.
            (KeyCode::Char(letter), true, true) if !letter.is_ascii_alphanumeric() => {
                input.insert(letter.encode_utf8(&mut [0; 4]));
            }
            _ => return false,
        }
        true
    }
}
