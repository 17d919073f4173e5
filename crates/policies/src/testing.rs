//! Support for the tests: compactions of views in the notation.

use std::future::Future;
use std::sync::Arc;

use throughline_compaction::{
    Compacted, CompactionError, CompactionJob, CompactionPolicy, Compactor, Goal, StrategyChain, Summarizer,
};
use throughline_conversation::{EditReason, SessionId, View};
pub(crate) use throughline_testkit::words;
use throughline_testkit::{WordCounter, render_view, with_edit};

/// The session of all tests.
pub(crate) fn session() -> SessionId {
    SessionId::new("s").expect("a name")
}

/// A compactor that runs a chain, with a minimum gain.
pub(crate) fn compactor(
    chain: impl StrategyChain + 'static,
    minimum_gain: f64,
    summarizer: Option<Arc<dyn Summarizer>>,
) -> Compactor {
    let policy = CompactionPolicy { chain: Arc::new(chain), minimum_gain, ..CompactionPolicy::default() };
    Compactor::new(policy, summarizer)
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
    wait(compactor.compact(&CompactionJob {
        goal,
        reason,
        ..CompactionJob::new(&session, view, &WordCounter, room)
    }))
}

/// Compacts a view in a room of this many tokens, next to `fixed` others, when a request is compacted at `compact_at`.
pub(crate) fn compact_by(
    compactor: &Compactor,
    view: &View,
    room: u64,
    fixed: u64,
    compact_at: Option<u64>,
) -> Result<Compacted, CompactionError> {
    let (session, reason) = (session(), EditReason::CompactThreshold);
    let job =
        CompactionJob { fixed, compact_at, reason, ..CompactionJob::new(&session, view, &WordCounter, room) };
    wait(compactor.compact(&job))
}

/// The view in the notation, then the bytes to store, then the figures.
pub(crate) fn rendered(outcome: Result<Compacted, CompactionError>) -> String {
    let done = match outcome {
        Ok(done) => done,
        Err(error) => return format!("error: {error}\n"),
    };
    let mut text = render_view(&done.view);
    for cleared in &done.keep {
        text.push_str(&format!("keep {} {}: {} bytes\n", cleared.stored, cleared.tool, cleared.bytes.len()));
    }
    for failed in &done.degraded {
        text.push_str(&format!("degraded {}: {} ({})\n", failed.subsystem, failed.fallback, failed.cause));
    }
    text.push_str(&format!("{}; {} rewritten\n", done.result, done.result.rewritten_tokens));
    text
}

/// The view after a compaction was appended to its log as the next record.
pub(crate) fn appended(view: &View, done: &Compacted) -> View {
    with_edit(view, &done.edit)
}
