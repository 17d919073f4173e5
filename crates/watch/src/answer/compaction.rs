//! Answers a compaction of Claude Code, which our module asks about.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use throughline_replay::read_session;
use throughline_stored::{Attempt as _, Storage};

use super::{HookAnswer, session_id, stored_transcript};
use crate::agent::ForeignAgent;
use crate::asked_compaction::AskedCompaction;
use crate::compactor::{self, CompactedView, NotedCompaction};
use crate::failure::{Result, WatchError};
use crate::hooks::HookPayload;
use crate::import::transcript_messages;
use crate::sessions::unreadable;
use crate::settings::WatchSettings;
use crate::tail::ends_with;

/// How long a result may take until the transcript has it. Less than the module waits for the answer.
const WRITTEN: Duration = Duration::from_millis(800);

/// Bytes of the end that are looked at: the results of parallel calls are large.
const RESULTS: u64 = 1024 * 1024;

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
    let made = async {
        let file = of_subagent(payload, asked);
        let Some(path) = file.as_ref().or(payload.transcript_path.as_ref()) else {
            return Err(WatchError::refused("the module was given no transcript"));
        };
        results_written(path, &asked.answered).await?;
        // What leaves the window can be found in the session afterwards.
        let Some(recorded) = stored_transcript(ForeignAgent::Claude, payload, storage).await? else {
            return Err(WatchError::refused("the session is deleted, or has no transcript"));
        };
        let recorded = file.map_or(Ok(recorded), |file| read_session(&file))?;
        let messages = transcript_messages(ForeignAgent::Claude, &recorded);
        compactor::compacted(&session, &messages, asked, storage, settings).await
    };
    let made = made.await;
    let noted = NotedCompaction::of(asked, &made, begun.elapsed());
    compactor::note(storage.folder.root(), &session, noted)?;
    let CompactedView { summary, rows } = made?;
    Ok(HookAnswer { output: Some(json!({ "summary": summary, "rows": rows })), notices: Vec::new() })
}

/// Waits until the transcript has the newest results: Claude Code writes it while it asks.
async fn results_written(file: &Path, calls: &[String]) -> Result<()> {
    let end = Instant::now() + WRITTEN;
    for call in calls {
        let line = format!("\"tool_use_id\":\"{call}\"");
        while !ends_with(file, &line, RESULTS).attempt(|| unreadable(file))? {
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
