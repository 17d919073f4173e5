//! What the hook of a tool's result does: a large result is stored, and its agent gets a preview in place of it.
//!
//! The agent waits for the hook, and a result that it does not get would be lost to it. So this answers fast, and on any trouble
//! it answers nothing: the result stays whole, and the reason is noted for `watch --status`.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use throughline::{ForeignCall, OffloadFile, Storage, foreign_result_kind, foreign_session_info};
use throughline_commands::foreign::session_folder;
use throughline_conversation::SessionId;
use throughline_store::DataDir;
use throughline_terminal::line;
use throughline_text::error_chain;
use throughline_watch::{ForeignAgent, HookPayload, ReplaceableResult, ToolUse, is_plain_id};

use super::hook::transcript;
use super::settings::WatchSettings;
use crate::data_args::DataArgs;

/// How long storing a result may take.
const PATIENCE: Duration = Duration::from_secs(6);

/// Prints the answer that replaces the result, if it is large. Nothing goes wrong for the agent.
pub(super) async fn answer(agent: ForeignAgent, payload: &HookPayload, used: ToolUse<'_>, data: &DataArgs) {
    let replaced = tokio::time::timeout(PATIENCE, replaced(agent, payload, used, data)).await;
    let reason = match replaced {
        Ok(Ok(answer)) => {
            answer.iter().for_each(|answer| line(&answer.to_string()));
            return;
        }
        Ok(Err(error)) => error_chain(error.as_ref()),
        Err(_) => format!("storing it took longer than {} s", PATIENCE.as_secs()),
    };
    // Where not even this can be noted, the agent still has its result.
    let _ = noted(agent, payload, used.tool, &reason, data);
}

/// The answer that replaces the result. `None`: it stays whole.
async fn replaced(
    agent: ForeignAgent,
    payload: &HookPayload,
    used: ToolUse<'_>,
    data: &DataArgs,
) -> anyhow::Result<Option<Value>> {
    let Some(result) = ReplaceableResult::of(agent, &used) else { return Ok(None) };
    let policy = WatchSettings::load(data)?.offload_policy(agent);
    let limit = policy.threshold(foreign_result_kind(&used));
    if result.texts().iter().all(|text| text.len() <= limit) {
        return Ok(None);
    }
    let session = session(agent, payload)?;
    let storage = Storage::open(data.data_dir.clone()).await?;
    let call = ForeignCall { agent, session: &session, used };
    let describe = || {
        // A transcript that has no answer yet says little, and one that cannot be read nothing.
        let (recorded, folder) = transcript(agent, payload).ok().flatten().unzip();
        let folder = folder.flatten().or_else(|| payload.cwd.clone());
        foreign_session_info(&session, recorded.as_ref(), &session_folder(folder).unwrap_or_default())
    };
    let shown = storage.offload(&call, result.texts(), policy, describe).await?;
    Ok(shown.map(|shown| result.answer(&shown)))
}

/// The session as which the agent's own is stored.
fn session(agent: ForeignAgent, payload: &HookPayload) -> anyhow::Result<SessionId> {
    let id = payload.session_id.as_deref().unwrap_or_default();
    ensure!(is_plain_id(id), "the hook was given no id of a session");
    SessionId::new(format!("{agent}-{id}")).context("the id of the session cannot be used")
}

/// Notes why a result was left whole.
fn noted(
    agent: ForeignAgent,
    payload: &HookPayload,
    tool: &str,
    reason: &str,
    data: &DataArgs,
) -> anyhow::Result<()> {
    let session = session(agent, payload)?;
    let folder = DataDir::place(data.data_dir.clone()).context("there is no data folder")?;
    Ok(OffloadFile::new(&folder, &session).add_failure(tool, reason)?)
}
