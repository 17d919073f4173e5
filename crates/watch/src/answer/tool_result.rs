//! What the hook of a tool's result does: a large result is stored, and its agent gets a preview in place of it.
//!
//! The agent waits for the hook, and a result that it does not get would be lost to it. So this answers fast, and on any trouble
//! it answers nothing: the result stays whole, and the reason is noted for `watch --status`.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use throughline_conversation::SessionId;
use throughline_store::DataDir;
use throughline_stored::Storage;
use throughline_text::error_chain;

use super::{HookAnswer, HookPlace, session_id, transcript};
use crate::agent::ForeignAgent;
use crate::failure::{Result, WatchError};
use crate::hooks::{HookPayload, ToolUse};
use crate::offload::{ForeignCall, offload, result_kind, session_info};
use crate::offloads::OffloadFile;
use crate::sessions::session_folder;
use crate::settings::WatchSettings;
use crate::tool_result::ReplaceableResult;
use crate::transcripts::is_plain_id;

/// How long storing a result may take.
const PATIENCE: Duration = Duration::from_secs(6);

/// The answer that replaces the result, if it is large. Nothing goes wrong for the agent.
pub(super) async fn answer(
    agent: ForeignAgent,
    payload: &HookPayload,
    used: ToolUse<'_>,
    storage: &Storage,
    settings: &WatchSettings,
) -> HookAnswer {
    let call = HookedCall { agent, payload, used };
    let folder = Some(storage.folder.root().to_owned());
    call.answered(call.replaced(settings, async || Ok(storage.clone())), || folder).await
}

/// The same in a place where nothing is open yet: most results are small, and need nothing.
pub(super) async fn answer_in(
    agent: ForeignAgent,
    payload: &HookPayload,
    used: ToolUse<'_>,
    place: &HookPlace,
) -> HookAnswer {
    let call = HookedCall { agent, payload, used };
    let open = async || Ok(Storage::open(place.data_dir.clone()).await?);
    let replaced = async { call.replaced(&place.settings()?, open).await };
    call.answered(replaced, || DataDir::place(place.data_dir.clone())).await
}

/// A call that has ended, and the payload that reports it.
#[derive(Debug, Clone, Copy)]
struct HookedCall<'p> {
    agent: ForeignAgent,
    payload: &'p HookPayload,
    used: ToolUse<'p>,
}

impl HookedCall<'_> {
    /// The answer; without one in time, the reason is noted in the data folder.
    async fn answered(
        &self,
        replaced: impl Future<Output = Result<Option<Value>>>,
        folder: impl FnOnce() -> Option<PathBuf>,
    ) -> HookAnswer {
        let reason = match tokio::time::timeout(PATIENCE, replaced).await {
            Ok(Ok(output)) => return HookAnswer { output, notices: Vec::new() },
            Ok(Err(error)) => error_chain(&error),
            Err(_) => format!("storing it took longer than {} s", PATIENCE.as_secs()),
        };
        // Where not even this can be noted, the agent still has its result.
        if let (Ok(session), Some(folder)) = (self.session(), folder()) {
            let _ = OffloadFile::new(&folder, &session).add_failure(self.used.tool, &reason);
        }
        HookAnswer::default()
    }

    /// The answer that replaces the result. `None`: it stays whole.
    async fn replaced(
        &self,
        settings: &WatchSettings,
        open: impl AsyncFnOnce() -> Result<Storage>,
    ) -> Result<Option<Value>> {
        let Self { agent, payload, used } = *self;
        let Some(result) = ReplaceableResult::of(agent, &used) else { return Ok(None) };
        let policy = settings.offload_policy(agent);
        let limit = policy.threshold(result_kind(&used));
        if result.texts().iter().all(|text| text.len() <= limit) {
            return Ok(None);
        }
        let session = self.session()?;
        let storage = open().await?;
        let call = ForeignCall { agent, session: &session, used };
        let describe = || {
            // A transcript that has no answer yet says little, and one that cannot be read nothing.
            let found = transcript(agent, payload).ok().flatten();
            let folder = found.as_ref().and_then(|found| found.folder.clone());
            let folder = session_folder(folder.or_else(|| payload.cwd.clone())).unwrap_or_default();
            session_info(&session, found.as_ref().map(|found| &found.recorded), &folder)
        };
        let shown = offload(&storage, &call, result.texts(), policy, describe).await?;
        Ok(shown.map(|shown| result.answer(&shown)))
    }

    /// The session as which the agent's own is stored.
    fn session(&self) -> Result<SessionId> {
        let id = self.payload.session_id.as_deref().unwrap_or_default();
        if !is_plain_id(id) {
            return Err(WatchError::refused("the hook was given no id of a session"));
        }
        session_id(self.agent, id)
    }
}
