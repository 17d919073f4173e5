//! Handoffs: where a session stands, for whoever goes on with it.

mod done;
mod resuming;

use serde::{Deserialize, Serialize};
use throughline_conversation::Millis;
use throughline_ledger::Ledger;

use crate::git::GitStatus;
use crate::scratchpad::{ChecklistItem, blockers, decisions, plan};
use crate::state::State;

pub use done::HandoffLedger;
pub use resuming::{recovery_text, resume_text};

/// What goes on when no step is left.
const LAST_STEP: &str = "Complete the task";

/// Most files of a kind. A handoff is kept with every checkpoint.
const MOST_FILES: usize = 200;

/// Where a session stands. A view of its documents, its checklist and its working tree: it holds nothing of its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Handoff {
    /// When it was made: RFC 3339, UTC.
    pub generated_at: String,
    /// What the task is called.
    pub task_title: String,
    /// The role in which the model works; empty: none.
    pub current_hat: String,
    /// The branch; empty: unknown.
    pub branch: String,
    /// The commit; empty: unknown.
    pub head_commit: String,
    /// Steps that are done.
    pub completed_items: Vec<String>,
    /// All other steps.
    pub remaining_items: Vec<String>,
    /// What is in the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocking_issues: Vec<String>,
    /// Tracked files that were changed; of very many the first, and how many more there are.
    pub modified_files: Vec<String>,
    /// Files that Git does not know; of very many the first, and how many more there are.
    pub created_files: Vec<String>,
    /// What was decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_decisions: Vec<String>,
    /// How to go on.
    pub continuation_prompt: String,
    /// What was done, as the calls of tools tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<HandoffLedger>,
}

/// What a handoff is made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct HandoffInput<'a> {
    /// What the task is called. Empty: the first line of STATE's goal.
    pub title: &'a str,
    /// The role in which the model works.
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
    /// When.
    pub at: Millis,
}

impl HandoffInput<'_> {
    /// The title, or the goal in its place.
    fn title(&self) -> String {
        let goal = self.state.map_or("", |state| state.goal.as_str());
        let title = if self.title.trim().is_empty() { goal } else { self.title };
        title.trim().lines().next().unwrap_or_default().trim_end().to_owned()
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

fn bounded(mut files: Vec<String>) -> Vec<String> {
    let more = files.len().saturating_sub(MOST_FILES);
    files.truncate(MOST_FILES);
    if more > 0 {
        files.push(format!("… and {more} more"));
    }
    files
}

/// Makes a handoff.
#[must_use]
pub fn handoff(input: &HandoffInput<'_>) -> Handoff {
    let (completed_items, remaining_items) = input.steps();
    let git = input.git.cloned().unwrap_or_default();
    let title = input.title();
    let next = remaining_items.first().map_or(LAST_STEP, String::as_str);
    let continuation_prompt =
        format!("Continue working on: {title}\nCurrent phase: {}\nNext step: {next}", input.hat);
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
    }
}

#[cfg(test)]
mod tests;
