//! Completion while the user types: what there is to complete with, and the open list.

use super::completion::{Completion, CompletionTarget, completion_target};
use crate::port::{Act, CommandInfo};

/// The commands and paths, and the completion that is open.
#[derive(Debug, Default)]
pub(super) struct Completer {
    commands: Vec<CommandInfo>,
    files: Vec<String>,
    /// The query for which paths were requested last.
    requested: Option<String>,
    open: Option<Completion>,
    /// Closed by the user, until the text changes.
    dismissed: bool,
}

impl Completer {
    pub(super) fn set_commands(&mut self, commands: Vec<CommandInfo>) {
        self.commands = commands;
    }

    /// Takes the paths for a query. Returns false if other ones were requested since.
    pub(super) fn set_files(&mut self, query: &str, paths: Vec<String>) -> bool {
        let wanted = self.requested.as_deref() == Some(query);
        if wanted {
            self.files = paths;
        }
        wanted
    }

    pub(super) fn open(&self) -> Option<&Completion> {
        self.open.as_ref()
    }

    pub(super) fn open_mut(&mut self) -> Option<&mut Completion> {
        self.open.as_mut()
    }

    pub(super) fn close(&mut self) -> Option<Completion> {
        self.open.take()
    }

    /// Closes it until the text changes.
    pub(super) fn dismiss(&mut self) {
        self.open = None;
        self.dismissed = true;
    }

    /// The text has changed: it may open again.
    pub(super) fn allow(&mut self) {
        self.dismissed = false;
    }

    /// Forgets which paths were requested, because one was inserted.
    pub(super) fn forget_request(&mut self) {
        self.requested = None;
    }

    /// Opens what can be completed after this text. Returns the request for paths, if other ones are needed.
    pub(super) fn update(&mut self, before: &str) -> Option<Act> {
        let previous = self.open.take();
        if self.dismissed {
            return None;
        }
        let mut request = None;
        self.open = match completion_target(before) {
            Some(CompletionTarget::Command(query)) => Completion::of_commands(&query, &self.commands),
            Some(CompletionTarget::Path { query, from }) => {
                if self.requested.as_ref() != Some(&query) {
                    self.requested = Some(query.clone());
                    request = Some(Act::NeedFiles(query.clone()));
                }
                Completion::of_paths(&query, from, &self.files)
            }
            None => {
                self.requested = None;
                None
            }
        };
        if let (Some(open), Some(previous)) = (&mut self.open, &previous) {
            open.keep_selection(previous);
        }
        request
    }

    /// Returns true if the text is a command that is sent while a turn runs.
    pub(super) fn is_anytime(&self, text: &str) -> bool {
        let is_called = |name: &str| {
            text.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        };
        let called = self.commands.iter().filter(|command| is_called(&command.name));
        called.max_by_key(|command| command.name.len()).is_some_and(|command| command.anytime)
    }
}
