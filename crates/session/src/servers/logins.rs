//! Logins to the MCP servers that the settings and a trusted project name.

use std::any::Any;
use std::io;
use std::sync::Arc;

use throughline_config::{Config, StoredKeys, Trust};
use throughline_mcp::{Login, LoginError, LoginState, LoginStore, ServerConfig, log_out};

use super::configured::configs;

/// The folder of the user's keys, in which logins are, too: private files that no command of the model can read.
#[derive(Debug)]
pub(super) struct KeyFolder(StoredKeys);

/// Logs in to servers by their names.
#[derive(Debug)]
pub struct ServerLogins {
    servers: Vec<ServerConfig>,
    store: Arc<dyn LoginStore>,
    /// The project's own servers, which are ignored until it is trusted.
    ignored: Option<String>,
}

/// Why a server is not logged in to, or out of.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerLoginError {
    /// The user has no folder for keys.
    #[error("there is no folder for logins; set HOME or XDG_CONFIG_HOME")]
    NoFolder,
    /// No server has this name.
    #[error("there is no MCP server {name:?}{hint}")]
    Unknown {
        /// The name.
        name: String,
        /// Which there are.
        hint: String,
    },
    /// The server has no login.
    #[error("MCP server {name:?}: {source}")]
    Login {
        /// Its name.
        name: String,
        /// Why, and what to do.
        source: LoginError,
    },
}

impl KeyFolder {
    /// The user's; `None` without a home.
    pub(super) fn of_user() -> Option<Arc<dyn LoginStore>> {
        Some(Arc::new(Self(StoredKeys::of_user()?)))
    }
}

impl LoginStore for KeyFolder {
    fn read(&self, key: &str) -> io::Result<Option<String>> {
        self.0.read(key)
    }

    fn write(&self, key: &str, text: &str) -> io::Result<()> {
        self.0.write(key, text)
    }

    fn remove(&self, key: &str) -> io::Result<bool> {
        self.0.remove(key).map_err(io::Error::other)
    }

    fn lock(&self, key: &str) -> io::Result<Box<dyn Any + Send>> {
        Ok(Box::new(self.0.lock(key).map_err(io::Error::other)?))
    }
}

impl ServerLogins {
    /// Those of the servers that a session with this configuration has.
    ///
    /// # Errors
    /// [`ServerLoginError::NoFolder`].
    pub fn of(config: &Config) -> Result<Self, ServerLoginError> {
        let store = KeyFolder::of_user().ok_or(ServerLoginError::NoFolder)?;
        let ignored = config.project.mcp.is_some() && config.trust != Trust::Trusted;
        let ignored = ignored.then(|| config.project.mcp_name());
        Ok(Self { servers: configs(config, Vec::new()).0, store, ignored })
    }

    /// Checks that a server has this name.
    ///
    /// # Errors
    /// [`ServerLoginError::Unknown`].
    pub fn check_name(&self, name: &str) -> Result<(), ServerLoginError> {
        self.find(name).map(drop)
    }

    /// The state of a login, as far as is known without asking the server. [`LoginState::Unused`] for a name that no server has.
    #[must_use]
    pub fn state(&self, name: &str) -> LoginState {
        self.find(name).map_or(LoginState::Unused, |server| LoginState::of(server, Arc::clone(&self.store)))
    }

    /// Begins a login.
    ///
    /// # Errors
    /// No server has this name, or it has no login.
    pub async fn begin(&self, name: &str) -> Result<Login, ServerLoginError> {
        let server = self.find(name)?;
        let login = Login::begin(server, Arc::clone(&self.store)).await;
        login.map_err(|source| ServerLoginError::Login { name: name.to_owned(), source })
    }

    /// Deletes a login. Returns false if no login is stored.
    ///
    /// # Errors
    /// No server has this name, it has no use for a login, or the file cannot be deleted.
    pub fn log_out(&self, name: &str) -> Result<bool, ServerLoginError> {
        let server = self.find(name)?;
        log_out(server, Arc::clone(&self.store))
            .map_err(|source| ServerLoginError::Login { name: name.to_owned(), source })
    }

    fn find(&self, name: &str) -> Result<&ServerConfig, ServerLoginError> {
        self.servers.iter().find(|server| server.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.servers.iter().map(|server| server.name.as_str()).collect();
            let mut hint =
                match (throughline_text::nearest_name(name, names.iter().copied()), names.is_empty()) {
                    (Some(near), _) => format!("; did you mean {near}?"),
                    (None, false) => format!("; there are {}", names.join(", ")),
                    (None, true) => "; throughline mcp add NAME URL adds one".to_owned(),
                };
            if let Some(place) = &self.ignored {
                hint.push_str(&format!("; those of {place} are ignored: throughline trust"));
            }
            ServerLoginError::Unknown { name: name.to_owned(), hint }
        })
    }
}
