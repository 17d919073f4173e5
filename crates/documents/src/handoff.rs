//! Handoffs: the state of a session's work, for the session that continues it.

mod done;
mod lines;
mod resuming;

use serde::{Deserialize, Serialize};
use throughline_conversation::Millis;
use throughline_ledger::{Ledger, RequestNotes, one_line};

use crate::git::GitStatus;
use crate::scratchpad::{ChecklistItem, blockers, decisions, plan};
use crate::state::State;

pub use done::HandoffLedger;
pub use resuming::{ResumeFor, recovery_text, resume_text};

/// The next step when no step is known to be left.
const LAST_STEP: &str = "Complete the task";

/// What is said of a request that was answered, when no step is open.
const ANSWERED: &str = "The last request was answered";

/// The next step then.
const NEXT_REQUEST: &str = "check the answer, then ask the user what comes next";

/// Maximum number of files of a kind. Every checkpoint stores a handoff.
const MOST_FILES: usize = 200;

/// The state of a session's work, derived from its documents, its checklist and its working tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Handoff {
    /// Creation time: RFC 3339, UTC.
    pub generated_at: String,
    /// Title of the task.
    pub task_title: String,
    /// Phase of the task; may be empty.
    pub current_hat: String,
    /// The branch; empty: unknown.
    pub branch: String,
    /// The commit; empty: unknown.
    pub head_commit: String,
    /// Steps that are done.
    pub completed_items: Vec<String>,
    /// All other steps.
    pub remaining_items: Vec<String>,
    /// Blockers of the scratchpad.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocking_issues: Vec<String>,
    /// Tracked files that were changed; of very many the first, and how many more there are.
    pub modified_files: Vec<String>,
    /// Files that Git does not know; of very many the first, and how many more there are.
    pub created_files: Vec<String>,
    /// Decisions of the scratchpad.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_decisions: Vec<String>,
    /// Prompt that continues the task: the known ones of title, phase and next step.
    pub continuation_prompt: String,
    /// Files, commands and errors from the session's ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<HandoffLedger>,
    /// The user's requests word for word, the newest first; as many as a bounded text holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<String>,
    /// The end of the answer to the newest request; `None`: it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_answer: Option<String>,
}

/// The sources of a handoff.
#[derive(Debug, Clone, Copy, Default)]
pub struct HandoffInput<'a> {
    /// Title of the task. Empty: the first line of STATE's goal, or else of the user's last request.
    pub title: &'a str,
    /// Phase of the task.
    pub hat: &'a str,
    /// The working tree. `None`: it could not be looked at.
    pub git: Option<&'a GitStatus>,
    /// The task's checklist. Empty: the newest one of the ledger, or else the plan of the scratchpad.
    pub checklist: &'a [ChecklistItem],
    /// The scratchpad.
    pub scratchpad: &'a str,
    /// STATE.
    pub state: Option<&'a State>,
    /// What was done.
    pub ledger: Option<&'a Ledger>,
    /// What the user asked for.
    pub requests: Option<&'a RequestNotes>,
    /// When.
    pub at: Millis,
}

impl HandoffInput<'_> {
    /// The title, or the goal in its place, or else the last request.
    fn title(&self) -> String {
        let title = if self.title.trim().is_empty() { self.goal() } else { self.title };
        if !title.trim().is_empty() {
            return first_line(title);
        }
        let request = self.requests.and_then(|requests| requests.newest_first().next());
        request_title(request.unwrap_or_default())
    }

    fn goal(&self) -> &str {
        self.state.map_or("", |state| state.goal.as_str())
    }

    /// The end of the answer to the last request, where that request is all that is known of the task.
    fn answered(&self) -> Option<&str> {
        let is_request = self.title.trim().is_empty() && self.goal().trim().is_empty();
        self.requests?.answer().filter(|_| is_request)
    }

    /// Done and other steps, each in order.
    fn steps(&self) -> (Vec<String>, Vec<String>) {
        let noted = self.ledger.map_or(&[][..], |ledger| &ledger.checklist);
        let plan = match (self.checklist, noted) {
            ([], []) => plan(self.scratchpad),
            ([], noted) => {
                noted.iter().map(|step| ChecklistItem::new(&step.description, &step.status)).collect()
            }
            (given, _) => given.to_vec(),
        };
        let (done, open): (Vec<_>, Vec<_>) = plan.into_iter().partition(ChecklistItem::is_completed);
        let texts = |items: Vec<ChecklistItem>| items.into_iter().map(|item| item.description).collect();
        (texts(done), texts(open))
    }
}

fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().trim_end().to_owned()
}

/// The title of a task that is known by a request only.
fn request_title(request: &str) -> String {
    one_line(&first_line(request))
}

fn bounded(mut files: Vec<String>) -> Vec<String> {
    let more = files.len().saturating_sub(MOST_FILES);
    files.truncate(MOST_FILES);
    if more > 0 {
        files.push(format!("… and {more} more"));
    }
    files
}

/// The lines of the prompt that continues the task. Unknown parts are left out.
fn continuation_prompt(title: &str, hat: &str, next: &str) -> String {
    let parts = [("Continue working on", title), ("Current phase", hat), ("Next step", next)];
    let known = parts.into_iter().filter(|(_, text)| !text.is_empty());
    known.map(|(name, text)| format!("{name}: {text}")).collect::<Vec<_>>().join("\n")
}

/// Creates a handoff.
#[must_use]
pub fn handoff(input: &HandoffInput<'_>) -> Handoff {
    let (completed_items, remaining_items) = input.steps();
    let git = input.git.cloned().unwrap_or_default();
    let title = input.title();
    let last_step = if title.is_empty() && completed_items.is_empty() { "" } else { LAST_STEP };
    let next = remaining_items.first().map_or(last_step, String::as_str);
    let continuation_prompt = match input.answered() {
        Some(_) if remaining_items.is_empty() => format!("{ANSWERED}: {title}\nNext step: {NEXT_REQUEST}"),
        _ => continuation_prompt(&title, input.hat, next),
    };
    Handoff {
        generated_at: input.at.rfc3339(),
        task_title: title,
        current_hat: input.hat.to_owned(),
        branch: git.branch,
        head_commit: git.head_commit,
        completed_items,
        remaining_items,
        blocking_issues: blockers(input.scratchpad),
        modified_files: bounded(git.modified),
        created_files: bounded(git.untracked),
        key_decisions: decisions(input.scratchpad),
        continuation_prompt,
        ledger: input.ledger.and_then(HandoffLedger::of),
        requests: input.requests.iter().flat_map(|notes| notes.newest_first()).map(str::to_owned).collect(),
        last_answer: input.requests.and_then(|notes| notes.answer()).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests;
