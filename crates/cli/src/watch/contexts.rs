//! `throughline watch --refresh`: the context of a session, as a compaction would restore it.

use anyhow::bail;
use throughline_commands::{UsageError, foreign_session};
use throughline_stored::Storage;
use throughline_terminal::{line, note};
use throughline_text::plain;
use throughline_watch::{ContextSource, ForeignAgent, ForeignName, newest_anywhere, restored_text};

use super::hook::place;
use crate::data_args::DataArgs;

/// Stores the transcript of a session, or what is new of it, and prints the context that a compaction would restore.
pub(super) async fn refresh(name: &str, data: &DataArgs) -> anyhow::Result<()> {
    let name = match name {
        "" => newest_anywhere(data.data_dir.clone(), data.any_folder).await?.to_string(),
        name => name.to_owned(),
    };
    let settings = place(data).settings()?;
    let storage = Storage::open(data.data_dir.clone()).await?;
    let Some(session) = foreign_session(&storage, &name).await? else {
        bail!(UsageError(format!(
            "{name:?} cannot be refreshed; name a session as claude:ID, codex:ID, opencode:ID or gemini:ID"
        )))
    };
    let agent = ForeignName::parse(&name).map_or(ForeignAgent::Claude, |name| name.agent);
    let restored = restored_text(&storage, &session, ContextSource::Refresh, agent, &settings).await?;
    restored.problem.iter().for_each(|problem| note(problem));
    line(&plain(restored.text.trim()));
    Ok(())
}
