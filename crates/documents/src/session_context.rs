//! What an agent must know again after its context was lost: a short text made of a handoff.

use serde::{Deserialize, Serialize};
use throughline_ledger::{FileNote, one_line};
use throughline_text::{cut_end, cut_start, sanitized};

use crate::handoff::Handoff;

/// Maximum bytes of the text that restores a context, unless its reader says otherwise.
pub const CONTEXT_CAP: usize = 4 * 1024;

/// Maximum number of files that are named.
const FILES: usize = 20;
/// Maximum bytes of each list.
const LIST: usize = 480;
/// Maximum bytes of the end of an answer.
const ANSWER: usize = 800;
/// Maximum bytes of what changed in files.
const CHANGED: usize = 800;
/// Heads the names.
const NAMES: &str = "Names in use:";
/// Heads what changed in files.
const CHANGES: &str = "What changed in them:";
/// Maximum bytes of the open errors.
const ERRORS: usize = 600;

/// The summary of a session for the agent that continues it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionContext {
    /// The task.
    pub current_task: String,
    /// Steps that are done, oldest first: those of the checklist, then commits and tests that passed.
    pub completed_steps: Vec<String>,
    /// Open steps, the next one first.
    pub pending_steps: Vec<String>,
    /// Decisions.
    pub key_decisions: Vec<String>,
    /// Files, those changed last first.
    pub relevant_files: Vec<String>,
}

/// What a restored context quotes beyond its summary. Of the other lists the newest item is last.
#[derive(Debug, Clone, Copy, Default)]
pub struct QuotedContext<'q> {
    /// What changed in files, those changed last first.
    pub changes: &'q [String],
    /// Errors that did not go away.
    pub errors: &'q [String],
    /// Lines that the user's own patterns have found.
    pub noted: &'q [String],
    /// Names that are likely needed again, the likeliest first. They get the room that the rest leaves.
    pub names: &'q [String],
    /// The last request of the user, quoted word for word.
    pub last_request: &'q str,
    /// The end of the answer to it; empty: it is open.
    pub last_answer: &'q str,
}

impl SessionContext {
    /// The summary of a handoff. Without a title, the task is the first line of the last request.
    #[must_use]
    pub fn of(handoff: &Handoff, last_request: &str) -> Self {
        let title = handoff.task_title.trim();
        let task =
            if title.is_empty() { last_request.trim().lines().next().unwrap_or_default() } else { title };
        Self {
            current_task: task.to_owned(),
            completed_steps: completed(handoff),
            pending_steps: handoff.remaining_items.clone(),
            key_decisions: handoff.key_decisions.clone(),
            relevant_files: files(handoff),
        }
    }

    /// The text of the summary. Each line is bounded: of a long list the end that matters is shown, and how many items are
    /// left out.
    #[must_use]
    pub fn text(&self) -> String {
        let task = one_line(&sanitized(&self.current_task));
        format!(
            "\n[Previous Session Context]\nCurrent task: {task}\nCompleted: {}\nPending: {}\nKey decisions: {}\nRelevant \
             files: {}\n",
            joined(self.completed_steps.iter().rev(), ", ", true),
            joined(self.pending_steps.iter(), ", ", false),
            joined(self.key_decisions.iter().rev(), "; ", true),
            joined(self.relevant_files.iter(), ", ", false),
        )
    }

    /// The text that restores a context: the summary, what else it has, and how to find the rest. At most this many bytes;
    /// a longer request is cut, and says so.
    #[must_use]
    pub fn restoring_text(&self, quoted: &QuotedContext<'_>, how_to_search: &str, cap: usize) -> String {
        let mut text = self.text();
        if !quoted.changes.is_empty() {
            text.push_str(&format!("{CHANGES}\n{}\n", changed(quoted.changes)));
        }
        for (name, items) in [("Open errors", quoted.errors), ("Noted", quoted.noted)] {
            if !items.is_empty() {
                let items = cut_end(&joined(items.iter().rev(), "; ", true), ERRORS).to_owned();
                text.push_str(&format!("{name}: {items}\n"));
            }
        }
        let rest = if how_to_search.is_empty() { String::new() } else { format!("{how_to_search}\n") };
        let request = sanitized(quoted.last_request);
        let request = request.trim();
        let answer = sanitized(quoted.last_answer);
        let answer = match cut_start(answer.trim(), ANSWER) {
            answer if answer.is_empty() || request.is_empty() => String::new(),
            answer => format!("It was answered. The end of the answer:\n{answer}\n"),
        };
        let rest = format!("{answer}{rest}");
        let mut asked = String::new();
        if !request.is_empty() {
            let (head, cut) = ("Last request of the user, word for word:\n", "\n[cut here]");
            let room = cap.saturating_sub(text.len() + rest.len() + head.len() + cut.len() + 1);
            let shown = cut_end(request, room);
            let cut = if shown.len() < request.len() { cut } else { "" };
            asked = format!("{head}{shown}{cut}\n");
        }
        let room = cap.saturating_sub(text.len() + asked.len() + rest.len() + NAMES.len() + 2);
        let names = fitting(quoted.names, room);
        if !names.is_empty() {
            text.push_str(&format!("{NAMES} {names}\n"));
        }
        text.push_str(&asked);
        text.push_str(&rest);
        cut_end(&text, cap).to_owned()
    }
}

/// The steps of the checklist that are done, and what commands have finished.
fn completed(handoff: &Handoff) -> Vec<String> {
    let finished = handoff.ledger.iter().flat_map(|ledger| &ledger.milestones);
    handoff.completed_items.iter().chain(finished.map(|one| &one.text)).cloned().collect()
}

/// What changed in the files of a handoff, those changed last first.
#[must_use]
pub fn file_changes(handoff: &Handoff) -> Vec<String> {
    let files = handoff.ledger.iter().flat_map(|ledger| ledger.files.iter().rev());
    files.filter_map(FileNote::change_line).take(FILES).collect()
}

/// The files of a handoff, those changed last first.
fn files(handoff: &Handoff) -> Vec<String> {
    let changed = handoff.ledger.iter().flat_map(|ledger| ledger.files.iter().rev().map(|file| &file.path));
    // Git does not know when a new file was made: one that no command names may be there for long.
    let commands = || handoff.ledger.iter().flat_map(|ledger| &ledger.commands);
    let is_named = |path: &&String| commands().any(|run| run.command.contains(path.as_str()));
    let created = handoff.created_files.iter().filter(is_named);
    let mut files: Vec<String> = Vec::new();
    for path in changed.chain(&handoff.modified_files).chain(created) {
        if files.len() < FILES && !files.contains(path) {
            files.push(path.clone());
        }
    }
    files
}

/// Names in a line, as many as fit.
fn fitting(names: &[String], bytes: usize) -> String {
    let mut line = String::new();
    for name in names.iter().map(|name| one_line(&sanitized(name))) {
        if line.len() + name.len() + 1 > bytes {
            break;
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(&name);
    }
    line
}

/// Changes of files, one on a line, as many as fit.
fn changed(changes: &[String]) -> String {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    for change in changes {
        let line = format!("- {}", one_line(&sanitized(change)));
        bytes += line.len() + 1;
        if bytes > CHANGED && !lines.is_empty() {
            lines.push(format!("- ({} more)", changes.len() - lines.len()));
            break;
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Items in the order of their importance, as many as fit. `restore` turns the shown ones around.
fn joined<'i>(items: impl ExactSizeIterator<Item = &'i String>, separator: &str, restore: bool) -> String {
    let all = items.len();
    let (mut shown, mut bytes) = (Vec::new(), 0);
    for item in items {
        let item = one_line(&sanitized(item));
        bytes += item.len() + separator.len();
        if bytes > LIST && !shown.is_empty() {
            break;
        }
        shown.push(item);
    }
    let left_out = all - shown.len();
    if restore {
        shown.reverse();
    }
    match (left_out, restore) {
        (0, _) => {}
        (more, true) => shown.insert(0, format!("({more} earlier)")),
        (more, false) => shown.push(format!("({more} more)")),
    }
    shown.join(separator)
}

#[cfg(test)]
mod tests;
