//! Hooks of Codex for one run: the overrides that add them, and the trust without which Codex runs none of them.
//!
//! Codex runs a hook only if its user has trusted the hash of it. For hooks of the command line that is one more override,
//! with the hash that Codex's own app server reports.

use serde_json::{Value, json};
use throughline_text::cut_end;

use crate::codex_user_hooks::CodexUserHooks;
use crate::hooks::{EVENTS, TIMEOUT, TOOL_EVENT, TOOL_TIMEOUT};

/// Seconds that Codex gives a hook at the end of a session.
const LAST_TIMEOUT: u64 = 3;

/// Number of the request whose answer lists the hooks.
const LISTING: u64 = 2;

/// Bytes of a foreign text that an error repeats.
const ECHO: usize = 200;

/// Why Codex would not run the hooks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CodexTrustError {
    /// The app server refused to list hooks.
    #[error("codex does not list its hooks: {0}; versions before 0.169 are not supported")]
    Refused(String),
    /// The list does not have ours.
    #[error(
        "codex has {found} of the {expected} hooks; its configuration or an administrator may have turned hooks off"
    )]
    Incomplete {
        /// Hooks that were found.
        found: usize,
        /// Hooks that were given.
        expected: usize,
    },
}

/// The number of our hooks.
pub(crate) fn hook_count(offload: bool) -> usize {
    EVENTS.len() + usize::from(offload)
}

/// The values of `-c` that run a command at each event, and with `offload` also after each tool, behind the user's own hooks.
pub(crate) fn codex_hook_overrides(command: &str, offload: bool, user: &CodexUserHooks) -> Vec<String> {
    let command = toml_text(command);
    let own = |event: &'static str| {
        let timeout = match event {
            "SessionEnd" => LAST_TIMEOUT,
            TOOL_EVENT => TOOL_TIMEOUT,
            _ => TIMEOUT,
        };
        (event, format!("{{hooks=[{{type=\"command\",command={command},timeout={timeout}}}]}}"))
    };
    let own: Vec<(&str, String)> = EVENTS.into_iter().chain(offload.then_some(TOOL_EVENT)).map(own).collect();
    let others =
        user.events.keys().map(String::as_str).filter(|event| own.iter().all(|(own, _)| own != event));
    let events = own.iter().map(|(event, _)| *event).chain(others);
    let line = |event: &str| {
        let own = own.iter().filter(|(own, _)| *own == event).map(|(_, hook)| hook.as_str());
        let items: Vec<&str> =
            user.events.get(event).into_iter().flatten().map(String::as_str).chain(own).collect();
        format!("hooks.{event}=[{}]", items.join(","))
    };
    events.map(line).collect()
}

/// The values of `-c` that add an MCP server.
pub(crate) fn codex_server_overrides(name: &str, command: &str, args: &[String]) -> Vec<String> {
    let args: Vec<String> = args.iter().map(|arg| toml_text(arg)).collect();
    vec![
        format!("mcp_servers.{name}.command={}", toml_text(command)),
        format!("mcp_servers.{name}.args=[{}]", args.join(",")),
    ]
}

/// What is sent to Codex's app server, one line each, to list the hooks of a folder.
pub(crate) fn codex_hook_listing(folder: &str) -> String {
    let hello = json!({"id": 1, "method": "initialize",
                       "params": {"clientInfo": {"name": "throughline", "version": env!("CARGO_PKG_VERSION")}}});
    let list = json!({"id": LISTING, "method": "hooks/list", "params": {"cwds": [folder]}});
    format!("{hello}\n{}\n{list}\n", json!({"method": "initialized"}))
}

/// The value of `-c` that trusts the `expected` hooks of this command, from a line of the app server, and those that the user
/// trusts. `None`: the line is not the list. No other hook becomes trusted.
///
/// # Errors
/// [`CodexTrustError`]: Codex lists no hooks, or not all of ours.
pub(crate) fn codex_trust_override(
    line: &str,
    command: &str,
    expected: usize,
    user: &CodexUserHooks,
) -> Result<Option<String>, CodexTrustError> {
    let Ok(answer) = serde_json::from_str::<Value>(line) else { return Ok(None) };
    if answer.get("id").and_then(Value::as_u64) != Some(LISTING) {
        return Ok(None);
    }
    if let Some(error) = answer.get("error") {
        let text = error.get("message").and_then(Value::as_str).unwrap_or("no reason is given");
        return Err(CodexTrustError::Refused(cut_end(text, ECHO).to_owned()));
    }
    let folders = answer.pointer("/result/data").and_then(Value::as_array).into_iter().flatten();
    let hooks = folders.filter_map(|folder| folder.get("hooks")?.as_array()).flatten();
    let mut states: Vec<String> = hooks.filter_map(|hook| state(hook, command)).collect();
    states.sort();
    states.dedup();
    if states.len() != expected {
        return Err(CodexTrustError::Incomplete { found: states.len(), expected });
    }
    states.extend(user.state.iter().cloned());
    Ok(Some(format!("hooks.state={{{}}}", states.join(","))))
}

/// The state that trusts a hook, if it is ours: one of the command line, with our command.
fn state(hook: &Value, command: &str) -> Option<String> {
    let text = |key: &str| hook.get(key).and_then(Value::as_str);
    if text("source") != Some("sessionFlags") || text("command") != Some(command) {
        return None;
    }
    Some(format!("{}={{trusted_hash={}}}", toml_text(text("key")?), toml_text(text("currentHash")?)))
}

/// A text in quotes. What JSON escapes is written the same in TOML, but for DEL.
fn toml_text(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests;
