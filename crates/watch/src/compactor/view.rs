//! The view that replaces a conversation.

use std::borrow::Cow;
use std::sync::Arc;

use throughline_continuity::{InMemorySnapshotStore, SnapshotStore as _, snapshot_of};
use throughline_conversation::{CONTEXT_HEAD, EntryKind, Message, Role, SessionId};
use throughline_engine::{ContextEngine, ModelInfo, Synced};
use throughline_ledger::one_line;
use throughline_policies::Estimator;
use throughline_stored::{Attempt as _, Storage, now};
use throughline_text::cut_end;

use super::continued_log::ContinuedLog;
use super::rows::{CompactedRow, rows, text_of};
use super::stored_view::StoredView;
use crate::asked_compaction::AskedCompaction;
use crate::assumed_window::{OUTPUT, WINDOW};
use crate::failure::{Result, WatchError};
use crate::restored_text::how_to_search;
use crate::settings::WatchSettings;

/// Maximum bytes of the line that says the task.
const TASK: usize = 300;

/// What Claude Code is given in place of the conversation, behind the first request.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactedView {
    /// What is not in the rows any more.
    pub summary: String,
    /// The end of the conversation.
    pub rows: Vec<CompactedRow>,
}

/// A conversation that is compacted.
#[derive(Debug)]
pub(crate) struct Conversation<'m> {
    /// The view of the compaction before. `None`: the messages are the whole conversation.
    pub(crate) before: Option<&'m StoredView<'m>>,
    /// The messages behind it.
    pub(crate) messages: &'m [Message],
}

/// The view of a conversation after a compaction that its user or its agent asks for, and what the next one continues. What leaves it
/// is in the results of the session.
///
/// # Errors
/// There is nothing to compact, or what leaves cannot be stored.
pub(crate) async fn compacted<'m>(
    session: &SessionId,
    conversation: &Conversation<'m>,
    asked: &AskedCompaction,
    storage: &Storage,
    settings: &WatchSettings,
) -> Result<(CompactedView, StoredView<'m>)> {
    let mut engine = opened(session, conversation, asked, storage, settings).await?;
    let first = match conversation.before {
        Some(before) => Cow::Borrowed(before.first.as_ref()),
        None => Cow::Borrowed(
            conversation.messages.first().ok_or_else(|| WatchError::refused("there is no message"))?,
        ),
    };
    // The next compaction begins with this view, and counts its records as those of the conversation.
    let covers = engine.view().last();
    let compacted = engine.compact(asked.instructions.as_deref()).await;
    compacted.attempt(|| "the transcript was not compacted".to_owned())?;
    let mut snapshot = snapshot_of(session, engine.view(), now());
    snapshot.covers = covers;
    let view = shown(session, &engine, &first, asked);
    Ok((view, StoredView { first, snapshot }))
}

/// The conversation in an engine of its own.
async fn opened(
    session: &SessionId,
    conversation: &Conversation<'_>,
    asked: &AskedCompaction,
    storage: &Storage,
    settings: &WatchSettings,
) -> Result<ContextEngine> {
    let window = asked.window.unwrap_or(WINDOW);
    let info = ModelInfo::with_window("claude", window, OUTPUT);
    let mut policy = settings.engine_settings(window, OUTPUT);
    // What the agent has had whole stays whole until it is summarized.
    policy.offload.threshold_bytes = usize::MAX;
    policy.offload.read_threshold_bytes = usize::MAX;
    let builder = ContextEngine::builder(info, Estimator::default().counter(), policy);
    let mut builder = builder.results(storage.results()).allow_repetition();
    if let Some(StoredView { snapshot, .. }) = conversation.before {
        let snapshots = InMemorySnapshotStore::new();
        snapshots.save(snapshot).await.attempt(|| "the view before cannot be used".to_owned())?;
        let log = ContinuedLog::behind(snapshot.covers);
        builder = builder.log(Arc::new(log)).snapshots(Arc::new(snapshots));
    }
    let open = builder.open(session.clone()).await;
    let mut engine = open.attempt(|| "the transcript has no view".to_owned())?;
    let no_conversation = || "the transcript is no conversation".to_owned();
    let shown: Vec<Message> = engine.view().transcript().messages().cloned().collect();
    if shown.is_empty() {
        engine.sync(conversation.messages).await.attempt(no_conversation)?;
        return Ok(engine);
    }
    // A list that begins with the view itself: only what is behind it is new.
    let list = [shown.as_slice(), conversation.messages].concat();
    let Synced { known, hidden, .. } = engine.sync(&list).await.attempt(no_conversation)?;
    if known != shown.len() || hidden > 0 {
        return Err(WatchError::refused("the view before does not fit the transcript"));
    }
    Ok(engine)
}

/// The view of an engine, for Claude Code.
fn shown(
    session: &SessionId,
    engine: &ContextEngine,
    first: &Message,
    asked: &AskedCompaction,
) -> CompactedView {
    let is_made = |kind: EntryKind| matches!(kind, EntryKind::Summary | EntryKind::Notice);
    let (mut summary, mut rest) = (Vec::new(), Vec::new());
    for (place, entry) in engine.view().entries().iter().enumerate() {
        if is_made(entry.kind) {
            summary.extend(entry.message.texts());
        } else if place > 0 || first.role != Role::User || *first != *entry.message {
            // Claude Code has the first request itself.
            rest.push(entry.message.as_ref());
        }
    }
    let rows = rows(rest);
    let head = format!("{CONTEXT_HEAD}\nCurrent task: {}\n", cut_end(&one_line(&first.text()), TASK));
    let text = format!("{head}{}\n{}", summary.join("\n\n"), how_to_search(session));
    if asked.is_thinking {
        let end = text_of(&rows);
        return CompactedView { summary: format!("{text}\n\nThe last steps:\n{end}"), rows: Vec::new() };
    }
    CompactedView { summary: text, rows }
}
