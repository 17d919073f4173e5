//! A server entry of a configuration file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::config::{ConfigError, ServerConfig, Transport};
use crate::connect::ASK_FOR_STREAMABLE;
use crate::expand::expand;
use crate::http;
use crate::oauth_options::OAuthOptions;

/// The values of one server, before variables are expanded and values are validated. The field names are those of most
/// agents.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct ServerEntry {
    /// `stdio`, `http` or `streamable-http`; by default inferred from `command` or `url`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The program of a `stdio` server.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment variables.
    pub env: BTreeMap<String, String>,
    /// Its working folder.
    pub cwd: Option<PathBuf>,
    /// The URL of an `http` server.
    #[serde(alias = "httpUrl")]
    pub url: Option<String>,
    /// Headers of its requests.
    pub headers: BTreeMap<String, String>,
    /// Time limit of a call, in milliseconds.
    pub timeout: Option<u64>,
    /// Time limit of its start, in milliseconds.
    #[serde(alias = "startTimeout")]
    pub start_timeout: Option<u64>,
    /// The server is ignored.
    pub disabled: bool,
    /// Tools that are not offered.
    #[serde(alias = "disabledTools")]
    pub disabled_tools: Vec<String>,
    /// What a login to an `http` server needs.
    pub oauth: OAuthOptions,
}

impl std::fmt::Debug for ServerEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Arguments, variables and headers may contain keys.
        f.debug_struct("ServerEntry")
            .field("kind", &self.kind)
            .field("command", &self.command)
            .finish_non_exhaustive()
    }
}

impl ServerEntry {
    /// Expands `${NAME}` and `${NAME:-default}` in `command`, `args`, `env`, `cwd`, `url`, `headers` and the client of a login, and validates
    /// the values. Returns `None` if the server is disabled.
    ///
    /// # Errors
    /// [`ConfigError::Entry`] for the first invalid value.
    pub fn resolve(
        &self,
        name: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<ServerConfig>, ConfigError> {
        if self.disabled {
            return Ok(None);
        }
        self.server(name, lookup).map(Some).map_err(|why| ConfigError::Entry { server: name.to_owned(), why })
    }

    fn server(&self, name: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<ServerConfig, String> {
        if name.trim().is_empty() {
            return Err("it has no name".to_owned());
        }
        let transport = match (self.is_http()?, &self.command, &self.url) {
            (false, Some(command), None) => self.stdio(command, lookup)?,
            (true, None, Some(url)) => self.http(url, lookup)?,
            (_, Some(_), Some(_)) => {
                return Err("it has a `command` and a `url`; remove one of them".to_owned());
            }
            (false, None, _) => {
                return Err("it has no `command`; name the program that is the server".to_owned());
            }
            (true, _, None) => return Err("it has no `url`; name the address of the server".to_owned()),
        };
        let mut server = ServerConfig::new(name, transport);
        if let Some(timeout) = limit("timeout", self.timeout)? {
            server.timeout = timeout;
        }
        if let Some(timeout) = limit("start_timeout", self.start_timeout)? {
            server.start_timeout = timeout;
        }
        server.disabled_tools = self.disabled_tools.iter().cloned().collect();
        server.oauth = self.oauth(lookup)?;
        Ok(server)
    }

    fn oauth(&self, lookup: &dyn Fn(&str) -> Option<String>) -> Result<OAuthOptions, String> {
        let text = |field: &str, value: &Option<String>| {
            value.as_ref().map(|value| at(&format!("oauth.{field}"), expand(value, lookup))).transpose()
        };
        let options = OAuthOptions {
            client_id: text("client_id", &self.oauth.client_id)?,
            client_secret: text("client_secret", &self.oauth.client_secret)?,
            ..self.oauth.clone()
        };
        match (&options.client_id, &options.client_secret) {
            (None, Some(_)) => Err("its `oauth` has a client secret and no client id; set both".to_owned()),
            _ => Ok(options),
        }
    }

    fn is_http(&self) -> Result<bool, String> {
        match self.kind.as_deref() {
            None if self.command.is_none() && self.url.is_none() => {
                Err("it has neither `command` nor `url`".to_owned())
            }
            None => Ok(self.command.is_none()),
            Some("stdio") => Ok(false),
            Some("http" | "streamable-http" | "streamableHttp" | "streamable_http") => Ok(true),
            Some("sse") => Err(format!("{ASK_FOR_STREAMABLE}, and write the type `http`")),
            Some(_) => Err("its `type` is unknown; write `stdio` or `http`".to_owned()),
        }
    }

    fn stdio(&self, command: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Transport, String> {
        let command = at("command", expand(command, lookup))?;
        if command.trim().is_empty() {
            return Err("its `command` is empty".to_owned());
        }
        let args = self.args.iter().enumerate();
        let args = args.map(|(index, arg)| at(&format!("args[{index}]"), expand(arg, lookup)));
        let cwd = match self.cwd.as_ref().map(|cwd| cwd.to_str()) {
            None => None,
            Some(Some(cwd)) => Some(PathBuf::from(at("cwd", expand(cwd, lookup))?)),
            Some(None) => return Err("its `cwd` is not valid UTF-8".to_owned()),
        };
        let env = expanded("env", &self.env, lookup)?;
        if let Some(name) = env.keys().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return Err(format!("its `env` has {name:?}, which is not a valid variable name"));
        }
        let args = args.collect::<Result<Vec<_>, _>>()?;
        if args.iter().chain(env.values()).any(|text| text.contains('\0')) {
            return Err("its `args` or `env` contain a NUL character".to_owned());
        }
        Ok(Transport::Stdio { command, args, env, cwd })
    }

    fn http(&self, url: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Transport, String> {
        let url = at("url", expand(url, lookup))?;
        // The URL itself is not shown: it may contain a key.
        let parsed = reqwest::Url::parse(url.trim())
            .map_err(|_| "its `url` is invalid; write it as `https://host/path`".to_owned())?;
        if !matches!(parsed.scheme(), "http" | "https") || !parsed.has_host() {
            return Err("its `url` must begin with `https://` or `http://`".to_owned());
        }
        let headers = expanded("headers", &self.headers, lookup)?;
        for (name, value) in &headers {
            http::header(name, value)?;
        }
        Ok(Transport::Http { url: parsed.to_string(), headers })
    }
}

fn expanded(
    field: &str,
    values: &BTreeMap<String, String>,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<BTreeMap<String, String>, String> {
    let one = |(name, value): (&String, &String)| {
        at(&format!("{field}.{name}"), expand(value, lookup)).map(|value| (name.clone(), value))
    };
    values.iter().map(one).collect()
}

fn at(field: &str, result: Result<String, String>) -> Result<String, String> {
    result.map_err(|why| format!("in `{field}`: {why}"))
}

fn limit(field: &str, milliseconds: Option<u64>) -> Result<Option<Duration>, String> {
    match milliseconds {
        Some(0) => Err(format!("its `{field}` is 0; write milliseconds, for example 60000")),
        other => Ok(other.map(Duration::from_millis)),
    }
}
