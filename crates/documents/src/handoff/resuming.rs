//! The text that a resumed session begins with, and the rule that it comes only once.

use throughline_conversation::{CheckpointRecord, Entry, EntryKind};
use throughline_text::fingerprint;

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

/// The text with a mark behind it, for a message from the engine's side. `None`: the view has this very text already, so it
/// must not be said again.
///
/// The mark is made of the text. A session that has come further has another text, and is told again where it stands; one
/// that was only opened and closed is not. When the message has been summarised away, it may come back.
#[must_use]
pub fn resume_once(text: &str, entries: &[Entry]) -> Option<String> {
    let mark = format!("<!-- resumed {:016x} -->", fingerprint(text.as_bytes()));
    // Results and the model's own words may quote a mark.
    let mut ours = entries.iter().filter(|entry| matches!(entry.kind, EntryKind::User | EntryKind::Notice));
    let said = ours.any(|entry| entry.message.texts().any(|text| text.contains(&mark)));
    (!said).then(|| format!("{}\n\n{mark}", text.trim_end_matches('\n')))
}
