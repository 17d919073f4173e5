//! The settings for a report on a session that no process has open: the policy of its log, with the settings of its
//! folder.

use std::path::Path;

use serde::Serialize;
use throughline_continuity::SessionDirectory as _;
use throughline_text::error_chain;

use crate::error::Result;
use crate::handle::SessionHandle;
use crate::recorded::settings_for;
use crate::session_start::SessionStart;
use throughline_config::SessionSettings;

/// The settings behind the figures of a session that no agent has open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssumedSettings {
    /// The name of the policy.
    pub policy: &'static str,
    /// The folder whose settings are used; `None`: only the user's own.
    pub settings_of: Option<String>,
    /// Why the settings of the session's folder are not used.
    pub problem: Option<String>,
}

impl AssumedSettings {
    /// One line for a person.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { policy, settings_of, problem } = self;
        let by = match (settings_of, problem) {
            (Some(folder), _) => format!("as the settings say in {folder}"),
            (None, Some(problem)) => {
                format!("as your own settings say; those of its folder do not hold: {problem}")
            }
            (None, None) => "as your own settings say".to_owned(),
        };
        format!("Thresholds and the next compaction are those of policy {policy}, {by}.").replace('\n', " ")
    }
}

/// The settings that the session would run with now, in its own folder.
pub(super) async fn assumed(handle: &SessionHandle) -> Result<(SessionSettings, AssumedSettings)> {
    let (storage, start) = (&handle.storage, SessionStart::Existing(handle.session.clone()));
    let info = storage.store.sessions().get(&handle.session).await?;
    let folder = info.map(|info| info.workspace).filter(|folder| !folder.is_empty());
    let of_folder =
        folder.as_ref().map(|folder| SessionSettings::of_workspace(Path::new(folder), storage.folder.root()));
    let (settings, settings_of, problem) = match of_folder {
        Some(Ok((settings, None))) => (settings, folder, None),
        Some(Ok((settings, problem))) => (settings, None, problem),
        Some(Err(error)) => (SessionSettings::of_user()?, None, Some(error_chain(&error))),
        None => (SessionSettings::of_user()?, None, None),
    };
    let settings = settings_for(storage, &settings, &start).await?;
    let policy = settings.policy().name();
    Ok((settings, AssumedSettings { policy, settings_of, problem }))
}
