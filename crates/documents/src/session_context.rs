//! What an agent must know again after its context was lost: a short text made of a handoff.

use serde::{Deserialize, Serialize};
use throughline_conversation::CONTEXT_HEAD;
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
/// Maximum bytes of the first request, where another one is the task.
const FIRST: usize = 300;
/// Maximum bytes of the requests between the first and the last.
const BETWEEN: usize = 600;
/// Maximum bytes of each of them.
const BETWEEN_EACH: usize = 160;
/// What ends a text that is not shown whole.
const CUT: &str = " [cut here]";

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
    /// The request that the session is about, word for word; empty: the summary has the task.
    pub goal: &'q str,
    /// The first request of the user, where another one is the task; else empty.
    pub first_request: &'q str,
    /// The requests in between.
    pub requests: &'q [String],
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

    /// The lists of the summary. Each line is bounded: of a long list the end that matters is shown, and how many items are left
    /// out. An empty list has no line.
    fn lists(&self) -> String {
        let lists = [
            ("Completed", joined(self.completed_steps.iter().rev(), ", ", true)),
            ("Pending", joined(self.pending_steps.iter(), ", ", false)),
            ("Key decisions", joined(self.key_decisions.iter().rev(), "; ", true)),
            ("Relevant files", joined(self.relevant_files.iter(), ", ", false)),
        ];
        let shown = lists.into_iter().filter(|(_, items)| !items.is_empty());
        shown.map(|(name, items)| format!("{name}: {items}\n")).collect()
    }

    /// The task, the first request, and where both are not the same: the goal is word for word within a third of the text.
    fn head(&self, quoted: &QuotedContext<'_>, cap: usize) -> String {
        let goal = sanitized(quoted.goal);
        let task = match goal.trim() {
            "" => one_line(&sanitized(&self.current_task)),
            goal => cut_with_mark(goal, cap / 3),
        };
        let mut head = format!("\n{CONTEXT_HEAD}\nCurrent task: {task}\n");
        let first = one_line(&sanitized(quoted.first_request));
        if !first.is_empty() {
            head.push_str(&format!("First request of the user: {}\n", cut_with_mark(&first, FIRST)));
        }
        head
    }

    /// The text that restores a context: the task, the requests and what became of the last one, then the lists, names, and how
    /// to find the rest. At most this many bytes; a longer request is cut, and says so.
    #[must_use]
    pub fn restoring_text(&self, quoted: &QuotedContext<'_>, how_to_search: &str, cap: usize) -> String {
        let head = self.head(quoted, cap);
        // What the user's own patterns have found comes before what is only likely to matter.
        let mut text = quoted_line("Noted", quoted.noted) + &between(quoted.requests) + &self.lists();
        if !quoted.changes.is_empty() {
            text.push_str(&format!("{CHANGES}\n{}\n", changed(quoted.changes)));
        }
        text.push_str(&quoted_line("Open errors", quoted.errors));
        let rest = if how_to_search.is_empty() { String::new() } else { format!("{how_to_search}\n") };
        let fixed = text.len() + rest.len();
        let asked = last_request(quoted, cap.saturating_sub(head.len() + fixed));
        let room = cap.saturating_sub(head.len() + asked.len() + fixed + NAMES.len() + 2);
        let names = fitting(quoted.names, room);
        if !names.is_empty() {
            text.push_str(&format!("{NAMES} {names}\n"));
        }
        let text_room = cap.saturating_sub(head.len() + asked.len() + rest.len());
        cut_end(&format!("{head}{asked}{}{rest}", cut_end(&text, text_room)), cap).to_owned()
    }
}

/// The last request within this many bytes, and whether it was answered.
fn last_request(quoted: &QuotedContext<'_>, room: usize) -> String {
    const HEAD: &str = "Last request of the user, word for word:\n";
    /// A shorter request is quoted although it is the task.
    const SHORT: usize = 300;
    /// Bytes of a request that are there however long the rest is.
    const LEAST: usize = 200;

    let request = sanitized(quoted.last_request);
    let request = request.trim();
    if request.is_empty() {
        return String::new();
    }
    let answer = sanitized(quoted.last_answer);
    let answer = match cut_start(answer.trim(), ANSWER) {
        "" => "It is open: it was not answered yet.\n".to_owned(),
        answer => format!("It was answered. The end of the answer:\n{answer}\n"),
    };
    if request.len() > SHORT && request == sanitized(quoted.goal).trim() {
        return format!("The last request of the user is the current task. {answer}");
    }
    let room = room.saturating_sub(HEAD.len() + answer.len() + 1).max(LEAST);
    format!("{HEAD}{}\n{answer}", cut_with_mark(request, room))
}

/// Quoted items in a line; empty without one.
fn quoted_line(name: &str, items: &[String]) -> String {
    let items = joined(items.iter().rev(), "; ", true);
    if items.is_empty() { items } else { format!("{name}: {}\n", cut_end(&items, ERRORS)) }
}

/// The requests between the first and the last, oldest first; of many the newest.
fn between(requests: &[String]) -> String {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    for request in requests.iter().rev() {
        let line = format!("- {}\n", cut_with_mark(&one_line(&sanitized(request)), BETWEEN_EACH));
        bytes += line.len();
        if bytes > BETWEEN {
            lines.push(format!("- ({} earlier)\n", requests.len() - lines.len()));
            break;
        }
        lines.push(line);
    }
    lines.push(if lines.is_empty() { String::new() } else { "Requests before it:\n".to_owned() });
    lines.into_iter().rev().collect()
}

/// A text within this many bytes, and that it is cut if it is.
fn cut_with_mark(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    format!("{}{CUT}", cut_end(text, bytes.saturating_sub(CUT.len())))
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
        if files.len() < FILES && !files.iter().any(|known| is_same_file(known, path)) {
            files.push(path.clone());
        }
    }
    files
}

/// Returns true if two paths may name one file: one is the end of the other.
#[must_use]
pub fn is_same_file(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        let short = short.trim_start_matches("./");
        long.strip_suffix(short).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    !one.is_empty() && !other.is_empty() && (ends(one, other) || ends(other, one))
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
