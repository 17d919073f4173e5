//! The settings for a report on a session that no process has open: the policy of its log, with the settings of its
//! folder.

use std::path::Path;

use serde::Serialize;
use throughline::{SessionSettings, SessionStart};
use throughline_continuity::SessionDirectory as _;
use throughline_text::error_chain;

use crate::target::CommandTarget;
use crate::terminal::plain;

/// The settings behind the figures.
#[derive(Debug, Serialize)]
pub(crate) struct Assumed {
    policy: &'static str,
    /// The folder whose settings hold; `None`: the user's own alone do.
    settings_of: Option<String>,
    /// Why those of the session's folder do not.
    problem: Option<String>,
}

impl Assumed {
    /// A line for a person.
    pub(super) fn line(&self) -> String {
        let Self { policy, settings_of, problem } = self;
        let by = match (settings_of, problem) {
            (Some(folder), _) => format!("as the settings say in {folder}"),
            (None, Some(problem)) => {
                format!("as your own settings say; those of its folder do not hold: {problem}")
            }
            (None, None) => "as your own settings say".to_owned(),
        };
        plain(
            &format!("Thresholds and the next compaction are those of policy {policy}, {by}.")
                .replace('\n', " "),
        )
    }
}

/// The settings that the session would run with now, in its own folder.
pub(crate) async fn assumed(target: &CommandTarget) -> anyhow::Result<(SessionSettings, Assumed)> {
    let start = SessionStart::Existing(target.handle.session.clone());
    let storage = &target.handle.storage;
    let info = target.handle.storage.store.sessions().get(&target.handle.session).await?;
    let folder = info.map(|info| info.workspace).filter(|folder| !folder.is_empty());
    let problem = match folder {
        None => None,
        Some(folder) => {
            match SessionSettings::of_workspace(Path::new(&folder), target.handle.storage.folder.root()) {
                Ok(choice) => {
                    let choice = choice.for_session(storage, &start).await?;
                    let policy = choice.policy().name();
                    return Ok((choice, Assumed { policy, settings_of: Some(folder), problem: None }));
                }
                Err(error) => Some(error_chain(&error)),
            }
        }
    };
    let choice = SessionSettings::of_user()?.for_session(storage, &start).await?;
    let policy = choice.policy().name();
    Ok((choice, Assumed { policy, settings_of: None, problem }))
}
