//! MCP servers, as they are configured.

use std::collections::BTreeMap;

use crate::kind::{Secrets, Value};
use crate::node::Entry;
use crate::read::Reader;
use crate::schema::Kind;
use crate::{Origin, SettingsError};

/// An MCP server, as it is configured: values only.
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
    },
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
                let count = args.len();
                let plural = if count == 1 { "argument" } else { "arguments" };
                format!("runs {command:?} ({count} {plural}{with})")
            }
            Self::Http { url, headers } => {
                let names: Vec<&str> = headers.names().collect();
                let with =
                    if names.is_empty() { String::new() } else { format!(" (with {})", names.join(", ")) };
                format!("asks {}{with}", shown_url(url))
            }
        }
    }
}

/// An address without what may be a secret in it: user, password, query.
#[must_use]
pub(crate) fn shown_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return "[no address]".to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
    let host = authority.rsplit('@').next().unwrap_or_default();
    path.map_or_else(|| format!("{scheme}://{host}"), |path| format!("{scheme}://{host}/{path}"))
}

const KEYS: [(&str, Kind); 9] = [
    ("command", Kind::Text),
    ("args", Kind::List),
    ("env", Kind::Secrets),
    ("cwd", Kind::Text),
    ("url", Kind::Text),
    ("headers", Kind::Secrets),
    ("timeout", Kind::Count { least: 1 }),
    ("start_timeout", Kind::Count { least: 1 }),
    ("disabled_tools", Kind::List),
];

/// Reads one server.
pub(crate) fn server(reader: &Reader<'_>, entry: &Entry) -> Result<McpServer, SettingsError> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let wrong = |why: &str| reader.wrong(entry.at, &entry.name, why);
    if entry.name.is_empty() || entry.name.len() > 64 || !entry.name.chars().all(plain) {
        return Err(wrong("the name of a server has 1 to 64 letters, digits, '_', '-' or '.'"));
    }
    let mut values: BTreeMap<&str, Value> = BTreeMap::new();
    for inner in reader.table(entry)? {
        let Some((name, kind)) = KEYS.iter().find(|(name, _)| *name == inner.name) else {
            return Err(reader.unknown(inner, "the keys of a server are", &KEYS.map(|(name, _)| name)));
        };
        let value =
            kind.of_node(&inner.value).map_err(|why| reader.wrong(inner.value.at, &inner.name, why))?;
        values.insert(name, value);
    }
    let text = |values: &mut BTreeMap<&str, Value>, key: &str| match values.remove(key) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    };
    let list = |values: &mut BTreeMap<&str, Value>, key: &str| match values.remove(key) {
        Some(Value::List(items)) => items,
        _ => Vec::new(),
    };
    let secrets = |values: &mut BTreeMap<&str, Value>, key: &str| match values.remove(key) {
        Some(Value::Secrets(secrets)) => secrets,
        _ => Secrets::default(),
    };
    let number = |values: &mut BTreeMap<&str, Value>, key: &str| match values.remove(key) {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    };
    let others = |keys: &[&str]| values.keys().find(|key| keys.contains(key)).map(|key| (*key).to_owned());
    let transport = match (values.contains_key("command"), values.contains_key("url")) {
        (true, true) => return Err(wrong("it has both `command` and `url`; keep one")),
        (false, false) => return Err(wrong("it has neither `command` nor `url`; write one")),
        (true, false) => {
            if let Some(key) = others(&["headers"]) {
                return Err(wrong(&format!("`{key}` belongs to a server with `url`")));
            }
            McpTransport::Stdio {
                command: text(&mut values, "command").unwrap_or_default(),
                args: list(&mut values, "args"),
                env: secrets(&mut values, "env"),
                cwd: text(&mut values, "cwd"),
            }
        }
        (false, true) => {
            if let Some(key) = others(&["args", "env", "cwd"]) {
                return Err(wrong(&format!("`{key}` belongs to a server with `command`")));
            }
            let url = text(&mut values, "url").unwrap_or_default();
            if !url.starts_with("https://") && !url.starts_with("http://") {
                return Err(wrong("`url` begins with neither https:// nor http://"));
            }
            McpTransport::Http { url, headers: secrets(&mut values, "headers") }
        }
    };
    Ok(McpServer {
        name: entry.name.clone(),
        transport,
        timeout: number(&mut values, "timeout"),
        start_timeout: number(&mut values, "start_timeout"),
        disabled_tools: list(&mut values, "disabled_tools"),
        origin: reader.origin(entry.at),
    })
}
