//! Support for the tests: views out of the notation, and compactions of them.

use std::future::Future;

use throughline_conversation::{EditReason, EntryKind, SessionId, View};
pub(crate) use throughline_testkit::words;
use throughline_testkit::{WordCounter, render_view, view, with_edit};

use crate::{Compacted, CompactionError, CompactionJob, CompactionPolicy, Compactor, Goal, TargetSize};

/// A policy for texts of a few words: clears what has more than 60 bytes, protects one step.
pub(crate) fn small() -> CompactionPolicy {
    CompactionPolicy {
        protect_steps: 1,
        target: TargetSize { fraction: 1.0, tokens: 30 },
        clear_min_bytes: 60,
        clip_bytes: 20,
        digest_bytes_per_name: 60,
        ..CompactionPolicy::default()
    }
}

/// The session of all tests.
pub(crate) fn session() -> SessionId {
    SessionId::new("s").expect("a name")
}

/// Waits for a future that needs no other.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

/// Compacts a view for which there is `room`.
pub(crate) fn compact(
    compactor: &Compactor,
    view: &View,
    room: u64,
    goal: Goal,
) -> Result<Compacted, CompactionError> {
    let (session, reason) = (session(), EditReason::CompactThreshold);
    let job = CompactionJob { goal, reason, ..CompactionJob::new(&session, view, &WordCounter, room) };
    wait(compactor.compact(&job))
}

/// The view in the notation, then what is to be stored, then the figures; references by short names.
pub(crate) fn rendered(outcome: Result<Compacted, CompactionError>) -> String {
    let done = match outcome {
        Ok(done) => done,
        Err(error) => return format!("error: {error}\n"),
    };
    let mut text = render_view(&done.view);
    for kept in &done.keep {
        text.push_str(&format!("keep {} {}: {} bytes\n", kept.stored, kept.tool, kept.bytes.len()));
    }
    for lost in &done.degraded {
        text.push_str(&format!("degraded {}: {} ({})\n", lost.subsystem, lost.fallback, lost.cause));
    }
    text.push_str(&format!("{}; {} rewritten\n", done.result, done.result.rewritten_tokens));
    text
}

/// The view after a compaction was appended to its log as the next record.
pub(crate) fn appended(view: &View, done: &Compacted) -> View {
    with_edit(view, &done.edit)
}

/// The view of a transcript in the notation, in which the messages at these places are summaries.
pub(crate) fn with_summaries(notation: &str, places: &[usize]) -> View {
    let view = view(notation);
    let mut entries = view.entries().to_vec();
    for place in places {
        entries.get_mut(*place).expect("a message").kind = EntryKind::Summary;
    }
    View::from_entries(entries, 0, view.last())
}
