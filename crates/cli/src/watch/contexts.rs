//! The context of a stored session, as text.

use anyhow::bail;
use throughline::{Extraction, SessionHandle, Storage};
use throughline_commands::UsageError;
use throughline_commands::foreign::{newest, stored};
use throughline_continuity::ContextSource;
use throughline_conversation::SessionId;
use throughline_terminal::{line, note};
use throughline_text::plain;
use throughline_watch::{ForeignAgent, ForeignName};

use super::settings::WatchSettings;
use crate::data_args::DataArgs;

/// Stores the transcript of a session, or what is new of it, and prints the context that a compaction would restore.
pub(super) async fn refresh(name: &str, data: &DataArgs) -> anyhow::Result<()> {
    let name = match name {
        "" => newest(data.any_folder)?.to_string(),
        name => name.to_owned(),
    };
    let settings = WatchSettings::load(data)?;
    let storage = Storage::open(data.data_dir.clone()).await?;
    let Some(session) = stored(&storage, &name).await? else {
        bail!(UsageError(format!(
            "{name:?} cannot be refreshed; name a session as claude:ID, codex:ID, opencode:ID or gemini:ID"
        )))
    };
    let agent = ForeignName::parse(&name).map_or(ForeignAgent::Claude, |name| name.agent);
    let restored = restored_text(storage, session, ContextSource::Refresh, agent, &settings).await?;
    restored.note_problem();
    line(&plain(restored.text.trim()));
    Ok(())
}

/// The text that restores a context.
pub(super) struct RestoredText {
    pub(super) text: String,
    /// Why the summary of a model is not in it.
    pub(super) problem: Option<String>,
}

impl RestoredText {
    /// Prints the problem, if there is one. Not while another program has the terminal.
    pub(super) fn note_problem(&self) {
        self.problem.iter().for_each(|problem| note(problem));
    }
}

/// The text that restores the context of a stored session.
pub(super) async fn restored_text(
    storage: Storage,
    session: SessionId,
    source: ContextSource,
    agent: ForeignAgent,
    settings: &WatchSettings,
) -> anyhow::Result<RestoredText> {
    let how = format!(
        "All of this session is stored as session {session}: the tools of the MCP server throughline find the rest \
         (search_history by words, query_db and read_result exactly)."
    );
    let handle = SessionHandle::new(storage, session);
    let context = handle.context_for(source, agent.name(), &settings.contexts).await?;
    let problem = context.extraction.as_ref().and_then(|Extraction { model, problem, .. }| {
        let problem = problem.as_ref()?;
        Some(format!("the summary of {model} is not used ({problem}); raw lines of the log are quoted"))
    });
    Ok(RestoredText { text: context.text_within(&how, settings.size), problem })
}
