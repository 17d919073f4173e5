//! Where the sessions are stored.

use throughline_settings::{Resolved, keys};
use throughline_store::{InvalidServerUrl, ServerUrl};

use super::StorageOptions;
use crate::error::{ConfigError, Result};

/// The database that sessions, results and memos are stored in. `Debug` shows no password.
#[derive(Debug, Clone, Default)]
pub enum StorageDatabase {
    /// A file in the data folder.
    #[default]
    File,
    /// A database on a PostgreSQL server. Locks of sessions are there too; what else the data folder holds stays in it.
    Server(ServerUrl),
    /// The settings name something that cannot be used, for this reason.
    Wrong(String),
    /// The settings cannot be read, for this reason: they may name a server. The file of the data folder is used if it is
    /// there.
    Unknown(String),
}

impl StorageDatabase {
    /// The one that settings name.
    pub(crate) fn of(settings: &Resolved) -> Self {
        let Some(text) = settings.get(keys::DATABASE) else { return Self::File };
        let place = settings.origin(keys::DATABASE);
        Self::named(&text).unwrap_or_else(|error| Self::Wrong(format!("{place}: {error}")))
    }

    /// The one that the user's settings and the command line name.
    #[must_use]
    pub fn of_user() -> Self {
        StorageOptions::of_user().database
    }

    /// Fails if a text is no address of a PostgreSQL server. The error does not show it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check_address(text: &str) -> Result<(), InvalidServerUrl> {
        text.parse::<ServerUrl>().map(|_| ())
    }

    /// The one with this address.
    ///
    /// # Errors
    /// It is no address of a PostgreSQL server.
    pub fn named(text: &str) -> Result<Self> {
        match text.parse() {
            Ok(server) => Ok(Self::Server(server)),
            Err(error) => Err(ConfigError::usage(format!("storage.database cannot be used: {error}"))),
        }
    }

    /// The server; `None`: a file, or something that cannot be used.
    #[must_use]
    pub fn into_server(self) -> Option<ServerUrl> {
        if let Self::Server(server) = self { Some(server) } else { None }
    }

    /// The server; `None`: a file.
    ///
    /// # Errors
    /// The settings name something that cannot be used.
    pub fn server(&self) -> Result<Option<&ServerUrl>> {
        match self {
            Self::File | Self::Unknown(_) => Ok(None),
            Self::Server(server) => Ok(Some(server)),
            Self::Wrong(why) => Err(ConfigError::usage(why.clone())),
        }
    }
}
