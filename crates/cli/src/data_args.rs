//! Arguments that name the data folder.

use std::path::PathBuf;

use clap::Args;
use throughline::{Storage, workspace};
use throughline_conversation::SessionId;

/// Where sessions are stored, and which of them `last` means.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct DataArgs {
    /// Data folder: database and locks [default: $XDG_DATA_HOME/throughline]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Let `last` and --continue mean the newest session of all folders, not of this one
    #[arg(long, global = true)]
    pub(crate) any_folder: bool,
}

impl DataArgs {
    /// Finds the session that the user names.
    pub(crate) async fn find(&self, storage: &Storage, name: &str) -> anyhow::Result<SessionId> {
        let folder = if self.any_folder { None } else { Some(workspace(None)?) };
        Ok(storage.find(name, folder.as_deref()).await?)
    }
}
