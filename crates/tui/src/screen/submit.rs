//! Sending what was typed, now or when the session is ready.

use std::time::Instant;

use super::Screen;
use crate::composer::{Completion, CompletionTarget, naming, wanted};
use crate::port::{Act, TurnState};

impl Screen {
    /// Sends a text as if it had been typed.
    pub(crate) fn submit(&mut self, text: String) -> Vec<Act> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        self.history.sent(&text);
        self.hint.clear();
        self.keys_shown = false;
        if self.busy && !self.is_anytime(&text) {
            self.queue.push_back(text);
            return Vec::new();
        }
        self.send(text)
    }

    pub(super) fn send(&mut self, text: String) -> Vec<Act> {
        self.finish_stream();
        self.print_user(&text);
        self.busy |= !self.is_anytime(&text);
        vec![Act::Submit(text)]
    }

    fn is_anytime(&self, text: &str) -> bool {
        let fits = |name: &str| {
            text.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        };
        let best = self
            .commands
            .iter()
            .filter(|command| fits(&command.name))
            .max_by_key(|command| command.name.len());
        best.is_some_and(|command| command.anytime)
    }

    /// Stops the turn. Queued inputs are paused.
    pub(super) fn interrupt(&mut self) -> Vec<Act> {
        self.pause_queue();
        if self.interrupted {
            return Vec::new();
        }
        self.interrupted = true;
        vec![Act::Interrupt]
    }

    /// Pauses the queued inputs: each stays an input of its own.
    pub(super) fn pause_queue(&mut self) {
        self.paused.append(&mut self.queue);
    }

    /// Sends the paused inputs, one after the other.
    pub(super) fn send_paused(&mut self) -> Vec<Act> {
        let mut paused = std::mem::take(&mut self.paused);
        let first = paused.pop_front();
        paused.append(&mut self.queue);
        self.queue = paused;
        first.map_or_else(Vec::new, |text| self.submit(text))
    }

    /// Returns true if there is work to interrupt.
    pub(super) fn works(&self) -> bool {
        self.busy || self.turn != TurnState::Idle
    }

    /// Inserts texts before the text of the input.
    pub(super) fn put_back(&mut self, texts: &[String]) {
        if texts.is_empty() {
            return;
        }
        let own = self.input.whole();
        let all: Vec<&str> =
            texts.iter().map(String::as_str).chain([own.as_str()]).filter(|text| !text.is_empty()).collect();
        self.input.set(&all.join("\n"));
        self.completion = None;
    }

    /// Finds what can be completed at the cursor.
    pub(super) fn complete(&mut self) -> Vec<Act> {
        let mut acts = Vec::new();
        let found = match wanted(self.input.before()) {
            _ if self.dismissed || self.search.is_some() => None,
            Some(CompletionTarget::Command(query)) => Completion::of_commands(&query, &self.commands),
            Some(CompletionTarget::Path { query, from }) => {
                if self.asked_files.as_ref() != Some(&query) {
                    self.asked_files = Some(query.clone());
                    acts.push(Act::NeedFiles(query.clone()));
                }
                Completion::of_paths(&query, from, &self.files)
            }
            None => {
                self.asked_files = None;
                None
            }
        };
        let chosen = match (&self.completion, &found) {
            (Some(old), Some(new)) if old.wanted == new.wanted => old.chosen.min(new.items.len() - 1),
            _ => 0,
        };
        self.completion = found.map(|found| Completion { chosen, ..found });
        acts
    }

    /// A paste from the terminal.
    pub(crate) fn paste(&mut self, text: &str, now: Instant) -> Vec<Act> {
        self.typed_at = Some(now);
        if let Some(choice) = &mut self.choice {
            choice.paste(text);
            return Vec::new();
        }
        if self.approvals.paste(text, now) {
            return Vec::new();
        }
        self.search = None;
        if !self.leaving {
            self.hint.clear();
        }
        (self.break_at, self.escape_at) = (None, None);
        match dropped_picture(text) {
            Some(path) => self.input.insert(&naming(&path)),
            None => self.input.paste(text),
        }
        self.dismissed = false;
        self.history.leave();
        self.complete()
    }
}

/// The path of a picture that was dropped on the terminal, which pastes its path: plain, in quotes, or with a backslash before
/// each special character.
fn dropped_picture(text: &str) -> Option<String> {
    const PICTURES: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".webp"];
    let text = text.trim();
    let quoted = |mark: char| {
        let inside = text.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inside.contains(mark)).then(|| inside.to_owned())
    };
    let path = quoted('\'').or_else(|| quoted('"')).or_else(|| unescaped(text))?;
    let name = path.to_ascii_lowercase();
    let fits = path.starts_with('/') && !path.contains(['\n', '"']);
    (fits && PICTURES.iter().any(|end| name.ends_with(end))).then_some(path)
}

/// One word of a shell. `None`: there are several.
fn unescaped(text: &str) -> Option<String> {
    let mut word = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => word.push(letters.next()?),
            letter if letter.is_whitespace() => return None,
            letter => word.push(letter),
        }
    }
    Some(word)
}
