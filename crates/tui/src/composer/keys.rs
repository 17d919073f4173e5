//! The keys of the input.

use crossterm::event::KeyCode;

use super::Composer;
use super::completion::CompletionTarget;
use super::draw::text_columns;
use super::editing::{change_text, move_cursor};
use super::history::Search;
use crate::keyboard::KeyPress;
use crate::port::Act;
use crate::vim::{Motion, VimCommand, VimMode, VimStep};

/// What a key leads to.
#[derive(Debug)]
pub(crate) enum KeyEffect {
    /// Nothing outside the input.
    Handled,
    /// The session is asked for something.
    Ask(Act),
    /// This input is sent.
    Submit(String),
}

impl From<Option<Act>> for KeyEffect {
    fn from(act: Option<Act>) -> Self {
        act.map_or(Self::Handled, Self::Ask)
    }
}

impl Composer {
    /// A key for vim's modes; `None`: it has its usual meaning.
    pub(crate) fn vim_key(&mut self, key: KeyPress, columns: usize) -> Option<KeyEffect> {
        let closes = key.code == KeyCode::Esc && (self.keys_shown || self.search.is_some());
        if closes || self.search.is_some() {
            return None;
        }
        // Terminals send Esc and a letter at once as that letter with Alt.
        let is_escaped = matches!(key.code, KeyCode::Char(_)) && key.alt && !key.control;
        if is_escaped && self.vim.as_ref().is_some_and(|vim| vim.mode() == VimMode::Insert) {
            self.vim_key(KeyPress { code: KeyCode::Esc, alt: false, ..key }, columns);
            return self.vim_key(KeyPress { alt: false, ..key }, columns);
        }
        let before = self.editor.text().len();
        let command = match self.vim.as_mut()?.key(key, self.editor.is_empty()) {
            VimStep::Usual => return None,
            VimStep::Taken => return Some(KeyEffect::Handled),
            VimStep::Run(command) => command,
        };
        self.completer.close();
        if !self.editor.run(command, text_columns(columns)) {
            // At the first and the last row, earlier inputs.
            return Some(match command {
                VimCommand::Move { motion: Motion::Up, .. } => self.up(columns),
                _ => self.down(columns),
            });
        }
        if self.editor.text().len() != before {
            self.keys_shown = false;
            self.completer.allow();
            self.history.detach();
        }
        Some(KeyEffect::Handled)
    }

    /// A key while a search or a completion is open; `None`: it is not for them.
    pub(crate) fn list_key(&mut self, key: KeyPress) -> Option<KeyEffect> {
        if self.search.is_some() { self.search_key(key) } else { self.completion_key(key) }
    }

    fn completion_key(&mut self, key: KeyPress) -> Option<KeyEffect> {
        let completion = self.completer.open_mut()?;
        match key.code {
            KeyCode::Up => completion.select_previous(),
            KeyCode::Down => completion.select_next(),
            KeyCode::Char('p') if key.control => completion.select_previous(),
            KeyCode::Char('n') if key.control => completion.select_next(),
            KeyCode::Esc => self.completer.dismiss(),
            KeyCode::Tab => return Some(self.insert_selected(false)),
            KeyCode::Enter if key.is_plain_enter() => return Some(self.insert_selected(true)),
            _ => return None,
        }
        Some(KeyEffect::Handled)
    }

    /// Inserts the selected candidate. `send`: a command that needs no argument is sent.
    fn insert_selected(&mut self, send: bool) -> KeyEffect {
        let Some(completion) = self.completer.close() else { return KeyEffect::Handled };
        let Some(candidate) = completion.candidate() else { return KeyEffect::Handled };
        match completion.target {
            CompletionTarget::Command(_) => {
                if send && candidate.complete {
                    self.editor.clear();
                    return KeyEffect::Submit(candidate.insert.clone());
                }
                self.editor.replace_from(0, &format!("{} ", candidate.insert));
            }
            CompletionTarget::Path { from, .. } => {
                self.editor.replace_from(from, &candidate.insert);
                self.completer.forget_request();
            }
        }
        self.completer.allow();
        self.complete().into()
    }

    fn search_key(&mut self, key: KeyPress) -> Option<KeyEffect> {
        let search = self.search.as_mut()?;
        match key.code {
            KeyCode::Char('r') if key.control => search.older(&self.history),
            KeyCode::Char('g') if key.control => self.search = None,
            KeyCode::Esc => self.search = None,
            KeyCode::Char(letter) if !key.control && !key.alt => {
                search.query.push(letter);
                search.restart(&self.history);
            }
            KeyCode::Backspace => {
                search.query.pop();
                search.restart(&self.history);
            }
            KeyCode::Up | KeyCode::Down | KeyCode::Tab => self.take_found(),
            KeyCode::Enter => {
                self.take_found();
                return Some(KeyEffect::Submit(self.editor.take()));
            }
            _ => {
                self.take_found();
                return None;
            }
        }
        Some(KeyEffect::Handled)
    }

    /// Ends the search with what it found.
    fn take_found(&mut self) {
        let Some(search) = self.search.take() else { return };
        if let Some(found) = search.found(&self.history) {
            self.editor.set(found);
        }
    }

    /// A key in the text.
    pub(crate) fn text_key(&mut self, key: KeyPress, columns: usize) -> KeyEffect {
        let effect = self.usual_key(key, columns);
        self.settle();
        effect
    }

    fn usual_key(&mut self, key: KeyPress, columns: usize) -> KeyEffect {
        match key.code {
            KeyCode::Char('r') if key.control => {
                self.completer.close();
                self.search = Some(Search::default());
                return KeyEffect::Handled;
            }
            KeyCode::Char('?') if self.editor.is_empty() && !key.control => {
                self.keys_shown = !self.keys_shown;
                return KeyEffect::Handled;
            }
            KeyCode::Up => return self.up(columns),
            KeyCode::Down => return self.down(columns),
            _ => {}
        }
        if !move_cursor(&mut self.editor, key) && change_text(&mut self.editor, key) {
            self.keys_shown = false;
            self.completer.allow();
            self.history.detach();
        }
        self.complete().into()
    }

    /// The row above, a queued input, or an earlier one.
    fn up(&mut self, columns: usize) -> KeyEffect {
        if !self.editor.up(text_columns(columns)) {
            // Queued inputs come before earlier ones: they were typed last.
            if self.editor.is_empty()
                && let Some(newest) = self.queue.pop_newest()
            {
                self.editor.set(&newest);
                self.settle();
                return KeyEffect::Handled;
            }
            let current = self.editor.full_text();
            if let Some(entry) = self.history.previous(&current) {
                self.editor.set(entry);
            }
        }
        self.completer.dismiss();
        self.settle();
        KeyEffect::Handled
    }

    fn down(&mut self, columns: usize) -> KeyEffect {
        if !self.editor.down(text_columns(columns))
            && let Some(entry) = self.history.next()
        {
            self.editor.set(entry);
        }
        self.completer.dismiss();
        self.settle();
        KeyEffect::Handled
    }
}
