//! The text that a resumed session begins with.

use throughline_conversation::CheckpointRecord;

use super::{Handoff, request_title};

/// What a resumed session works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResumeFor {
    /// The work of the handoff: a long task, or a turn that was interrupted.
    SameWork,
    /// A new request of the user. How to continue the earlier one would contradict it.
    NewRequest,
}

/// Where the session stands, followed by `recovery`, the note about a failure (see [`recovery_text`]). Unknown fields are left
/// out. For a new request, an earlier request and how to continue it are left out too.
#[must_use]
pub fn resume_text(handoff: &Handoff, recovery: Option<&str>, work: ResumeFor) -> String {
    let is_new = work == ResumeFor::NewRequest;
    let is_request = handoff.requests.first().is_some_and(|last| request_title(last) == handoff.task_title);
    let task = if is_new && is_request { "" } else { &handoff.task_title };
    let done = handoff.completed_items.len();
    let all = done + handoff.remaining_items.len();
    let progress = if all == 0 { String::new() } else { format!("{done}/{all} items completed") };
    let mut text = "## Resuming Session\n\n".to_owned();
    for (name, value) in
        [("Task", task), ("Branch", handoff.branch.as_str()), ("Progress", progress.as_str())]
    {
        if !value.is_empty() {
            text.push_str(&format!("**{name}**: {value}\n"));
        }
    }
    text.push('\n');
    if !handoff.remaining_items.is_empty() {
        text.push_str("**Remaining**:\n");
        for item in &handoff.remaining_items {
            text.push_str(&format!("- {item}\n"));
        }
    }
    if !is_new && !handoff.continuation_prompt.is_empty() {
        text.push_str(&format!("\n**Continue with**: {}\n", handoff.continuation_prompt));
    }
    if let Some(recovery) = recovery {
        text.push_str(&format!("\n{recovery}"));
    }
    text
}

/// How the last turn failed, and what helps. `None`: it did not fail.
#[must_use]
pub fn recovery_text(checkpoint: &CheckpointRecord) -> Option<String> {
    let error = checkpoint.last_error.as_deref()?;
    let at = checkpoint.failed_at.map(|at| format!(" at {}", at.rfc3339())).unwrap_or_default();
    let mut text = format!("## Failure Recovery\n\nThe last turn failed{at}: {error}\n");
    if let Some(hint) = &checkpoint.recovery_hint {
        text.push_str(&format!("{hint}\n"));
    }
    Some(text)
}
