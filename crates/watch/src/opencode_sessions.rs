//! Sessions of OpenCode: they are in its own database, so what was stored of them here is what a list can show.

use throughline_config::workspace;
use throughline_continuity::{ContextSource, SessionSummary};
use throughline_stored::{ContextEntry, Result, SessionHandle, Storage};

use crate::agent::{ForeignAgent, ForeignName};

/// The stored sessions of OpenCode of this folder, or of any, the newest first, with the names that it gives them.
///
/// # Errors
/// The list of sessions cannot be read.
pub async fn stored_of_opencode(
    storage: &Storage,
    any_folder: bool,
) -> Result<Vec<(ForeignName, SessionSummary)>> {
    let folder = if any_folder { None } else { Some(workspace(None)?.display().to_string()) };
    let begin = format!("{}-", ForeignAgent::OpenCode);
    let own = storage.sessions().await?.into_iter().filter_map(|session| {
        let id = session.info.id.as_str().strip_prefix(&begin)?.to_owned();
        let is_here = folder.as_ref().is_none_or(|folder| session.info.workspace == *folder);
        is_here.then_some((ForeignName { agent: ForeignAgent::OpenCode, id }, session))
    });
    Ok(own.collect())
}

/// The contexts that the plugin was given after compactions, oldest first.
///
/// # Errors
/// They cannot be read.
pub async fn contexts_given(handle: &SessionHandle) -> Result<Vec<ContextEntry>> {
    let mut contexts = handle.contexts().await?;
    contexts.retain(|context| context.source == ContextSource::Compaction);
    Ok(contexts)
}
