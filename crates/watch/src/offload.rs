//! Stores a large result of another agent's tool before its model sees it.

use std::path::Path;

use throughline_config::SessionSettings;
use throughline_continuity::{SessionDirectory as _, SessionInfo, title_of};
use throughline_conversation::{SessionId, ToolCall};
use throughline_ledger::StepKind;
use throughline_policies::Estimator;
use throughline_replay::RecordedSession;
use throughline_resultstore::{OffloadPolicy, ResultKind, ResultStore};
use throughline_stored::{Attempt as _, DeletedSessions, Error, Result, Storage, now};

use crate::agent::ForeignAgent;
use crate::assumed_window::{OUTPUT, WINDOW};
use crate::head::first_request;
use crate::hooks::ToolUse;
use crate::offloads::{MAX_OFFLOADED, OffloadFile, OffloadedResult};
use crate::session_lock::{HOOK, lock_within};

/// The window by which results of Codex are judged: it has cut them to 10,000 characters, so sizes that suit its real window
/// would leave all of them whole.
const CODEX_WINDOW: u64 = 16_000;

/// A call of another agent's tool that has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForeignCall<'c> {
    /// The agent.
    pub agent: ForeignAgent,
    /// Its session.
    pub session: &'c SessionId,
    /// The call.
    pub used: ToolUse<'c>,
}

/// When results of an agent are stored, and what its model sees of them: the rule of a session with these settings.
#[must_use]
pub(crate) fn offload_policy(agent: ForeignAgent, settings: &SessionSettings) -> OffloadPolicy {
    let own = settings.for_window(WINDOW, OUTPUT).offload;
    if agent != ForeignAgent::Codex {
        return own;
    }
    // Files that it shows by commands are as large for its edits as for those of others.
    let read_threshold_bytes = own.read_threshold_bytes;
    OffloadPolicy { read_threshold_bytes, ..settings.for_window(CODEX_WINDOW, OUTPUT).offload }
}

/// What the list says of another agent's session before its transcript is stored. `recorded`: what the transcript has so far.
#[must_use]
pub(crate) fn session_info(
    session: &SessionId,
    recorded: Option<&RecordedSession>,
    workspace: &Path,
) -> SessionInfo {
    SessionInfo {
        id: session.clone(),
        title: title_of(&recorded.and_then(first_request).unwrap_or_default()),
        workspace: workspace.display().to_string(),
        model: recorded.and_then(|recorded| recorded.model.clone()).unwrap_or_default(),
        created: now(),
    }
}

/// Stores what is large among the texts of a result, and gives what the model is to see: the texts, with previews in place of
/// large ones. `None`: nothing is to be replaced, because no text is large or the user has deleted the session. `describe`
/// is asked if the session is not listed yet.
///
/// # Errors
/// The storage failed, or has offloaded 2,000 results of the session. Then the result must stay whole.
pub(crate) async fn offload(
    storage: &Storage,
    call: &ForeignCall<'_>,
    texts: &[String],
    policy: OffloadPolicy,
    describe: impl FnOnce() -> SessionInfo,
) -> Result<Option<Vec<String>>> {
    let session = call.session;
    let lock = lock_within(storage, session, HOOK).await?;
    let listed = storage.store.sessions().get(session).await?.is_some();
    if !listed {
        if DeletedSessions::in_folder(storage.folder.root()).contains(session)? {
            lock.remove().attempt(|| format!("the lock file of {session} stays"))?;
            return Ok(None);
        }
        storage.create_session(&describe()).await?;
    }
    let file = OffloadFile::new(storage.folder.root(), session);
    if file.read()?.results.len() >= MAX_OFFLOADED {
        return Err(Error::usage(format!(
            "{MAX_OFFLOADED} results of session {session} are offloaded already"
        )));
    }
    let (shown, results) = ingest_texts(storage, call, texts, policy).await?;
    if results.is_empty() {
        return Ok(None);
    }
    file.add(results)?;
    Ok(Some(shown))
}

async fn ingest_texts(
    storage: &Storage,
    call: &ForeignCall<'_>,
    texts: &[String],
    policy: OffloadPolicy,
) -> Result<(Vec<String>, Vec<OffloadedResult>)> {
    let ForeignCall { agent, session, used } = *call;
    let store = ResultStore::new(storage.results(), session.clone(), policy, []);
    let kind = result_kind(&used);
    let (counter, at) = (Estimator::default().counter(), now());
    let (mut shown, mut results) = (Vec::new(), Vec::new());
    for text in texts {
        let ingested = store.ingest_as(kind, used.tool, used.call, text.as_bytes(), at).await;
        let ingested = ingested.attempt(|| format!("could not store a result of {agent}"))?;
        if let Some(receipt) = ingested.offloaded {
            results.push(OffloadedResult {
                call: used.call.to_owned(),
                tool: receipt.tool,
                stored: receipt.stored,
                bytes: receipt.bytes,
                shown: receipt.shown,
                saved: counter.text(text).saturating_sub(counter.text(&ingested.text)),
                at,
            });
        }
        shown.push(ingested.text);
    }
    Ok((shown, results))
}

/// The kind of a call's result: the model edits what it has read.
#[must_use]
pub(crate) fn result_kind(used: &ToolUse<'_>) -> ResultKind {
    let call = ToolCall { id: used.call.to_owned(), name: used.tool.to_owned(), input: used.input.clone() };
    match StepKind::of_call(&call, None) {
        StepKind::Read => ResultKind::File,
        _ => ResultKind::Other,
    }
}
