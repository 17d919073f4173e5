//! The keys that change the text of an editor, or move in it.

use crossterm::event::KeyCode;

use crate::editor::Editor;
use crate::keyboard::KeyPress;

/// Moves in the text. Returns false if the key is no move.
pub(super) fn move_cursor(editor: &mut Editor, key: KeyPress) -> bool {
    match (key.code, key.control, key.alt) {
        (KeyCode::Left, true, _) | (KeyCode::Left | KeyCode::Char('b'), _, true) => editor.word_left(),
        (KeyCode::Right, true, _) | (KeyCode::Right | KeyCode::Char('f'), _, true) => editor.word_right(),
        (KeyCode::Left, ..) | (KeyCode::Char('b'), true, _) => editor.left(),
        (KeyCode::Right, ..) | (KeyCode::Char('f'), true, _) => editor.right(),
        (KeyCode::Home, ..) | (KeyCode::Char('a'), true, _) => editor.home(),
        (KeyCode::End, ..) | (KeyCode::Char('e'), true, _) => editor.end(),
        _ => return false,
    }
    true
}

/// Changes the text. Returns false if the key changes none.
pub(super) fn change_text(editor: &mut Editor, key: KeyPress) -> bool {
    match (key.code, key.control, key.alt) {
        (KeyCode::Enter, _, _) | (KeyCode::Char('j'), true, _) => editor.insert("\n"),
        (KeyCode::Backspace | KeyCode::Char('w'), true, _) | (KeyCode::Backspace, _, true) => {
            editor.kill_word();
        }
        (KeyCode::Char('d'), _, true) => editor.kill_word_right(),
        (KeyCode::Backspace, ..) | (KeyCode::Char('h'), true, _) => editor.backspace(),
        (KeyCode::Delete, ..) | (KeyCode::Char('d'), true, _) => editor.delete(),
        (KeyCode::Char('k'), true, _) => editor.kill_to_end(),
        (KeyCode::Char('u'), true, _) => editor.kill_to_start(),
        (KeyCode::Char('y'), true, _) => editor.yank(),
        (KeyCode::Char('_' | '-' | '7'), true, _) => editor.undo(),
        (KeyCode::Char(letter), false, false) => editor.insert(letter.encode_utf8(&mut [0; 4])),
        // Keyboards that write letters with AltGr report both.
        (KeyCode::Char(letter), true, true) if !letter.is_ascii_alphanumeric() => {
            editor.insert(letter.encode_utf8(&mut [0; 4]));
        }
        _ => return false,
    }
    true
}
