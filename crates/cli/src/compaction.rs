//! The result of a manual compaction.

use throughline_compaction::CompactResult;
use throughline_groups::{CompactionDiff, compaction_diff};
use throughline_text::group_thousands;

use crate::answer::Answer;
use crate::diff::made;
use crate::target::CommandTarget;

/// The figures, what stayed and what left the view, how to inspect it and how to undo it.
pub(crate) async fn compacted(target: &CommandTarget, result: &CompactResult) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let mut lines = vec![format!("{result}.")];
    if let Ok(diff) = compaction_diff(&log.records, None, target.handle.counter.as_ref()) {
        lines.extend(gone(&diff));
        lines.push(format!(
            "Still in view: {} messages. The session's log keeps every message.",
            group_thousands(still_in_view(&diff))
        ));
    }
    lines.push(format!("To see what it removed: {}", target.command("diff", "")));
    lines.push(format!("To undo it: {}", target.command("undo", "--compaction")));
    let mut answer = Answer::lines(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("compaction".to_owned(), serde_json::to_value(result)?);
    }
    Ok(answer)
}

/// Messages that were not covered.
fn still_in_view(diff: &CompactionDiff) -> u64 {
    let covered: usize = diff.covers.iter().map(|cover| cover.messages.len()).sum();
    diff.before.messages.saturating_sub(covered as u64)
}

fn gone(diff: &CompactionDiff) -> Vec<String> {
    let mut lines = Vec::new();
    for cover in &diff.covers {
        let (first, last) = (cover.span.first, cover.span.last);
        let tokens = cover.messages.iter().fold(0, |sum: u64, message| sum.saturating_add(message.tokens));
        let became = match (&cover.summary, &cover.note) {
            (None, _) => "dropped".to_owned(),
            (Some(_), None) => "summarized".to_owned(),
            (Some(_), Some(note)) => format!("summarized ({})", made(note)),
        };
        lines.push(format!(
            "{} messages with {} tokens (records {first} to {last}): {became}.",
            group_thousands(cover.messages.len() as u64),
            group_thousands(tokens)
        ));
    }
    let bytes = diff
        .replaced
        .iter()
        .fold(0, |sum: u64, one| sum.saturating_add(one.before_bytes.saturating_sub(one.after_bytes)));
    match diff.replaced.len() {
        0 => {}
        1 => lines.push(format!(
            "Offloaded 1 result or argument with {} bytes; the model can read it back.",
            group_thousands(bytes)
        )),
        more => lines.push(format!(
            "Offloaded {more} results and arguments with {} bytes; the model can read them back.",
            group_thousands(bytes)
        )),
    }
    lines
}
