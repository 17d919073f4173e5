//! The context of a stored session, as the text that an agent is given.

use throughline_continuity::ContextSource;
use throughline_conversation::SessionId;
use throughline_stored::{Extraction, Result, SessionHandle, Storage};

use crate::agent::ForeignAgent;
use crate::settings::WatchSettings;

/// The text that restores a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredText {
    /// The text, within the size of the settings.
    pub text: String,
    /// Why the summary of a model is not in it.
    pub problem: Option<String>,
}

/// Tells the model of a watched agent where the rest of its session is.
pub(crate) fn how_to_search(session: &SessionId) -> String {
    format!(
        "All of this session is stored as session {session}: the tools of the MCP server throughline find the rest \
         (search_history by words, query_db and read_result exactly)."
    )
}

/// The text that restores the context of a stored session. The context is stored, too.
///
/// # Errors
/// The session cannot be read, or the context not be stored.
pub async fn restored_text(
    storage: &Storage,
    session: &SessionId,
    source: ContextSource,
    agent: ForeignAgent,
    settings: &WatchSettings,
) -> Result<RestoredText> {
    let how = how_to_search(session);
    let handle = SessionHandle::new(storage.clone(), session.clone());
    let context = handle.context_for(source, agent.name(), &settings.contexts).await?;
    let problem = context.extraction.as_ref().and_then(|Extraction { model, problem, .. }| {
        let problem = problem.as_ref()?;
        Some(format!("the summary of {model} is not used ({problem}); raw lines of the log are quoted"))
    });
    Ok(RestoredText { text: context.text_within(&how, settings.size), problem })
}
