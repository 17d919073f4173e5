//! The text that a resumed session begins with.

use throughline_conversation::CheckpointRecord;

use crate::handoff::Handoff;

/// Where the session stands, followed by `recovery`, the note about a failure (see [`recovery_text`]). Unknown fields are left
/// out.
#[must_use]
pub fn resume_text(handoff: &Handoff, recovery: Option<&str>) -> String {
    let done = handoff.completed_items.len();
    let all = done + handoff.remaining_items.len();
    let progress = if all == 0 { String::new() } else { format!("{done}/{all} items completed") };
    let mut text = "## Resuming Session\n\n".to_owned();
    for (name, value) in [("Task", &handoff.task_title), ("Branch", &handoff.branch), ("Progress", &progress)]
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
    if !handoff.continuation_prompt.is_empty() {
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
