//! A tool as a server tells of it, judged and made fit to be shown.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use throughline_conversation::{ToolDefinition, ToolOrigin};
use throughline_text::{cut_end, sanitized};

use crate::bounds;
use crate::naming::tool_name;
use crate::schema::cleaned;

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RemoteTool {
    /// The server's own name for it, as calls must have it.
    pub(crate) name: String,
    /// What the model is told.
    pub(crate) definition: ToolDefinition,
}

impl RemoteTool {
    /// The tool of one entry of a list.
    ///
    /// # Errors
    /// Why it is left out, for a person. The text holds nothing of the server's but the name.
    pub(crate) fn read(server: &str, entry: &Value) -> Result<Self, String> {
        let name = entry.get("name").and_then(Value::as_str).unwrap_or_default();
        if name.is_empty() {
            return Err("a tool without a name is left out".to_owned());
        }
        let shown = shown(name);
        let Some(schema) =
            entry.get("inputSchema").map_or(Some(Map::new()), |schema| schema.as_object().cloned())
        else {
            return Err(format!("the tool {shown} is left out: its schema is no object"));
        };
        let fits = |schema: &Value| {
            let (size, most) = (schema.to_string().len(), bounds::SCHEMA);
            if size <= most {
                return Ok(());
            }
            Err(format!(
                "the tool {shown} is left out: its schema has {} KiB, and {} KiB is the most",
                size / 1024,
                most / 1024
            ))
        };
        // Before anything is done with it, and again: what it refers to may stand there twice now.
        entry.get("inputSchema").map_or(Ok(()), fits)?;
        let input_schema = cleaned(schema);
        fits(&input_schema)?;
        let definition = ToolDefinition {
            name: tool_name(server, name),
            description: description(server, name, entry),
            input_schema,
            origin: ToolOrigin::Mcp,
        };
        Ok(Self { name: name.to_owned(), definition })
    }
}

/// A server's name for something, for a person: short and on one line.
pub(crate) fn shown(name: &str) -> String {
    let name = sanitized(cut_end(name, 80)).replace(['\n', '\t'], " ");
    format!("{name:?}")
}

fn description(server: &str, name: &str, entry: &Value) -> String {
    let text = |field: &str| entry.get(field).and_then(Value::as_str).unwrap_or_default();
    let title = || entry.pointer("/annotations/title").and_then(Value::as_str).unwrap_or_default();
    let said = [text("description"), text("title"), title()]
        .map(|text| sanitized(cut_end(text, bounds::DESCRIPTION * 2)).trim().to_owned());
    let Some(said) = said.into_iter().find(|text| !text.is_empty()) else {
        return format!(
            "The tool {} of the MCP server {}. It has no description.",
            shown(name),
            shown(server)
        );
    };
    match cut_end(&said, bounds::DESCRIPTION) {
        all if all.len() == said.len() => said,
        start => format!("{start}… [the description goes on; it was cut]"),
    }
}

#[cfg(test)]
mod tests;
