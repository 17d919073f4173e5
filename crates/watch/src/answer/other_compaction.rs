//! Compactions of subagents: Claude Code tells of them as of one of the session.

use std::path::Path;

use throughline_conversation::missing_result;
use throughline_replay::RecordedSession;

use crate::transcripts::{Transcript, subagents_of};

/// Returns true if a compaction that Claude Code has begun by itself is that of a subagent, which has another task than the session. The
/// session compacts itself only before a request: not while it waits for the result of a call, and not when its work is done.
pub(super) fn is_of_subagent(recorded: &RecordedSession, file: &Path) -> bool {
    let Some(last) = recorded.turns.last() else { return false };
    let results = last.steps.last().map_or(&[][..], |step| &step.results);
    let waits = results.iter().any(|result| *result == missing_result(&result.call_id));
    let is_done = !last.is_cut_off() && recorded.open_request.is_none();
    (waits || is_done) && has_busy_subagent(recorded, file)
}

/// Returns true if a subagent has written since the session has.
fn has_busy_subagent(recorded: &RecordedSession, file: &Path) -> bool {
    let Ok(modified) = file.metadata().and_then(|file| file.modified()) else { return false };
    let session = Transcript { id: recorded.id.clone(), path: file.to_owned(), modified };
    subagents_of(&session).iter().any(|subagent| subagent.modified >= modified)
}

#[cfg(test)]
mod tests;
