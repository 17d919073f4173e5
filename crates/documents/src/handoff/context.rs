//! What another agent is told of the session that it goes on with.

use serde::{Deserialize, Serialize};

use crate::{HandoffInput, decisions};

/// What a session was about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionContext {
    /// The session.
    pub session_id: String,
    /// Who worked on it.
    pub worker_id: String,
    /// When this was made: RFC 3339, UTC.
    pub timestamp: String,
    /// What is known.
    pub summary: SessionContextSummary,
}

/// What is known of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionContextSummary {
    /// The task.
    pub current_task: String,
    /// Steps that are done.
    pub completed_steps: Vec<String>,
    /// Steps that are not.
    pub pending_steps: Vec<String>,
    /// What was decided.
    pub key_decisions: Vec<String>,
    /// Files that are being changed.
    pub relevant_files: Vec<String>,
}

/// Most files.
const MOST_FILES: usize = 50;

/// The same facts as in a handoff, in the other form. Its files are those that the calls of tools changed, the latest first;
/// when there is no such call, those that Git finds changed.
#[must_use]
pub fn session_context(input: &HandoffInput<'_>, session: &str, worker: &str) -> SessionContext {
    let (completed_steps, pending_steps) = input.steps();
    let notes = input.ledger.map_or(&[][..], |ledger| &ledger.files);
    let changed = notes.iter().rev().filter(|note| note.is_changed()).map(|note| note.path.clone());
    let mut relevant_files: Vec<String> = changed.take(MOST_FILES).collect();
    if relevant_files.is_empty() {
        let found = input.git.into_iter().flat_map(|git| git.modified.iter().chain(&git.untracked));
        relevant_files = found.take(MOST_FILES).cloned().collect();
    }
    SessionContext {
        session_id: session.to_owned(),
        worker_id: worker.to_owned(),
        timestamp: input.at.rfc3339(),
        summary: SessionContextSummary {
            current_task: input.title(),
            completed_steps,
            pending_steps,
            key_decisions: decisions(input.scratchpad),
            relevant_files,
        },
    }
}

/// The context as text for a prompt.
#[must_use]
pub fn previous_session_context(summary: &SessionContextSummary) -> String {
    format!(
        "\n[Previous Session Context]\nCurrent task: {}\nCompleted: {}\nPending: {}\nKey decisions: {}\nRelevant files: {}\n",
        summary.current_task,
        summary.completed_steps.join(", "),
        summary.pending_steps.join(", "),
        summary.key_decisions.join("; "),
        summary.relevant_files.join(", "),
    )
}
