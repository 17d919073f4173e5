//! Arguments that name the data folder.

use std::path::PathBuf;

use clap::Args;
use throughline::ports::SessionId;
use throughline_commands::UsageError;
use throughline_config::{StorageBlobs, StorageDatabase, workspace};
use throughline_settings::{Flag, keys};
use throughline_stored::Storage;

/// Heading of these options in each help text.
const STORAGE: &str = "Storage and log";

/// Where sessions are stored, and which of them `last` means.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct DataArgs {
    /// Data folder: database and locks [default: $XDG_DATA_HOME/throughline]
    #[arg(long, global = true, help_heading = STORAGE, value_name = "FOLDER")]
    pub(crate) data_dir: Option<PathBuf>,
    /// PostgreSQL server of the sessions: postgres://USER@HOST/DATABASE [default: a file in the data folder]
    #[arg(long, global = true, hide_short_help = true, help_heading = STORAGE, value_name = "URL")]
    pub(crate) database: Option<String>,
    /// Object store of large results: s3://BUCKET/PREFIX or file:///FOLDER [default: the database]
    #[arg(long, global = true, hide_short_help = true, help_heading = STORAGE, value_name = "URL")]
    pub(crate) blobs: Option<String>,
    /// Write a log into this file: failed objects, leases, connections and retries. RUST_LOG chooses what is in it
    #[arg(long, global = true, hide_short_help = true, help_heading = STORAGE, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Let `last` and --continue mean the newest session of all folders, not of this one
    #[arg(long, global = true, help_heading = STORAGE)]
    pub(crate) any_folder: bool,
}

impl DataArgs {
    /// The settings that these arguments are.
    ///
    /// # Errors
    /// What names the server or the object store is no address. The error does not show it, as a parser of arguments would:
    /// there may be a password in it.
    pub(crate) fn flags(&self) -> anyhow::Result<Vec<Flag>> {
        let mut flags = Vec::new();
        if let Some(address) = &self.database {
            StorageDatabase::check_address(address)
                .map_err(|error| UsageError(format!("--database cannot be used: {error}")))?;
            flags.push(Flag { name: "--database", key: keys::DATABASE.name(), text: address.clone() });
        }
        if let Some(place) = &self.blobs {
            StorageBlobs::named(place, None).map_err(|error| UsageError(format!("--blobs: {error}")))?;
            flags.push(Flag { name: "--blobs", key: keys::BLOBS.name(), text: place.clone() });
        }
        Ok(flags)
    }

    /// Finds the session that the user names.
    pub(crate) async fn find(&self, storage: &Storage, name: &str) -> anyhow::Result<SessionId> {
        let folder = if self.any_folder { None } else { Some(workspace(None)?) };
        Ok(storage.find(name, folder.as_deref()).await?)
    }
}
