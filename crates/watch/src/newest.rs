//! The newest session of any agent.

use std::path::PathBuf;

use throughline_config::StorageDatabase;
use throughline_conversation::Millis;
use throughline_stored::{DataDir, Storage};

use crate::agent::ForeignName;
use crate::failure::{Result, WatchError};
use crate::opencode_sessions::stored_of_opencode;
use crate::sessions::{modified_at, sessions_of_all};

/// The newest session of this folder, or of any, also of OpenCode, of which the data folder has those that were watched.
///
/// # Errors
/// No session is found, or the folders or the storage cannot be read.
pub async fn newest_anywhere(data_dir: Option<PathBuf>, any_folder: bool) -> Result<ForeignName> {
    let stored = newest_of_opencode(data_dir, any_folder).await?;
    let file = match sessions_of_all(any_folder) {
        Ok(rows) => rows.into_iter().next().map(|(agent, transcript, _)| {
            (modified_at(&transcript), ForeignName { agent, id: transcript.id })
        }),
        Err(error) => return stored.map(|(_, name)| name).ok_or(error),
    };
    let newest = file.into_iter().chain(stored).max_by_key(|(at, _)| *at);
    newest.map(|(_, name)| name).ok_or_else(|| WatchError::refused("there is no session"))
}

async fn newest_of_opencode(
    data_dir: Option<PathBuf>,
    any_folder: bool,
) -> Result<Option<(Millis, ForeignName)>> {
    if StorageDatabase::of_user().into_server().is_none() && DataDir::existing(data_dir.clone()).is_none() {
        return Ok(None);
    }
    let storage = Storage::open_to_read(data_dir).await?;
    let newest = stored_of_opencode(&storage, any_folder).await?.into_iter().next();
    Ok(newest.map(|(name, session)| (session.last_activity, name)))
}
