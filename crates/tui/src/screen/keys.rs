//! Hands a key to the part that it is for. The table for users is `docs/keys.md`.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

use super::{Exit, Screen};
use crate::composer::KeyEffect;
use crate::keyboard::{KeyPress, latin_key};
use crate::overlay::OverlayEffect;
use crate::port::Act;
use crate::status::Hint;
use crate::transcript::Block;

impl Screen {
    /// A key was pressed.
    pub(crate) fn key(&mut self, key: KeyEvent, now: Instant) -> Vec<Act> {
        if key.kind == KeyEventKind::Release {
            return Vec::new();
        }
        let key = latin_key(key);
        // Escape in the insert mode only leaves it, also in a text under a question.
        let leaves_insert = key.code == KeyCode::Esc && self.composer.leaves_insert_mode();
        let of_draft = leaves_insert && self.overlay.leaves_keys_to_draft(self.moment(now));
        if !of_draft && let Some(acts) = self.overlay_key(key, now) {
            return acts;
        }
        if self.overlay.asks() {
            // A question covers the candidates.
            self.composer.dismiss_list();
        }
        let key = KeyPress::of(key);
        let hint = self.status.take_hint();
        if key.is_control('c') {
            return self.break_key(hint, now);
        }
        if let Some(effect) = self.composer.vim_key(key, self.columns) {
            return self.apply(effect);
        }
        if let Some(effect) = self.composer.list_key(key) {
            return self.apply(effect);
        }
        if let Some(acts) = self.session_key(key, hint, now) {
            return acts;
        }
        if key.is_plain_enter() && !key.control {
            return self.enter();
        }
        let effect = self.composer.text_key(key, self.columns);
        self.apply(effect)
    }

    fn apply(&mut self, effect: KeyEffect) -> Vec<Act> {
        match effect {
            KeyEffect::Handled => Vec::new(),
            KeyEffect::Ask(act) => vec![act],
            KeyEffect::Submit(text) => {
                self.overlay.end_typing();
                self.submit(&text)
            }
        }
    }

    /// A key for the overlay; `None`: it is not for it.
    fn overlay_key(&mut self, key: KeyEvent, now: Instant) -> Option<Vec<Act>> {
        let effect = self.overlay.key(key, self.columns, self.moment(now));
        for (call, given) in self.overlay.take_given() {
            self.transcript.answer_call(&call, given, now);
        }
        match effect {
            OverlayEffect::NotMine => None,
            OverlayEffect::Ask(acts) => Some(acts),
            OverlayEffect::Interrupt => {
                self.transcript.drop_waiting_calls(now);
                Some(self.interrupt())
            }
            OverlayEffect::Print { tool, lines } => {
                self.transcript.print(Block::Notice(&format!("all of what {tool} would do:")));
                self.transcript.print_more(lines);
                Some(Vec::new())
            }
        }
    }

    /// Ctrl+C: clears the input, or else interrupts the turn; leaves when it is pressed twice in an empty input.
    fn break_key(&mut self, hint: Hint, now: Instant) -> Vec<Act> {
        self.composer.close_lists();
        if hint.is_second_leave(now) {
            return self.leave();
        }
        // A press that clears text is not the first of two.
        if self.composer.clear() {
            return Vec::new();
        }
        self.status.set_hint(Hint::LeaveAgain(now));
        if self.turn.is_busy() { self.interrupt() } else { Vec::new() }
    }

    /// A key that asks the session or the screen for something; `None`: it is for the input.
    fn session_key(&mut self, key: KeyPress, hint: Hint, now: Instant) -> Option<Vec<Act>> {
        let acts = match key.code {
            KeyCode::Esc if self.composer.hide_keys() => Vec::new(),
            KeyCode::Esc if self.turn.is_busy() => self.interrupt(),
            KeyCode::Esc => self.escape(hint, now),
            KeyCode::BackTab => vec![Act::NextMode],
            KeyCode::Tab if key.shift => vec![Act::NextMode],
            KeyCode::Char('b') if key.control && self.turn.is_running() && self.composer.is_empty() => {
                vec![Act::Background]
            }
            KeyCode::Char('d') if key.control && self.composer.is_empty() => self.leave(),
            KeyCode::Char('g') if key.control => vec![Act::EditInput(self.composer.full_text())],
            KeyCode::Char('o') if key.control => vec![Act::Transcript],
            KeyCode::Char('t') if key.control => {
                if !self.checklist.toggle(self.turn.is_running()) {
                    self.status.set_hint(Hint::NoChecklist);
                }
                Vec::new()
            }
            KeyCode::Char('v') if key.control => vec![Act::PastePicture],
            _ => return None,
        };
        Some(acts)
    }

    /// Esc with nothing to stop: twice in an empty input opens the list of turns to go back to.
    fn escape(&mut self, hint: Hint, now: Instant) -> Vec<Act> {
        if !self.composer.is_empty() || self.exit != Exit::Stay {
            return Vec::new();
        }
        if hint.is_second_rewind(now) {
            self.overlay.end_typing();
            return vec![Act::Rewind];
        }
        self.status.set_hint(Hint::RewindAgain(now));
        Vec::new()
    }

    /// Sends the input, or the first paused one; after a backslash, begins a new line.
    fn enter(&mut self) -> Vec<Act> {
        if self.composer.continue_line() || self.exit != Exit::Stay {
            return Vec::new();
        }
        if self.composer.is_empty() && !self.turn.is_busy() {
            return self.composer.resume_queue().map(|text| self.send(text)).into_iter().collect();
        }
        self.overlay.end_typing();
        let text = self.composer.take();
        self.submit(&text)
    }

    /// A paste from the terminal.
    pub(crate) fn paste(&mut self, text: &str, now: Instant) -> Vec<Act> {
        if self.overlay.paste(text, self.moment(now)) {
            return Vec::new();
        }
        self.status.take_hint();
        self.composer.paste(text).into_iter().collect()
    }
}
