//! The input: its text, earlier inputs and their search, completion, and the queue of inputs that wait.

mod completer;
mod completion;
mod draw;
mod dropped;
mod editing;
mod history;
mod keys;
mod menu;
mod queue;

use crate::editor::Editor;
use crate::line::Line;
use crate::port::{Act, CommandInfo, KeyStyle};
use crate::vim::{Vim, VimMode};
use completer::Completer;
use completion::{file_mention, may_mention};
use dropped::dropped_picture;
use history::{History, Search};
use queue::Queue;

pub(crate) use draw::PROMPT;
pub(crate) use keys::KeyEffect;

/// What the user composes, and what waits to be sent.
#[derive(Debug, Default)]
pub(crate) struct Composer {
    editor: Editor,
    history: History,
    /// Set while earlier inputs are searched.
    search: Option<Search>,
    completer: Completer,
    queue: Queue,
    /// The list of keys is shown below the input.
    keys_shown: bool,
    /// Vim's keys; `None`: the usual ones.
    vim: Option<Vim>,
}

impl Composer {
    /// The text to send, with pastes expanded.
    pub(crate) fn full_text(&self) -> String {
        self.editor.full_text()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.editor.is_empty()
    }

    /// Sets how the keys work from now on.
    pub(crate) fn set_keys(&mut self, keys: KeyStyle) {
        self.vim = (keys == KeyStyle::Vim).then(Vim::default);
    }

    /// The mode of the input, with the keys of an unfinished command; empty: there are no modes.
    pub(crate) fn mode(&self) -> String {
        match self.vim.as_ref().map(|vim| (vim.mode(), vim.typed())) {
            None => String::new(),
            Some((VimMode::Insert, _)) => "INSERT".to_owned(),
            Some((VimMode::Normal, typed)) => format!("NORMAL {typed}").trim_end().to_owned(),
        }
    }

    /// Returns true if Escape leaves vim's insert mode.
    pub(crate) fn leaves_insert_mode(&self) -> bool {
        self.vim.as_ref().is_some_and(|vim| vim.mode() == VimMode::Insert)
    }

    /// Closes the candidates until the text changes.
    pub(crate) fn dismiss_list(&mut self) {
        if self.completer.open().is_some() {
            self.completer.dismiss();
        }
    }

    /// In the normal mode the cursor stands on a letter.
    fn settle(&mut self) {
        if self.vim.as_ref().is_some_and(|vim| vim.mode() == VimMode::Normal) {
            self.editor.stand_on_letter();
        }
    }

    /// Adds an input to the earlier ones. Returns it if it is sent now; if not, it is queued.
    pub(crate) fn accept(&mut self, text: String, busy: bool) -> Option<String> {
        self.history.push(&text);
        self.keys_shown = false;
        if busy && !self.completer.is_anytime(&text) {
            self.queue.push(text);
            return None;
        }
        Some(text)
    }

    /// Returns true if the text is a command that is sent while a turn runs, and that makes no turn.
    pub(crate) fn is_anytime(&self, text: &str) -> bool {
        self.completer.is_anytime(text)
    }

    /// Takes the text to send.
    pub(crate) fn take(&mut self) -> String {
        self.completer.close();
        self.completer.allow();
        // A new input begins with text.
        self.vim.iter_mut().for_each(Vim::insert);
        self.editor.take()
    }

    /// Makes a backslash at the cursor a new line. Returns false if none exists.
    pub(crate) fn continue_line(&mut self) -> bool {
        let continues = self.editor.before().ends_with('\\');
        if continues {
            self.editor.backspace();
            self.editor.insert("\n");
        }
        continues
    }

    /// Empties the input. Returns false if it is empty.
    pub(crate) fn clear(&mut self) -> bool {
        if self.editor.is_empty() {
            return false;
        }
        self.editor.clear();
        self.history.detach();
        true
    }

    /// Replaces the text of the input.
    pub(crate) fn set_text(&mut self, text: &str) {
        self.editor.set(text);
        self.completer.close();
        self.settle();
    }

    /// Inserts a text before the text of the input, on lines of its own.
    pub(crate) fn prepend(&mut self, text: &str) {
        let own = self.editor.full_text();
        let parts: Vec<&str> = [text, &own].into_iter().filter(|part| !part.is_empty()).collect();
        self.set_text(&parts.join("\n"));
    }

    /// A paste from the terminal. Returns the request for paths, if one is needed.
    pub(crate) fn paste(&mut self, text: &str) -> Option<Act> {
        self.search = None;
        match dropped_picture(text) {
            Some(path) => {
                let space = if may_mention(self.editor.before()) { "" } else { " " };
                self.editor.insert(&format!("{space}{}", file_mention(&path)));
            }
            None => self.editor.paste(text),
        }
        self.completer.allow();
        self.history.detach();
        self.complete()
    }

    /// Earlier inputs, oldest first.
    pub(crate) fn add_history(&mut self, entries: Vec<String>) {
        self.history.prepend(entries);
    }

    /// Commands for completion. What is typed already is completed with them. Returns the request for paths, if one is
    /// needed.
    pub(crate) fn set_commands(&mut self, commands: Vec<CommandInfo>) -> Option<Act> {
        self.completer.set_commands(commands);
        self.complete()
    }

    /// Paths for completion. Returns the request for other ones, if they are needed.
    pub(crate) fn set_files(&mut self, query: &str, paths: Vec<String>) -> Option<Act> {
        if !self.completer.set_files(query, paths) {
            return None;
        }
        self.complete()
    }

    /// Closes the search and the completion.
    pub(crate) fn close_lists(&mut self) {
        self.search = None;
        self.completer.close();
    }

    pub(crate) fn close_completion(&mut self) {
        self.completer.close();
    }

    /// Hides the list of keys. Returns false if it was not shown.
    pub(crate) fn hide_keys(&mut self) -> bool {
        std::mem::take(&mut self.keys_shown)
    }

    /// Takes the queued messages that can be added to the running turn.
    pub(crate) fn take_queued_messages(&mut self) -> Vec<String> {
        self.queue.take_messages()
    }

    /// Queues messages again that were taken and not sent.
    pub(crate) fn put_back(&mut self, texts: Vec<String>) {
        self.queue.put_back(texts);
    }

    /// Returns true if an input waits for the end of the turn.
    pub(crate) fn has_queued(&self) -> bool {
        self.queue.has_waiting()
    }

    /// The inputs that were queued and not sent, oldest first.
    pub(crate) fn unsent(&self) -> Vec<String> {
        self.queue.all().cloned().collect()
    }

    /// Takes the next queued input.
    pub(crate) fn next_queued(&mut self) -> Option<String> {
        self.queue.pop()
    }

    /// Pauses the queued inputs: the user decides about each.
    pub(crate) fn pause_queue(&mut self) {
        self.queue.pause();
    }

    /// Lets the paused inputs wait again. Returns the first of them.
    pub(crate) fn resume_queue(&mut self) -> Option<String> {
        self.queue.resume()
    }

    /// The queued inputs. `busy`: a turn runs.
    pub(crate) fn draw_queue(&self, columns: usize, busy: bool) -> Vec<Line> {
        self.queue.draw(columns, busy)
    }

    fn complete(&mut self) -> Option<Act> {
        if self.search.is_some() {
            self.completer.close();
            return None;
        }
        self.completer.update(self.editor.before())
    }
}
