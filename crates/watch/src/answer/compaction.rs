//! Answers a compaction of Claude Code, which our module asks about.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use throughline_conversation::{ResultRef, SessionId};
use throughline_replay::ROW_TEXTS;
use throughline_stored::{Attempt as _, Storage};

use super::conversation::{Continued, ReadConversation, continued, whole, whole_of_subagent};
use super::found_transcript::is_there;
use super::{HookAnswer, session_id};
use crate::agent::ForeignAgent;
use crate::asked_compaction::AskedCompaction;
use crate::compactor::{
    self, CompactedRow, CompactedTo, CompactedView, CompactorNotes, Conversation, MadeView, NotedCompaction,
};
use crate::failure::{Result, WatchError};
use crate::hooks::HookPayload;
use crate::sessions::unreadable;
use crate::settings::WatchSettings;
use crate::tail::has_result;

/// How long a result may take until the transcript has it. Less than the module waits for the answer.
const WRITTEN: Duration = Duration::from_millis(800);

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(10);

/// The answer to a compaction that the module asks about.
///
/// # Errors
/// The transcript cannot be read, or there is nothing to compact. Then Claude Code compacts by itself; the reason is noted.
pub(super) async fn answer(
    payload: &HookPayload,
    asked: &AskedCompaction,
    storage: &Storage,
    settings: &WatchSettings,
) -> Result<HookAnswer> {
    let begun = Instant::now();
    let id = payload.session_id.as_deref().unwrap_or_default();
    let session = session_id(ForeignAgent::Claude, id)?;
    let data = storage.folder.root();
    // A process that is ended meanwhile leaves the question without an answer.
    let mut noted = NotedCompaction::asked(asked);
    compactor::note(data, &session, noted.clone(), None)?;
    let made = view(payload, asked, &session, storage, settings).await;
    noted.answer(&made, begun.elapsed());
    let to = made.as_ref().ok().and_then(|made| made.to.clone());
    compactor::note(data, &session, noted, to)?;
    let CompactedView { summary, rows } = made?.shown;
    Ok(HookAnswer { output: Some(json!({ "summary": summary, "rows": rows })), notices: Vec::new() })
}

/// The view of the conversation: it continues that of the compaction before where the transcript does.
async fn view(
    payload: &HookPayload,
    asked: &AskedCompaction,
    session: &SessionId,
    storage: &Storage,
    settings: &WatchSettings,
) -> Result<MadeView> {
    let file = of_subagent(payload, asked);
    let Some(path) = file.as_ref().or(payload.transcript_path.as_ref()) else {
        return Err(WatchError::refused("the module was given no transcript"));
    };
    is_there(path)?;
    results_written(path, &asked.answered).await?;
    let notes = CompactorNotes::read(storage.folder.root(), session)?;
    let last = notes.compacted(asked.agent());
    let before = last.map(|last| (last.session().unwrap_or(session), &last.view));
    if let Some(last) = last
        && let Some(new) = continued(path, session, last, storage).await?
        && let Ok(made) = new.compacted(asked, storage, settings, before).await
    {
        return Ok(made);
    }
    let all = match &file {
        Some(file) => whole_of_subagent(file, session, payload, storage).await?,
        None => whole(payload, storage).await?,
    };
    all.compacted(asked, storage, settings, before).await
}

impl ReadConversation {
    /// Its view, which is stored in place of the one before, and what the next compaction continues.
    async fn compacted(
        self,
        asked: &AskedCompaction,
        storage: &Storage,
        settings: &WatchSettings,
        before: Option<(&SessionId, &ResultRef)>,
    ) -> Result<MadeView> {
        let Self { session, before: earlier, messages, continued } = self;
        let conversation = Conversation { before: earlier.as_ref(), messages: &messages };
        let (shown, view) = compactor::compacted(&session, &conversation, asked, storage, settings).await?;
        let is_whole = earlier.is_none();
        let Some(Continued { mut place, end, stored }) = continued else {
            return Ok(MadeView { shown, to: None, is_whole });
        };
        // Claude Code writes the first request and these rows into the transcript again.
        let first = view.first.texts().collect::<Vec<_>>().join(ROW_TEXTS);
        let said = shown.rows.iter().filter_map(CompactedRow::said);
        let texts = view.first.texts().chain([first.as_str()]).chain(said);
        place.note_rows(texts, shown.rows.iter().flat_map(CompactedRow::answered));
        let view = view.store(storage, &session, before).await?;
        Ok(MadeView { shown, to: Some(CompactedTo { place, end, stored, view }), is_whole })
    }
}

/// Waits until the transcript has the newest results: Claude Code writes it while it asks.
async fn results_written(file: &Path, calls: &[String]) -> Result<()> {
    let end = Instant::now() + WRITTEN;
    for call in calls {
        while !has_result(file, call).attempt(|| unreadable(file))? {
            if Instant::now() > end {
                return Err(WatchError::refused(format!("the transcript has no result of call {call} yet")));
            }
            tokio::time::sleep(LOOK).await;
        }
    }
    Ok(())
}

/// The conversation of a subagent, if it is one that is compacted: a file in a folder named as that of the session.
fn of_subagent(payload: &HookPayload, asked: &AskedCompaction) -> Option<PathBuf> {
    let session = payload.transcript_path.as_ref()?;
    let name = format!("agent-{}.jsonl", asked.agent()?);
    Some(session.with_extension("").join("subagents").join(name))
}
