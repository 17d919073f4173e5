//! Handles the keys. The table for users is `docs/keys.md`.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::{Screen, TWICE};
use crate::composer::{CompletionTarget, Search};
use crate::keyboard::latin_key;
use crate::overlay::KeyOutcome;
use crate::port::Act;

/// Which modifiers are held.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub(super) control: bool,
    pub(super) alt: bool,
    shift: bool,
}

impl Screen {
    /// A key was pressed.
    pub(crate) fn key(&mut self, key: KeyEvent, now: Instant) -> Vec<Act> {
        if key.kind == KeyEventKind::Release {
            return Vec::new();
        }
        let key = latin_key(key);
        let held = Held {
            control: key.modifiers.contains(KeyModifiers::CONTROL),
            alt: key.modifiers.contains(KeyModifiers::ALT),
            shift: key.modifiers.contains(KeyModifiers::SHIFT),
        };
        let before = self.typed_at.replace(now);
        self.approvals.tidy();
        if let Some(choice) = &mut self.choice {
            let (acts, closed) = choice.key(key);
            if closed {
                self.choice = None;
            }
            return acts;
        }
        if !self.approvals.is_empty()
            && let Some(acts) = self.approval_key(key, now, before)
        {
            return acts;
        }
        if held.control && key.code == KeyCode::Char('c') {
            return self.break_key(now);
        }
        self.break_at = None;
        if key.code != KeyCode::Esc {
            self.escape_at = None;
        }
        if !self.leaving {
            self.hint.clear();
        }
        if self.search.is_some() {
            if let Some(acts) = self.search_key(key, held) {
                return acts;
            }
        } else if self.completion.is_some()
            && let Some(acts) = self.completion_key(key, held)
        {
            return acts;
        }
        self.input_key(key, held, now)
    }

    /// A key while a question is shown; `None`: it is for the input. `typed`: when the key before it was pressed.
    fn approval_key(&mut self, key: KeyEvent, now: Instant, typed: Option<Instant>) -> Option<Vec<Act>> {
        let asked = self.approvals.call_id().map(str::to_owned);
        let outcome = self.approvals.key(key, now);
        if self.approvals.call_id() != asked.as_deref()
            && let Some(call) = self.calls.iter_mut().find(|call| Some(&call.call_id) == asked.as_ref())
        {
            call.restart(now);
        }
        match outcome {
            KeyOutcome::Taken => Some(Vec::new()),
            KeyOutcome::Stop => Some(self.interrupt()),
            KeyOutcome::ShowAll => {
                let lines = self.approvals.whole(self.columns);
                let tool = self.approvals.tool().unwrap_or_default().to_owned();
                self.print_notice(&format!("all of what {tool} would do:"));
                self.print_more(lines);
                Some(Vec::new())
            }
            // A user who was typing when the question appeared may type a little longer, but sends nothing.
            KeyOutcome::NotMine if matches!(key.code, KeyCode::Enter) => {
                self.typed_at = typed;
                Some(Vec::new())
            }
            KeyOutcome::NotMine => None,
        }
    }

    /// Ctrl+C: clears the input, stops the turn, and leaves when it is pressed twice.
    fn break_key(&mut self, now: Instant) -> Vec<Act> {
        let twice = self.break_at.is_some_and(|first| now.saturating_duration_since(first) < TWICE);
        self.break_at = Some(now);
        self.search = None;
        self.completion = None;
        if twice {
            self.break_at = None;
            return self.leave();
        }
        if !self.leaving {
            self.hint = "ctrl+c again to leave".to_owned();
        }
        if !self.input.is_empty() {
            self.input.clear();
            self.history.leave();
            return Vec::new();
        }
        if self.works() { self.interrupt() } else { Vec::new() }
    }

    fn completion_key(&mut self, key: KeyEvent, held: Held) -> Option<Vec<Act>> {
        let completion = self.completion.as_mut()?;
        match key.code {
            KeyCode::Up => completion.up(),
            KeyCode::Down => completion.down(),
            KeyCode::Char('p') if held.control => completion.up(),
            KeyCode::Char('n') if held.control => completion.down(),
            KeyCode::Esc => {
                self.completion = None;
                self.dismissed = true;
            }
            KeyCode::Tab => return Some(self.accept(false)),
            KeyCode::Enter if !held.alt && !held.shift => return Some(self.accept(true)),
            _ => return None,
        }
        Some(Vec::new())
    }

    /// Puts in what is chosen, and sends it when it is a command that needs no more.
    fn accept(&mut self, send: bool) -> Vec<Act> {
        let Some(completion) = self.completion.take() else { return Vec::new() };
        let Some(item) = completion.item().cloned() else { return Vec::new() };
        match completion.wanted {
            CompletionTarget::Command(_) => {
                if send && item.complete {
                    self.input.clear();
                    return self.submit(item.insert);
                }
                self.input.replace_from(0, &format!("{} ", item.insert));
            }
            CompletionTarget::Path { from, .. } => {
                self.input.replace_from(from, &item.insert);
                self.asked_files = None;
            }
        }
        self.dismissed = false;
        self.complete()
    }

    fn search_key(&mut self, key: KeyEvent, held: Held) -> Option<Vec<Act>> {
        let search = self.search.as_mut()?;
        match key.code {
            KeyCode::Char('r') if held.control => search.older(&self.history),
            KeyCode::Char('g') if held.control => self.search = None,
            KeyCode::Esc => self.search = None,
            KeyCode::Char(letter) if !held.control && !held.alt => {
                search.query.push(letter);
                search.again(&self.history);
            }
            KeyCode::Backspace => {
                search.query.pop();
                search.again(&self.history);
            }
            KeyCode::Up | KeyCode::Down | KeyCode::Tab => self.take_found(),
            KeyCode::Enter => {
                self.take_found();
                let text = self.input.take();
                return Some(self.submit(text));
            }
            _ => {
                self.take_found();
                return None;
            }
        }
        Some(Vec::new())
    }

    fn take_found(&mut self) {
        let Some(search) = self.search.take() else { return };
        if let Some(found) = search.found(&self.history) {
            self.input.set(found);
        }
    }

    /// Esc without anything to stop: twice in an empty input opens the list of turns to go back to.
    fn escape(&mut self, now: Instant) -> Vec<Act> {
        if !self.input.is_empty() || self.leaving {
            return Vec::new();
        }
        let twice = self.escape_at.is_some_and(|first| now.saturating_duration_since(first) < TWICE);
        self.escape_at = (!twice).then_some(now);
        if twice {
            return vec![Act::Rewind];
        }
        self.hint = "esc again to go back to an earlier turn".to_owned();
        Vec::new()
    }

    fn input_key(&mut self, key: KeyEvent, held: Held, now: Instant) -> Vec<Act> {
        match key.code {
            KeyCode::Esc => {
                if self.keys_shown {
                    self.keys_shown = false;
                    return Vec::new();
                }
                return if self.works() { self.interrupt() } else { self.escape(now) };
            }
            KeyCode::Char('v') if held.control => return vec![Act::PastePicture],
            KeyCode::Char('t') if held.control => {
                self.plan_shown = !self.plan_shown;
                if self.plan.is_empty() {
                    self.hint = "the model has written no checklist yet".to_owned();
                    self.plan_shown = false;
                }
                return Vec::new();
            }
            KeyCode::BackTab => return vec![Act::NextMode],
            KeyCode::Tab if held.shift => return vec![Act::NextMode],
            KeyCode::Char('d') if held.control && self.input.is_empty() => return self.leave(),
            KeyCode::Char('g') if held.control => return vec![Act::EditInput(self.input.whole())],
            KeyCode::Char('o') if held.control => return vec![Act::Transcript],
            KeyCode::Char('r') if held.control => {
                self.completion = None;
                self.search = Some(Search::default());
                return Vec::new();
            }
            KeyCode::Char('?') if self.input.is_empty() && !held.control => {
                self.keys_shown = !self.keys_shown;
                return Vec::new();
            }
            KeyCode::Enter if !held.alt && !held.shift && !held.control => return self.enter(),
            KeyCode::Up => return self.up(),
            KeyCode::Down => return self.down(),
            _ => {}
        }
        if self.edit(key, held) {
            self.keys_shown = false;
            self.dismissed = false;
            self.history.leave();
        }
        self.complete()
    }

    /// Sends, or goes to the next line behind a backslash.
    fn enter(&mut self) -> Vec<Act> {
        if self.input.before().ends_with('\\') {
            self.input.backspace();
            self.input.insert("\n");
            return Vec::new();
        }
        if self.leaving {
            return Vec::new();
        }
        if self.input.is_empty() && !self.works() {
            return self.send_paused();
        }
        let text = self.input.take();
        self.completion = None;
        self.dismissed = false;
        // Who has sent has stopped typing: a question that comes now may be answered at once.
        self.typed_at = None;
        self.submit(text)
    }

    fn up(&mut self) -> Vec<Act> {
        if !self.input.up(self.input_columns()) {
            // Queued inputs come before earlier ones: they were typed last.
            if self.input.is_empty()
                && let Some(newest) = self.queue.pop_back().or_else(|| self.paused.pop_back())
            {
                self.input.set(&newest);
                return Vec::new();
            }
            let current = self.input.whole();
            if let Some(entry) = self.history.back(&current).map(str::to_owned) {
                self.input.set(&entry);
            }
        }
        self.dismissed = true;
        self.complete()
    }

    fn down(&mut self) -> Vec<Act> {
        if !self.input.down(self.input_columns())
            && let Some(entry) = self.history.forth().map(str::to_owned)
        {
            self.input.set(&entry);
        }
        self.dismissed = true;
        self.complete()
    }
}
