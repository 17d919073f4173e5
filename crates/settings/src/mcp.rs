//! Configuration of MCP servers.

use std::collections::BTreeMap;

use throughline_text::counted;
use url::Url;

use crate::error::SettingsError;
use crate::kind::{Secrets, Value};
use crate::node::Entry;
use crate::origin::Origin;
use crate::read::Reader;
use crate::schema::Kind;

/// Configuration of an MCP server: values only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// The name that the user gave it.
    pub name: String,
    /// How it is reached.
    pub transport: McpTransport,
    /// Seconds that a call may take.
    pub timeout: Option<u64>,
    /// Seconds that it may take to start.
    pub start_timeout: Option<u64>,
    /// Tools that are left out.
    pub disabled_tools: Vec<String>,
    /// Where it was written.
    pub origin: Origin,
}

/// How an MCP server is reached. Variables in its texts are not looked at.
#[derive(Clone, PartialEq, Eq)]
pub enum McpTransport {
    /// A program that is started.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its variables.
        env: Secrets,
        /// The folder that it is started in.
        cwd: Option<String>,
    },
    /// An address.
    Http {
        /// The address.
        url: String,
        /// Headers of each request.
        headers: Secrets,
        /// What a login to it needs.
        login: McpLogin,
    },
}

/// What the OAuth login to an address needs beyond what the address says itself. Its `Debug` output omits the secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct McpLogin {
    /// Id of a client that the user has registered.
    pub client_id: Option<String>,
    /// Secret of that client.
    pub client_secret: Option<String>,
    /// Scopes to ask for; none: those that the server names.
    pub scopes: Vec<String>,
    /// Port of the redirect on this machine; `None`: any that is free.
    pub callback_port: Option<u16>,
}

impl std::fmt::Debug for McpLogin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("McpLogin").field("client_id", &self.client_id).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for McpTransport {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.shown())
    }
}

impl McpTransport {
    /// What it is, for the user, without what may be secret: arguments, values of variables and headers, and in an address
    /// everything but its host and path.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Stdio { command, args, env, .. } => {
                let names: Vec<&str> = env.names().collect();
                let with =
                    if names.is_empty() { String::new() } else { format!(", with {}", names.join(", ")) };
                format!("runs {command:?} ({}{with})", counted(args.len() as u64, "argument"))
            }
            Self::Http { url, headers, .. } => {
                let names: Vec<&str> = headers.names().collect();
                let with =
                    if names.is_empty() { String::new() } else { format!(" (with {})", names.join(", ")) };
                format!("asks {}{with}", shown_url(url))
            }
        }
    }
}

/// Returns true if a text is an address with a password in it.
pub(crate) fn has_password(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else { return false };
    let authority = rest.split('/').next().unwrap_or_default();
    authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':')) || rest.contains("password=")
}

/// An address without what may be a secret in it: user, password, query.
#[must_use]
pub(crate) fn shown_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return "[no address]".to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
    let host = authority.rsplit('@').next().unwrap_or_default();
    // What follows a colon is a port. Anything else may be a password with a slash in it.
    let port = host.rsplit_once(':').filter(|_| !host.ends_with(']')).map_or("", |(_, port)| port);
    if !port.chars().all(|digit| digit.is_ascii_digit()) {
        return format!("{scheme}://[no address]");
    }
    path.map_or_else(|| format!("{scheme}://{host}"), |path| format!("{scheme}://{host}/{path}"))
}

/// Returns true if an address has a host, and no port or one that exists. A variable is one of each.
fn has_host(url: &str) -> bool {
    Url::parse(&without_variables(url)).is_ok_and(|url| url.has_host())
}

/// A text with a digit in place of each variable.
fn without_variables(text: &str) -> String {
    let mut parts = text.split("${");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| match part.split_once('}') {
        Some((_, rest)) => text + "1" + rest,
        None => text + "${" + part,
    })
}

/// The keys of a login.
const LOGIN: [&str; 4] = ["client_id", "client_secret", "scopes", "callback_port"];

const KEYS: [(&str, Kind); 13] = [
    ("command", Kind::Text),
    ("args", Kind::List),
    ("env", Kind::Secrets),
    ("cwd", Kind::Text),
    ("url", Kind::Text),
    ("headers", Kind::Secrets),
    ("client_id", Kind::Text),
    ("client_secret", Kind::Text),
    ("scopes", Kind::List),
    ("callback_port", Kind::COUNT),
    ("timeout", Kind::COUNT),
    ("start_timeout", Kind::COUNT),
    ("disabled_tools", Kind::List),
];

/// Reads one server.
pub(crate) fn server(reader: &Reader<'_>, entry: &Entry) -> Result<McpServer, SettingsError> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let wrong = |why: &str| reader.wrong(entry.at, &entry.name, why);
    if entry.name.is_empty() || entry.name.len() > 64 || !entry.name.chars().all(plain) {
        return Err(wrong("the name of a server has 1 to 64 letters, digits, '_', '-' or '.'"));
    }
    let mut fields = Fields::read(reader, entry)?;
    let transport = fields.transport().map_err(|why| wrong(&why))?;
    Ok(McpServer {
        name: entry.name.clone(),
        transport,
        timeout: fields.number("timeout"),
        start_timeout: fields.number("start_timeout"),
        disabled_tools: fields.list("disabled_tools"),
        origin: reader.origin(entry.at),
    })
}

/// The values of one server by key. Each is taken once.
struct Fields(BTreeMap<&'static str, Value>);

impl Fields {
    fn read(reader: &Reader<'_>, entry: &Entry) -> Result<Self, SettingsError> {
        let mut values = BTreeMap::new();
        for inner in reader.table(entry)? {
            let Some((name, kind)) = KEYS.iter().find(|(name, _)| *name == inner.name) else {
                return Err(reader.unknown(inner, "the keys of a server are", &KEYS.map(|(name, _)| name)));
            };
            let value =
                kind.of_node(&inner.value).map_err(|why| reader.wrong(inner.value.at, &inner.name, why))?;
            values.insert(*name, value);
        }
        Ok(Self(values))
    }

    /// The program or the address; the error says which keys contradict each other.
    fn transport(&mut self) -> Result<McpTransport, String> {
        match (self.0.contains_key("command"), self.0.contains_key("url")) {
            (true, true) => Err("it has both `command` and `url`; keep one".to_owned()),
            (false, false) => Err("it has neither `command` nor `url`; write one".to_owned()),
            (true, false) => {
                self.refuse(&["headers"], "url")?;
                self.refuse(&LOGIN, "url")?;
                Ok(McpTransport::Stdio {
                    command: self.text("command").unwrap_or_default(),
                    args: self.list("args"),
                    env: self.secrets("env"),
                    cwd: self.text("cwd"),
                })
            }
            (false, true) => {
                self.refuse(&["args", "env", "cwd"], "command")?;
                let url = self.text("url").unwrap_or_default();
                if !url.starts_with("https://") && !url.starts_with("http://") {
                    return Err("`url` begins with neither https:// nor http://".to_owned());
                }
                if !has_host(&url) {
                    let why =
                        "`url` has no host or no port that can be used; write for example https://host/mcp";
                    return Err(why.to_owned());
                }
                let (headers, login) = (self.secrets("headers"), self.login()?);
                Ok(McpTransport::Http { url, headers, login })
            }
        }
    }

    fn login(&mut self) -> Result<McpLogin, String> {
        let callback_port = match self.number("callback_port").map(u16::try_from) {
            None => None,
            Some(Ok(port)) => Some(port),
            Some(Err(_)) => {
                return Err("`callback_port` is no port; write a number from 1 to 65535".to_owned());
            }
        };
        let login = McpLogin {
            client_id: self.text("client_id"),
            client_secret: self.text("client_secret"),
            scopes: self.list("scopes"),
            callback_port,
        };
        if login.client_secret.is_some() && login.client_id.is_none() {
            return Err("it has a `client_secret` and no `client_id`; write both".to_owned());
        }
        Ok(login)
    }

    /// Fails if one of these keys is set, which belong to the other transport.
    fn refuse(&self, keys: &[&str], other: &str) -> Result<(), String> {
        match self.0.keys().find(|key| keys.contains(key)) {
            Some(key) => Err(format!("`{key}` belongs to a server with `{other}`")),
            None => Ok(()),
        }
    }

    fn text(&mut self, key: &str) -> Option<String> {
        match self.0.remove(key) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    fn list(&mut self, key: &str) -> Vec<String> {
        match self.0.remove(key) {
            Some(Value::List(items)) => items,
            _ => Vec::new(),
        }
    }

    fn secrets(&mut self, key: &str) -> Secrets {
        match self.0.remove(key) {
            Some(Value::Secrets(secrets)) => secrets,
            _ => Secrets::default(),
        }
    }

    fn number(&mut self, key: &str) -> Option<u64> {
        match self.0.remove(key) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }
}
