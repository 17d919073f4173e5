//! `throughline checkpoints`: lists the checkpoints of a session, or shows one.

pub(crate) mod args;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use throughline::{SessionLog, now};
use throughline_continuity::checkpoint_json;
use throughline_conversation::{CheckpointReason, CheckpointRecord, Millis, Record, RecordBody, project};
use throughline_documents::Handoff;
use throughline_text::group_thousands;

use crate::answer::Answer;
use crate::handoff::lines;
use crate::sessions::age;
use crate::target::CommandTarget;
use crate::terminal::{headline, plain, table};

/// Characters of an error that are listed.
const LINE: usize = 60;

/// A checkpoint and the record that holds it.
type StoredCheckpoint<'l> = (&'l Record, &'l CheckpointRecord);

/// The checkpoints of a session, oldest first.
pub(crate) async fn list(target: &CommandTarget) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let all = found(&log);
    let json = Value::Array(numbered(&all).map(|(number, found)| object(number, found)).collect());
    if all.is_empty() {
        return Ok(Answer {
            text: format!("Session {} has no checkpoint yet.", target.handle.session),
            json,
        });
    }
    let header = ["NUMBER", "REASON", "AGE", "ITERATION", "TOKENS IN", "TOKENS OUT", "HAT", "FAILURE"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let time = now();
    rows.extend(numbered(&all).map(|(number, (record, checkpoint))| {
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
    let all = found(&log);
    let count = all.len() as u64;
    if count == 0 {
        bail!("session {} has no checkpoint yet", target.handle.session);
    }
    let number = asked.unwrap_or(count);
    let Some((_, (record, checkpoint))) = numbered(&all).find(|(known, _)| *known == number) else {
        bail!("there is no checkpoint {number}; the session has checkpoints 1 to {count}");
    };
    let before = log.records.iter().take_while(|one| one.seq <= checkpoint.messages);
    let view = project(before, target.handle.counter.as_ref())
        .with_context(|| format!("the log of session {} is damaged", target.handle.session))?;
    let whole = checkpoint_json(checkpoint, &view, view.documents());
    let mut text = vec![
        format!(
            "Checkpoint {number} of {count}, {} ago: {}",
            age(now(), record.at),
            reason(checkpoint.reason)
        ),
        format!(
            "After {} requests: {} tokens in, {} tokens out. In view: {} messages.",
            group_thousands(whole.iteration),
            group_thousands(whole.input_tokens),
            group_thousands(whole.output_tokens),
            group_thousands(whole.messages.len() as u64),
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
            text.extend(lines(&handoff));
        }
        None => text.push("It has no handoff.".to_owned()),
    }
    if !whole.scratchpad.is_empty() {
        text.push(format!("\nScratchpad:\n{}", whole.scratchpad));
    }
    Ok(Answer { text: plain(&text.join("\n")), json: serde_json::to_value(&whole)? })
}

fn found(log: &SessionLog) -> Vec<StoredCheckpoint<'_>> {
    let mut all = Vec::new();
    for record in &log.records {
        if let RecordBody::Checkpoint(found) = &record.body {
            all.push((record, found.as_ref()));
        }
    }
    all
}

fn numbered<'a, 'l>(
    all: &'a [StoredCheckpoint<'l>],
) -> impl Iterator<Item = (u64, StoredCheckpoint<'l>)> + use<'a, 'l> {
    (1..).zip(all.iter().copied())
}

fn object(number: u64, stored: StoredCheckpoint<'_>) -> Value {
    let (record, checkpoint) = stored;
    json!({
        "number": number,
        "record": record.seq,
        "reason": checkpoint.reason,
        "at_ms": record.at,
        "iteration": checkpoint.iteration,
        "input_tokens": checkpoint.input_tokens,
        "output_tokens": checkpoint.output_tokens,
        "hat": checkpoint.hat,
        "last_error": checkpoint.last_error,
        "failed_at": checkpoint.failed_at.map(Millis::rfc3339),
        "handoff": checkpoint.handoff.is_some(),
    })
}

/// The reason in a word.
fn reason(reason: CheckpointReason) -> &'static str {
    match reason {
        CheckpointReason::Interval => "interval",
        CheckpointReason::Compaction => "compaction",
        CheckpointReason::Exit => "exit",
        CheckpointReason::Failure => "failure",
        CheckpointReason::Manual => "manual",
    }
}
