//! `throughline checkpoints`: lists the checkpoints of a session, or shows one.

pub(crate) mod args;

use serde_json::json;
use throughline_conversation::CheckpointReason;
use throughline_documents::Handoff;
use throughline_stored::{StoredCheckpoint, checkpoint_object, now};
use throughline_terminal::table;
use throughline_text::{counted, group_thousands, headline, plain};

use crate::age::age;
use crate::answer::Answer;
use crate::target::CommandTarget;

/// Characters of an error that are listed.
const LINE: usize = 60;

/// The checkpoints of a session, oldest first.
pub(crate) async fn list(target: &CommandTarget) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let all = log.checkpoints();
    let json = json!(all.iter().map(checkpoint_object).collect::<Vec<_>>());
    if all.is_empty() {
        return Ok(Answer {
            text: format!("Session {} has no checkpoint yet.", target.handle.session),
            json,
        });
    }
    let header = ["NUMBER", "REASON", "AGE", "ITERATION", "TOKENS IN", "TOKENS OUT", "HAT", "FAILURE"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let time = now();
    rows.extend(all.iter().map(|StoredCheckpoint { number, record, checkpoint }| {
        vec![
            number.to_string(),
            reason(checkpoint.reason).to_owned(),
            age(time, record.at),
            checkpoint.iteration.to_string(),
            group_thousands(checkpoint.input_tokens),
            group_thousands(checkpoint.output_tokens),
            headline(&checkpoint.hat, LINE),
            headline(checkpoint.last_error.as_deref().unwrap_or_default(), LINE),
        ]
    }));
    Ok(Answer { text: table(&rows).join("\n"), json })
}

/// Shows a checkpoint, by default the newest one. Its messages are those in view at that time.
pub(crate) async fn show(target: &CommandTarget, asked: Option<u64>) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let stored = target.handle.checkpoint(&log, asked)?;
    let whole = target.handle.checkpoint_json(&log, stored)?;
    let StoredCheckpoint { number, record, checkpoint } = stored;
    let count = log.checkpoints().len();
    let mut text = vec![
        format!(
            "Checkpoint {number} of {count}, {} ago: {}",
            age(now(), record.at),
            reason(checkpoint.reason)
        ),
        format!(
            "After {}: {} in, {} out. In view: {}.",
            counted(whole.iteration, "request"),
            counted(whole.input_tokens, "token"),
            counted(whole.output_tokens, "token"),
            counted(whole.messages.len() as u64, "message"),
        ),
    ];
    if let Some(error) = &whole.last_error {
        let at = whole.failed_at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
        text.push(format!("The turn failed{at}: {error}"));
        text.extend(whole.recovery_hint.clone());
    }
    let handoff = whole.handoff.clone().and_then(|value| serde_json::from_value::<Handoff>(value).ok());
    match handoff {
        Some(handoff) => {
            text.push(String::new());
            text.extend(handoff.lines());
        }
        None => text.push("It has no handoff.".to_owned()),
    }
    if !whole.scratchpad.is_empty() {
        text.push(format!("\nScratchpad:\n{}", whole.scratchpad));
    }
    Ok(Answer { text: plain(&text.join("\n")), json: serde_json::to_value(&whole)? })
}

/// The reason in a word.
fn reason(reason: CheckpointReason) -> &'static str {
    match reason {
        CheckpointReason::Interval => "interval",
        CheckpointReason::Compaction => "compaction",
        CheckpointReason::Exit => "exit",
        CheckpointReason::Failure => "failure",
        CheckpointReason::TaskStep => "task step",
    }
}
