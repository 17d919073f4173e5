//! The file `.mcp.json`.

use serde_json::{Map, Value};

use crate::config::{ConfigError, ServerConfig};
use crate::entry::ServerEntry;
use crate::relaxed_json::plain_json;

/// The servers of a file.
#[derive(Debug, Clone, Default)]
pub struct McpJson {
    /// Valid servers, ordered by name.
    pub servers: Vec<ServerConfig>,
    /// One error per invalid entry.
    pub errors: Vec<ConfigError>,
    /// Unknown fields, for the user.
    pub warnings: Vec<String>,
}

/// Fields that an entry may have.
const FIELDS: &[&str] = &[
    "type",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "httpUrl",
    "headers",
    "oauth",
    "timeout",
    "start_timeout",
    "startTimeout",
    "disabled",
    "disabled_tools",
    "disabledTools",
];

/// Fields that `oauth` may have.
const LOGIN: &[&str] =
    &["clientId", "client_id", "clientSecret", "client_secret", "scopes", "callbackPort", "callback_port"];

/// Parses `{"mcpServers": {NAME: {…}}}`, the format that most agents share. `lookup` returns environment variables for
/// `${NAME}` and `${NAME:-default}`: such a file can start programs and send variables anywhere, so parse only a file that
/// the user trusts. Comments and trailing commas are allowed. An invalid entry does not affect the others.
///
/// # Errors
/// [`ConfigError::Json`] with line and column, or [`ConfigError::Form`], when the file as a whole is invalid.
pub fn parse_mcp_json(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<McpJson, ConfigError> {
    let text = plain_json(text.trim_start_matches('\u{feff}'));
    let file: Value = serde_json::from_str(&text).map_err(|error| ConfigError::Json(error.to_string()))?;
    let servers = file.get("mcpServers").ok_or(ConfigError::Form("the `mcpServers` object is missing"))?;
    let servers =
        servers.as_object().ok_or(ConfigError::Form("`mcpServers` must be an object of servers by name"))?;
    let mut parsed = McpJson::default();
    let mut names: Vec<&String> = servers.keys().collect();
    names.sort();
    for name in names {
        match servers.get(name).map(|entry| parse_entry(name, entry, lookup, &mut parsed.warnings)) {
            Some(Ok(Some(server))) => parsed.servers.push(server),
            Some(Err(error)) => parsed.errors.push(error),
            Some(Ok(None)) | None => {}
        }
    }
    Ok(parsed)
}

fn parse_entry(
    name: &str,
    entry: &Value,
    lookup: &dyn Fn(&str) -> Option<String>,
    warnings: &mut Vec<String>,
) -> Result<Option<ServerConfig>, ConfigError> {
    let bad = |why: &str| ConfigError::Entry { server: name.to_owned(), why: why.to_owned() };
    let fields = entry.as_object().ok_or_else(|| bad("it must be an object"))?;
    for field in fields.keys().filter(|field| !FIELDS.contains(&field.as_str())) {
        warnings.push(format!("MCP server {name:?}: unknown field {field:?}"));
    }
    let login = fields.get("oauth").and_then(Value::as_object);
    for field in login.into_iter().flat_map(Map::keys).filter(|field| !LOGIN.contains(&field.as_str())) {
        warnings.push(format!("MCP server {name:?}: unknown field {:?}", format!("oauth.{field}")));
    }
    if let Some(why) = wrong_kind(fields) {
        return Err(bad(&why));
    }
    // An error of serde can quote the value, which may be secret, so the types were checked above.
    let parsed: ServerEntry =
        serde_json::from_value(entry.clone()).map_err(|_| bad("a field has a wrong value"))?;
    parsed.resolve(name, lookup)
}

/// Describes the first field with a value of the wrong type, without the value.
fn wrong_kind(fields: &Map<String, Value>) -> Option<String> {
    let texts = |value: &Value| value.as_object().is_some_and(|map| map.values().all(Value::is_string));
    let list = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(Value::is_string));
    fields.iter().find_map(|(field, value)| {
        let (right, kind) = match field.as_str() {
            "type" | "command" | "cwd" | "url" | "httpUrl" => (value.is_string(), "a string"),
            "args" | "disabled_tools" | "disabledTools" => (list(value), "a list of strings"),
            "env" | "headers" => (texts(value), "an object of strings"),
            "timeout" | "start_timeout" | "startTimeout" => {
                (value.is_u64(), "a whole number of milliseconds")
            }
            "disabled" => (value.is_boolean(), "true or false"),
            "oauth" => (
                value.as_object().is_some_and(is_login),
                "an object, in which `clientId` and `clientSecret` are strings, `scopes` is a list of strings, and `callbackPort` a \
                 number from 1 to 65535",
            ),
            _ => return None,
        };
        (!right).then(|| format!("its `{field}` must be {kind}"))
    })
}

/// Returns true if the fields of a login have values of the right types.
fn is_login(fields: &Map<String, Value>) -> bool {
    fields.iter().all(|(field, value)| match field.as_str() {
        "clientId" | "client_id" | "clientSecret" | "client_secret" => value.is_string(),
        "scopes" => {
            value.is_string() || value.as_array().is_some_and(|list| list.iter().all(Value::is_string))
        }
        "callbackPort" | "callback_port" => {
            value.as_u64().is_some_and(|port| (1..=u64::from(u16::MAX)).contains(&port))
        }
        _ => true,
    })
}

#[cfg(test)]
mod tests;
