//! The ledger itself: it grows by one call at a time.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use throughline_conversation::{Entry, EntryKind, ToolCall, ToolResult, task_request};

use crate::change::{ChangeKind, FileChange};
use crate::command_note::CommandNote;
use crate::error_note::ErrorNote;
use crate::error_note::subject;
use crate::file_note::FileNote;
use crate::lines::{items, one_line};
use crate::mentioned::paths;
use crate::milestone::{Milestone, milestone, runs_tests};
use crate::not_run::was_not_run;
use crate::outcome::{exit_code, failure, first_line, taken_out};
use crate::reference::naming;
use crate::render::also_changed;
use crate::section::{CHECKLIST, COMMANDS, ERRORS, FILES, section};
use crate::shell::changed_files;
use crate::step_note::StepNote;
use crate::step_note::checklist;
use crate::tool_use::{Use, about, understand, work};

/// Maximum number of notes of each kind. A ledger is a help for memory, and its cost must not grow with the session.
const MAX_NOTES: usize = 300;
/// Paths in a request of the user of at most this many bytes are what it is about.
const MEANT: usize = 2_000;

/// Files, commands and errors, each in the order in which it was last met, and what the user asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// Files that were read or changed.
    pub files: Vec<FileNote>,
    /// Commands that were run.
    pub commands: Vec<CommandNote>,
    /// Errors that were met.
    pub errors: Vec<ErrorNote>,
    /// The first line of each request of the user: the first of all, then the newest.
    pub requests: Vec<String>,
    /// Paths in the user's requests, in the order in which they were last met.
    pub named: Vec<String>,
    /// The steps of the newest checklist. They are written down while one of them is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checklist: Vec<StepNote>,
    /// What commands have finished, the newest last. It is not written down: a summary has the commands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub milestones: Vec<Milestone>,
}

impl Ledger {
    /// The ledger of messages. Summaries among them are read back. A call whose result is not among them counts as
    /// one without a result.
    #[must_use]
    pub fn of(entries: &[Entry]) -> Self {
        let mut ledger = Self::default();
        ledger.take(entries);
        ledger
    }

    /// Takes the messages that follow. They begin and end where no call waits for its result.
    pub fn take(&mut self, entries: &[Entry]) {
        let mut open: Vec<&ToolCall> = Vec::new();
        for entry in entries {
            match entry.kind {
                EntryKind::User => entry.message.texts().for_each(|text| self.request(text)),
                EntryKind::Summary => entry.own_texts().for_each(|text| self.merge(text)),
                EntryKind::Assistant => {
                    open.drain(..).for_each(|call| self.note(call, None));
                    open.extend(entry.message.tool_calls());
                }
                EntryKind::Results => {
                    let results: HashMap<&str, &ToolResult> = entry
                        .message
                        .tool_results()
                        .map(|result| (result.call_id.as_str(), result))
                        .collect();
                    for call in open.drain(..) {
                        self.note(call, results.get(call.id.as_str()).copied());
                    }
                }
                EntryKind::Notice => {}
            }
        }
        open.into_iter().for_each(|call| self.note(call, None));
    }

    /// Notes a call and its result. `None`: there is no result.
    pub fn note(&mut self, call: &ToolCall, result: Option<&ToolResult>) {
        let done = understand(call);
        let exit = match done {
            Use::Command(_) => result.and_then(exit_code),
            _ => None,
        };
        let is_error = result.is_some_and(|result| result.is_error);
        let failed = is_error || exit.is_some_and(|code| code != 0);
        match &done {
            Use::Read(path) => {
                let shown_by = result.filter(|_| !failed).map(|result| result.call_id.as_str());
                self.file(path, |note| note.read(shown_by));
            }
            Use::Edit(changes) if !failed => changes.iter().for_each(|change| self.changed(change, result)),
            Use::Edit(_) => {}
            Use::Other => {
                if let Some(steps) = checklist(call).filter(|_| result.is_some() && !failed) {
                    self.checklist = steps.into_iter().take(MAX_NOTES).collect();
                }
            }
            // What was not allowed is no command that was run.
            Use::Command(_) if is_error && result.is_some_and(|result| was_not_run(&result.content)) => {}
            Use::Command(command) => {
                if !failed {
                    changed_files(command).iter().for_each(|change| self.changed(change, result));
                }
                let finished = result.filter(|_| !failed).and_then(|result| milestone(command, result));
                self.finished(command, finished);
                let command = one_line(command);
                self.commands.retain(|old| old.command != command);
                push_bounded(&mut self.commands, CommandNote { command, exit, failed }, |_| false);
            }
        }
        let about = subject(about(call, &done));
        match result {
            Some(result) if failed => self.failed(call, about, result),
            Some(_) => self.succeeded(call, &about, &done),
            None => {}
        }
    }

    /// Notes what a command has finished. Tests that no longer pass are not finished.
    fn finished(&mut self, command: &str, finished: Option<Milestone>) {
        let command = one_line(work(command));
        if runs_tests(&command) {
            self.milestones.retain(|old| old.command != command);
        }
        if let Some(finished) = finished {
            push_bounded(&mut self.milestones, finished, |_| false);
        }
    }

    /// Notes a message of the user. The prompts of a task's later iterations ask for nothing new.
    pub fn request(&mut self, text: &str) {
        let Some(text) = task_request(text) else { return };
        if let Some(line) = text.lines().find(|line| !line.trim().is_empty()) {
            self.requests.push(one_line(line));
            if self.requests.len() > MAX_NOTES {
                // The first one has the goal of the session.
                self.requests.remove(1);
            }
        }
        // A long text is a task or a paste: not every name in it matters.
        for path in paths(text).take(if text.len() <= MEANT { usize::MAX } else { 0 }) {
            self.named.retain(|old| old != path);
            push_bounded(&mut self.named, path.to_owned(), |_| false);
        }
    }

    /// Merges the rendered text of an earlier ledger, under its headings in a longer text. What is here
    /// already is taken as newer only where it was noted later: merge first, then note.
    pub fn merge(&mut self, text: &str) {
        let part = |name| section(text, name).unwrap_or_default();
        let files = part(FILES);
        for path in also_changed(files) {
            let earlier = FileNote { edits: 1, ..FileNote::new(path.clone()) };
            self.file(&path, |note| note.add(earlier));
        }
        for earlier in items(files).filter_map(FileNote::parse) {
            self.file(&earlier.path.clone(), |note| note.add(earlier));
        }
        if let Some(steps) = section(text, CHECKLIST) {
            self.checklist = items(steps).filter_map(StepNote::parse).take(MAX_NOTES).collect();
        }
        for earlier in items(part(COMMANDS)).map(CommandNote::parse) {
            self.commands.retain(|old| old.command != earlier.command);
            push_bounded(&mut self.commands, earlier, |_| false);
        }
        for earlier in items(part(ERRORS)).filter_map(ErrorNote::parse) {
            self.errors.retain(|old| !same(old, &earlier));
            push_bounded(&mut self.errors, earlier, |note| note.resolved);
        }
    }

    fn changed(&mut self, change: &FileChange, result: Option<&ToolResult>) {
        let says_created = || {
            let start = result.map_or("", |result| throughline_text::cut_end(&result.content, 40));
            start.to_lowercase().contains("created")
        };
        let created = match change.kind {
            ChangeKind::Created => true,
            ChangeKind::Written => says_created(),
            ChangeKind::Edited | ChangeKind::Deleted => false,
        };
        self.file(&change.path, |note| note.change(change, created));
    }

    fn failed(&mut self, call: &ToolCall, about: String, result: &ToolResult) {
        let text = match failure(&result.content) {
            Some(line) => one_line(line),
            // An exit code alone may be an answer: a search that finds nothing ends with 1.
            None if !result.is_error => return,
            None => match taken_out(&result.content) {
                Some(stored) => format!("read {}", naming(&stored)),
                None => one_line(first_line(&result.content)),
            },
        };
        let note = ErrorNote { tool: call.name.clone(), about, text, resolved: false };
        self.errors.retain(|old| !same(old, &note));
        push_bounded(&mut self.errors, note, |note| note.resolved);
    }

    /// Errors of the same tool about the same thing went away; about a file that was changed, those of any tool.
    fn succeeded(&mut self, call: &ToolCall, about: &str, done: &Use) {
        let edited = matches!(done, Use::Edit(_));
        let same = |note: &&mut ErrorNote| note.about == about && (edited || note.tool == call.name);
        self.errors.iter_mut().filter(same).for_each(|note| note.resolved = true);
    }

    /// Changes the note about a file, and moves it to the end.
    fn file(&mut self, path: &str, change: impl FnOnce(&mut FileNote)) {
        let path = one_line(path);
        let mut note = match self.files.iter().position(|note| note.path == path) {
            Some(at) => self.files.remove(at),
            None => FileNote::new(path),
        };
        change(&mut note);
        push_bounded(&mut self.files, note, |note| !note.is_changed());
    }
}

/// Returns true if two notes are about one error.
fn same(a: &ErrorNote, b: &ErrorNote) -> bool {
    (&a.tool, &a.about, &a.text) == (&b.tool, &b.about, &b.text)
}

/// Appends a note. If there are too many, drops the oldest that is `spare`, or else the oldest.
fn push_bounded<T>(notes: &mut Vec<T>, note: T, spare: impl Fn(&T) -> bool) {
    notes.push(note);
    if notes.len() > MAX_NOTES {
        let at = notes.iter().position(spare).unwrap_or(0);
        notes.remove(at);
    }
}

#[cfg(test)]
mod tests;
