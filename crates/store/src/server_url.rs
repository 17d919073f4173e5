//! The address of a database server.

use std::fmt;
#[cfg(feature = "postgres")]
use std::path::PathBuf;
use std::str::FromStr;

use url::Url;

use crate::server_settings::{ServerSettings, read_options};

/// The address of a PostgreSQL server and of a database on it: `postgres://user:password@host:port/database`.
///
/// It may hold a password, so `Display` and `Debug` show the user, the host, the port and the database alone.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerUrl {
    url: Url,
}

/// A text that is no address of a server. It does not show the text, which may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidServerUrl {
    /// It has another form.
    #[error("it is no address of a PostgreSQL server: write postgres://user@host/database")]
    Form,
    /// It is for another kind of server.
    #[error("{0:?} servers are not supported: write postgres://user@host/database")]
    Scheme(String),
    /// It has no database.
    #[error("it names no database: write postgres://user@host/database")]
    NoDatabase,
    /// It has a parameter that has no meaning here.
    #[error("its parameter {0:?} is unknown; known are {known}", known = PARAMETERS.join(", "))]
    Parameter(String),
    /// Its settings of the server have another form.
    #[error("its parameter \"options\" cannot be read: write -c NAME=VALUE for each setting of the server")]
    Options,
}

/// The parameters of an address.
const PARAMETERS: [&str; 12] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

/// Returns true for a parameter with settings of the server.
fn is_options(name: &str) -> bool {
    name == "options" || name.starts_with("options[") && name.ends_with(']')
}

impl FromStr for ServerUrl {
    type Err = InvalidServerUrl;

    fn from_str(text: &str) -> Result<Self, InvalidServerUrl> {
        let url = Url::parse(text.trim()).map_err(|_| InvalidServerUrl::Form)?;
        if !text.contains("://") {
            return Err(InvalidServerUrl::Form);
        }
        if !Self::is_scheme(url.scheme()) {
            return Err(InvalidServerUrl::Scheme(url.scheme().to_owned()));
        }
        let unknown = |name: &str| !PARAMETERS.contains(&name) && !is_options(name);
        if let Some((name, _)) = url.query_pairs().find(|(name, _)| unknown(name)) {
            return Err(InvalidServerUrl::Parameter(name.into_owned()));
        }
        let server = Self { url };
        server.settings().ok_or(InvalidServerUrl::Options)?;
        if server.database().is_empty() {
            return Err(InvalidServerUrl::NoDatabase);
        }
        Ok(server)
    }
}

impl ServerUrl {
    fn is_scheme(scheme: &str) -> bool {
        matches!(scheme, "postgres" | "postgresql")
    }

    /// The address to connect to, with its password and without settings of the server.
    #[cfg(feature = "postgres")]
    pub(crate) fn to_connect(&self) -> Url {
        let mut url = self.url.clone();
        let others = self.url.query_pairs().filter(|(name, _)| !is_options(name));
        url.query_pairs_mut().clear().extend_pairs(others);
        url
    }

    /// The settings of the server. `None`: they cannot be read.
    pub(crate) fn settings(&self) -> Option<ServerSettings> {
        let mut all = ServerSettings::new();
        for (name, value) in self.url.query_pairs().filter(|(name, _)| is_options(name)) {
            match name.strip_prefix("options[").and_then(|name| name.strip_suffix(']')) {
                Some(name) => all.push((name.to_owned(), value.into_owned())),
                None => all.extend(read_options(&value)?),
            }
        }
        Some(all)
    }

    /// The files of certificates and keys, with the parameters that name them.
    #[cfg(feature = "postgres")]
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, PathBuf)> {
        let named = |name| self.parameter(name).map(|file| (name, PathBuf::from(file)));
        ["sslrootcert", "sslcert", "sslkey"].into_iter().filter_map(named)
    }

    fn parameter(&self, name: &str) -> Option<String> {
        self.url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    fn database(&self) -> String {
        let path = self.url.path().trim_start_matches('/');
        self.parameter("dbname").unwrap_or_else(|| path.to_owned())
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = self.parameter("user").unwrap_or_else(|| self.url.username().to_owned());
        let host =
            self.parameter("host").unwrap_or_else(|| self.url.host_str().unwrap_or_default().to_owned());
        let port = self.parameter("port").or_else(|| self.url.port().map(|port| port.to_string()));
        let at = if user.is_empty() { "" } else { "@" };
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        write!(f, "postgres://{user}{at}{host}{port}/{}", self.database())
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServerUrl({self})")
    }
}

#[cfg(test)]
mod tests;
