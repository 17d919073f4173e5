//! The configuration of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};
use throughline_text::hexadecimal;

use crate::limits;
use crate::local_server::LocalServer;
use crate::oauth_options::OAuthOptions;

/// A server and how to connect to it. Its `Debug` output omits arguments and the values of variables and headers, which may
/// be keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerConfig {
    /// Its configured name, which is part of the names of its tools.
    pub name: String,
    /// How to connect to it.
    pub transport: Transport,
    /// Time limit of a call; 120 s by default.
    pub timeout: Duration,
    /// Time limit for starting it and listing its tools; 60 s by default.
    pub start_timeout: Duration,
    /// Tools that are not offered, by the server's own names.
    pub disabled_tools: BTreeSet<String>,
    /// What a login to it needs.
    pub oauth: OAuthOptions,
}

/// How to connect to a server.
#[derive(Clone)]
pub enum Transport {
    /// A program, over its standard input and output.
    Stdio {
        /// The program, found through its `PATH`.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Environment variables in addition to the inherited ones.
        env: BTreeMap<String, String>,
        /// Its working folder; the workspace by default.
        cwd: Option<PathBuf>,
    },
    /// A network service, over MCP's streamable HTTP.
    Http {
        /// `https://…`, or `http://…`.
        url: String,
        /// Headers of every request.
        headers: BTreeMap<String, String>,
    },
    /// A server in this process.
    Local(Arc<dyn LocalServer>),
}

/// An invalid configuration. Does not quote values that may be secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The text is not JSON.
    #[error("invalid MCP configuration: {0}; fix the JSON there")]
    Json(String),
    /// The JSON has the wrong form.
    #[error("invalid MCP configuration: {0}")]
    Form(&'static str),
    /// An entry is invalid; the others are used.
    #[error("MCP server {server:?} is ignored: {why}")]
    Entry {
        /// Its name.
        server: String,
        /// What is wrong, and how to fix it.
        why: String,
    },
}

impl ServerConfig {
    /// A server with default limits.
    #[must_use]
    pub fn new(name: impl Into<String>, transport: Transport) -> Self {
        Self {
            name: name.into(),
            transport,
            timeout: limits::CALL,
            start_timeout: limits::START,
            disabled_tools: BTreeSet::new(),
            oauth: OAuthOptions::default(),
        }
    }

    /// A hash that identifies the program or URL. It ignores the values of variables and headers: a server with a new key is
    /// the same server.
    pub(crate) fn fingerprint(&self) -> String {
        let identity = match &self.transport {
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
        let digest = Sha256::digest(format!("{:?} {identity}", self.name));
        hexadecimal(digest.iter().take(16))
    }
}

impl Transport {
    /// A word for the kind of connection, for the user.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Stdio { .. } => "stdio",
            Self::Http { .. } => "http",
            Self::Local(_) => "local",
        }
    }
}

/// A server in this process equals itself only.
impl PartialEq for Transport {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Stdio { command, args, env, cwd },
                Self::Stdio { command: command_b, args: args_b, env: env_b, cwd: cwd_b },
            ) => command == command_b && args == args_b && env == env_b && cwd == cwd_b,
            (Self::Http { url, headers }, Self::Http { url: url_b, headers: headers_b }) => {
                url == url_b && headers == headers_b
            }
            (Self::Local(server), Self::Local(other)) => Arc::ptr_eq(server, other),
            _ => false,
        }
    }
}

impl Eq for Transport {}

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

/// A URL without user, password, query and fragment, each of which may contain a key.
pub(crate) fn shown_url(url: &str) -> String {
    reqwest::Url::parse(url).map_or_else(
        |_| "[invalid URL]".to_owned(),
        |mut url| {
            // These fail for URLs without a host, which have no user either.
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
