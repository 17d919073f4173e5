//! The view that replaces a conversation.

use throughline_conversation::{CONTEXT_HEAD, EntryKind, Message, Role, SessionId};
use throughline_engine::{ContextEngine, ModelInfo};
use throughline_ledger::one_line;
use throughline_policies::Estimator;
use throughline_stored::{Attempt as _, Storage};
use throughline_text::cut_end;

use super::rows::{CompactedRow, rows, text_of};
use crate::asked_compaction::AskedCompaction;
use crate::failure::Result;
use crate::import::{OUTPUT, WINDOW};
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

/// The view of a conversation after a compaction that its user or its agent asks for. What leaves it is in the results of the
/// session.
///
/// # Errors
/// There is nothing to compact, or what leaves cannot be stored.
pub(crate) async fn compacted(
    session: &SessionId,
    messages: &[Message],
    asked: &AskedCompaction,
    storage: &Storage,
    settings: &WatchSettings,
) -> Result<CompactedView> {
    let window = asked.window.unwrap_or(WINDOW);
    let info = ModelInfo::with_window("claude", window, OUTPUT);
    let mut policy = settings.engine_settings(window, OUTPUT);
    // What the agent has had whole stays whole until it is summarized.
    policy.offload.threshold_bytes = usize::MAX;
    policy.offload.read_threshold_bytes = usize::MAX;
    let builder = ContextEngine::builder(info, Estimator::default().counter(), policy);
    let open = builder.results(storage.results()).allow_repetition().open(session.clone()).await;
    let mut engine = open.attempt(|| "the transcript has no view".to_owned())?;
    engine.sync(messages).await.attempt(|| "the transcript is no conversation".to_owned())?;
    let compacted = engine.compact(asked.instructions.as_deref()).await;
    compacted.attempt(|| "the transcript was not compacted".to_owned())?;
    let first = messages.first().filter(|message| message.role == Role::User);
    let mut shown = engine.view().entries().iter().peekable();
    let mut summary = Vec::new();
    // Claude Code has the first request itself.
    while let Some(entry) = shown.next_if(|entry| {
        entry.kind == EntryKind::Summary || first.is_some_and(|first| *first == *entry.message)
    }) {
        if entry.kind == EntryKind::Summary {
            summary.extend(entry.message.texts().map(str::to_owned));
        }
    }
    let rows = rows(shown.map(|entry| entry.message.as_ref()));
    let task = first.map(Message::text).unwrap_or_default();
    let head = format!("{CONTEXT_HEAD}\nCurrent task: {}\n", cut_end(&one_line(&task), TASK));
    let text = format!("{head}{}\n{}", summary.join("\n\n"), how_to_search(session));
    if asked.is_thinking {
        let end = text_of(&rows);
        return Ok(CompactedView { summary: format!("{text}\n\nThe last steps:\n{end}"), rows: Vec::new() });
    }
    Ok(CompactedView { summary: text, rows })
}
