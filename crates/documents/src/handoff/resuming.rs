//! The text that a resumed session begins with.

use throughline_conversation::CheckpointRecord;

use crate::handoff::Handoff;

/// Where the session stands, and behind it what is known of a failure (see [`recovery_text`]).
#[must_use]
pub fn resume_text(handoff: &Handoff, recovery: Option<&str>) -> String {
    let done = handoff.completed_items.len();
    let all = done + handoff.remaining_items.len();
    let mut text = format!(
        "## Resuming Session\n\n**Task**: {}\n**Branch**: {}\n**Progress**: {done}/{all} items completed\n\n",
        handoff.task_title, handoff.branch
    );
    if !handoff.remaining_items.is_empty() {
        text.push_str("**Remaining**:\n");
        for item in &handoff.remaining_items {
            text.push_str(&format!("- {item}\n"));
        }
    }
    text.push_str(&format!("\n**Continue with**: {}\n", handoff.continuation_prompt));
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
