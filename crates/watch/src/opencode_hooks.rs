//! Hooks of OpenCode for one run: a plugin, and the configuration that names it.

use serde_json::{Map, Value, json};

/// The plugin. It runs one command at each event, as Claude Code and Codex do, and gives it the session itself.
const PLUGIN: &str = include_str!("opencode_plugin.js");

/// The placeholder of the command in the plugin.
const COMMAND: &str = "\"{{command}}\"";

/// The placeholder of the length from which results are offered.
const OFFERED: &str = "\"{{offered}}\"";

/// The variable that holds a configuration for one run.
pub const OPENCODE_CONFIG: &str = "OPENCODE_CONFIG_CONTENT";

/// The configuration in [`OPENCODE_CONFIG`] cannot be extended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{OPENCODE_CONFIG} holds {0}; unset it, or put its content into a configuration file of opencode")]
pub struct OpencodeConfigError(&'static str);

/// The plugin that runs a command at each event, and also for each result of more characters than `offered`, which it may
/// replace. `None`: no result is replaced.
#[must_use]
pub fn opencode_plugin(command: &str, offered: Option<usize>) -> String {
    let plugin = PLUGIN.replace(OFFERED, &json!(offered).to_string());
    plugin.replace(COMMAND, &Value::from(command).to_string())
}

/// A configuration that adds a plugin and an MCP server to that of the user, if there is one.
///
/// # Errors
/// [`OpencodeConfigError`]: that of the user is not JSON, or has another form.
pub fn opencode_config(
    existing: Option<&str>,
    plugin_url: &str,
    server: (&str, &[String]),
) -> Result<String, OpencodeConfigError> {
    let mut config: Map<String, Value> = match existing.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => serde_json::from_str(text)
            .map_err(|_| OpencodeConfigError("no JSON object that can be extended"))?,
        None => Map::new(),
    };
    let plugins = config.entry("plugin").or_insert_with(|| json!([]));
    let plugins = plugins.as_array_mut().ok_or(OpencodeConfigError("a `plugin` that is no list"))?;
    plugins.push(Value::from(plugin_url));
    let servers = config.entry("mcp").or_insert_with(|| json!({}));
    let servers = servers.as_object_mut().ok_or(OpencodeConfigError("an `mcp` that is no object"))?;
    let (name, command) = server;
    servers.insert(name.to_owned(), json!({"type": "local", "command": command, "enabled": true}));
    Ok(Value::Object(config).to_string())
}

#[cfg(test)]
mod tests;
