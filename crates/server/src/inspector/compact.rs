//! Compaction of a stored session.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use throughline_agent::NullSink;
use throughline_config::workspace;
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_stored::{Error, Result, SessionStart, Storage, recorded_model};
use throughline_text::error_chain;
use throughline_tools::CancelFlag;

use throughline_session::{RunOptions, RunSources, SessionModels, SessionOptions, ToolSet, open};

/// Compacts a stored session with the model that answered in it last, unless the options name another, with instructions for
/// the summary.
///
/// # Errors
/// Another process has the session open, no model can be asked, or nothing can be removed; then nothing has changed.
pub(crate) async fn compact_stored(
    storage: &Storage,
    session: &SessionId,
    options: &RunOptions,
    sources: &RunSources,
    instructions: Option<&str>,
) -> Result<Value> {
    let info = storage.store.sessions().get(session).await?;
    let folder = info.map(|info| PathBuf::from(info.workspace)).filter(|folder| folder.is_dir());
    let workspace = workspace(folder.as_deref())?;
    let config = sources.load(Some(&workspace))?;
    let start = SessionStart::Existing(session.clone());
    let recorded = recorded_model(storage, &start).await?;
    let options = RunOptions { tools: ToolSet::None, ..options.clone() };
    let models = SessionModels::connect(&options, &config, recorded.as_ref()).await?;
    let mut run = open(SessionOptions {
        start,
        id_prefix: "run",
        ..SessionOptions::new(Arc::new(config), storage.clone(), workspace, models.alone())
    })
    .await?;
    let made = run.agent.compact_with(instructions, &NullSink, &CancelFlag::new()).await;
    run.close_with(&NullSink).await?;
    let made = made.map_err(|error| Error::Refused(error_chain(&error)))?;
    Ok(json!({ "compaction": made }))
}
