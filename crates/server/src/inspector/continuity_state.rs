//! Whether a session preserves its context: what is stored of it, and whether that covers its newest record.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_continuity::{ContextSource, SessionSummary};
use throughline_conversation::Millis;
use throughline_stored::{Result, SessionHandle};
use throughline_watch::format_of;

use crate::agent_label::agent_label;

/// The state of a session's context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Continuity")]
pub(crate) struct ContinuityState {
    /// The agent whose transcript the session was stored from; `None`: it ran in Throughline.
    pub(crate) agent: Option<&'static str>,
    /// The state in one word: `preserved`, `behind` or `log`.
    pub(crate) state: &'static str,
    /// Contexts that are stored.
    pub(crate) contexts: usize,
    /// What the newest one was made for.
    #[schemars(with = "Option<String>")]
    pub(crate) newest: Option<ContextSource>,
    /// When the newest one was made.
    #[schemars(with = "Option<i64>")]
    pub(crate) newest_ms: Option<Millis>,
    /// Records that came after the newest one.
    pub(crate) behind: u64,
    /// The session has a checkpoint with a handoff.
    pub(crate) handoff: bool,
}

/// The state of the context of a session. A session of Throughline itself has its whole log: that is enough to resume it.
///
/// # Errors
/// The stored contexts or the log cannot be read.
pub(crate) async fn continuity_state(
    handle: &SessionHandle,
    session: &SessionSummary,
) -> Result<ContinuityState> {
    let contexts = handle.contexts().await?;
    let newest = contexts.last();
    let last = handle.storage.log().last(&handle.session).await?;
    let behind = newest.map_or(last.0, |newest| last.0.saturating_sub(newest.covers.0));
    let state = match newest {
        Some(newest) if newest.context.is_some() && behind == 0 => "preserved",
        Some(_) => "behind",
        None => "log",
    };
    let handoff = match handle.storage.newest_record(&handle.session, "checkpoint").await?.map(|one| one.body)
    {
        Some(throughline_conversation::RecordBody::Checkpoint(checkpoint)) => checkpoint.handoff.is_some(),
        _ => false,
    };
    Ok(ContinuityState {
        agent: agent_of(session.info.id.as_str()),
        state,
        contexts: contexts.len(),
        newest: newest.map(|newest| newest.source),
        newest_ms: newest.map(|newest| newest.timestamp),
        behind,
        handoff,
    })
}

/// The agent that a stored session's id names.
pub(crate) fn agent_of(id: &str) -> Option<&'static str> {
    format_of(id).map(|format| agent_label(format.name()))
}
