//! What is configured of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::LocalServer;
use crate::bounds;

/// A server and how it is reached. Its `Debug` output holds no argument, no variable's value and no header's value:
/// any of them may be a key.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// The name that the person gave it. Part of the names of its tools.
    pub name: String,
    /// How it is reached.
    pub transport: Transport,
    /// How long a call may take; 120 s unless it is configured.
    pub timeout: Duration,
    /// How long it may take to start and to list its tools; 60 s unless it is configured.
    pub start_timeout: Duration,
    /// Tools that are left out, by the server's own names.
    pub disabled_tools: BTreeSet<String>,
}

/// How a server is reached.
#[derive(Clone)]
pub enum Transport {
    /// A program that is started and spoken to over its input and output.
    Stdio {
        /// The program, found by the `PATH` that it gets.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Environment variables that it gets beside those that every program needs.
        env: BTreeMap<String, String>,
        /// The folder that it is started in; the workspace when there is none.
        cwd: Option<PathBuf>,
    },
    /// A place on the network that speaks MCP's streamable HTTP.
    Http {
        /// `https://…`, or `http://…`.
        url: String,
        /// Headers of every request.
        headers: BTreeMap<String, String>,
    },
    /// A server in this very process.
    Local(Arc<dyn LocalServer>),
}

/// Why a server cannot be used as it is configured. Never holds a value that may be secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The text is no JSON.
    #[error("cannot read the MCP configuration: {0}; correct the JSON at that place")]
    Json(String),
    /// The JSON has another form.
    #[error("cannot read the MCP configuration: {0}")]
    Form(&'static str),
    /// An entry cannot be used; the others can.
    #[error("MCP server {server:?} is left out: {why}")]
    Entry {
        /// Its name.
        server: String,
        /// What is wrong, and what mends it.
        why: String,
    },
}

impl ServerConfig {
    /// A server with the usual limits.
    #[must_use]
    pub fn new(name: impl Into<String>, transport: Transport) -> Self {
        Self {
            name: name.into(),
            transport,
            timeout: bounds::CALL,
            start_timeout: bounds::START,
            disabled_tools: BTreeSet::new(),
        }
    }

    /// What tells this server from another of the same name, as a hash: what is started or asked. Values of variables
    /// and headers do not count: a new key makes no other server.
    pub(crate) fn fingerprint(&self) -> String {
        let told = match &self.transport {
            Transport::Stdio { command, args, env, cwd } => {
                let variables: Vec<&String> = env.keys().collect();
                format!("stdio {command:?} {args:?} {variables:?} {cwd:?}")
            }
            Transport::Http { url, headers } => {
                let names: Vec<&String> = headers.keys().collect();
                format!("http {url:?} {names:?}")
            }
            Transport::Local(server) => format!("local {}", server.name()),
        };
        let digest = Sha256::digest(format!("{:?} {told}", self.name));
        digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Transport {
    /// A word for the kind, for a person.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Stdio { .. } => "stdio",
            Self::Http { .. } => "http",
            Self::Local(_) => "local",
        }
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { command, args, env, cwd } => f
                .debug_struct("Stdio")
                .field("command", command)
                .field("args", &args.len())
                .field("env", &env.keys().collect::<Vec<_>>())
                .field("cwd", cwd)
                .finish(),
            Self::Http { url, headers } => f
                .debug_struct("Http")
                .field("url", &shown_url(url))
                .field("headers", &headers.keys().collect::<Vec<_>>())
                .finish(),
            Self::Local(server) => f.debug_tuple("Local").field(server).finish(),
        }
    }
}

/// A URL without user, password, query and fragment, each of which may hold a key.
pub(crate) fn shown_url(url: &str) -> String {
    reqwest::Url::parse(url).map_or_else(
        |_| "[no URL]".to_owned(),
        |mut url| {
            // These fail for URLs that have no host, which hold no user either.
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            url.set_fragment(None);
            url.to_string()
        },
    )
}

#[cfg(test)]
mod tests;
