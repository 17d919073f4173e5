//! The file `.mcp.json`.

use serde_json::{Map, Value};

use crate::{ConfigError, ServerConfig, ServerEntry};

/// What a file names.
#[derive(Debug, Clone, Default)]
pub struct McpJson {
    /// Servers that can be used, in order of name.
    pub servers: Vec<ServerConfig>,
    /// Entries that cannot, each with the reason.
    pub errors: Vec<ConfigError>,
    /// Fields that mean nothing here, for a person.
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
    "timeout",
    "start_timeout",
    "startTimeout",
    "disabled",
    "disabled_tools",
    "disabledTools",
];

/// Reads `{"mcpServers": {NAME: {…}}}`, the form in which most agents keep their servers. `lookup` gives environment
/// variables for `${NAME}` and `${NAME:-default}`: such a file can start programs and send variables anywhere, so read
/// only one that the person trusts. A bad entry is an error of its own and the others are given.
///
/// # Errors
/// [`ConfigError::Json`] with line and column, or [`ConfigError::Form`], when the file as a whole cannot be read.
pub fn parse_mcp_json(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<McpJson, ConfigError> {
    let text = text.trim_start_matches('\u{feff}');
    let file: Value = serde_json::from_str(text).map_err(|error| ConfigError::Json(error.to_string()))?;
    let servers = file.get("mcpServers").ok_or(ConfigError::Form("there is no `mcpServers` object in it"))?;
    let servers =
        servers.as_object().ok_or(ConfigError::Form("`mcpServers` must be an object of servers by name"))?;
    let mut parsed = McpJson::default();
    let mut names: Vec<&String> = servers.keys().collect();
    names.sort();
    for name in names {
        match servers.get(name).map(|entry| read(name, entry, lookup, &mut parsed.warnings)) {
            Some(Ok(Some(server))) => parsed.servers.push(server),
            Some(Err(error)) => parsed.errors.push(error),
            Some(Ok(None)) | None => {}
        }
    }
    Ok(parsed)
}

fn read(
    name: &str,
    entry: &Value,
    lookup: &dyn Fn(&str) -> Option<String>,
    warnings: &mut Vec<String>,
) -> Result<Option<ServerConfig>, ConfigError> {
    let bad = |why: &str| ConfigError::Entry { server: name.to_owned(), why: why.to_owned() };
    let fields = entry.as_object().ok_or_else(|| bad("it must be an object"))?;
    for field in fields.keys().filter(|field| !FIELDS.contains(&field.as_str())) {
        warnings.push(format!("MCP server {name:?}: the field {field:?} means nothing here"));
    }
    if let Some(why) = wrong_kind(fields) {
        return Err(bad(&why));
    }
    // What serde says of a wrong value can hold the value, so each kind was looked at above.
    let read: ServerEntry =
        serde_json::from_value(entry.clone()).map_err(|_| bad("a field has a wrong value"))?;
    read.resolve(name, lookup)
}

/// The first field that has a value of the wrong kind, without the value.
fn wrong_kind(fields: &Map<String, Value>) -> Option<String> {
    let texts = |value: &Value| value.as_object().is_some_and(|map| map.values().all(Value::is_string));
    let list = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(Value::is_string));
    fields.iter().find_map(|(field, value)| {
        let (right, kind) = match field.as_str() {
            "type" | "command" | "cwd" | "url" | "httpUrl" => (value.is_string(), "a text"),
            "args" | "disabled_tools" | "disabledTools" => (list(value), "a list of texts"),
            "env" | "headers" => (texts(value), "an object of texts"),
            "timeout" | "start_timeout" | "startTimeout" => {
                (value.is_u64(), "a whole number of milliseconds")
            }
            "disabled" => (value.is_boolean(), "true or false"),
            _ => return None,
        };
        (!right).then(|| format!("its `{field}` must be {kind}"))
    })
}

#[cfg(test)]
mod tests;
