//! A tool in a server's list, validated and cleaned for the model.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use throughline_conversation::{ToolDefinition, ToolOrigin};
use throughline_text::{cut_end, sanitized};
use throughline_tools::{ArgumentNames, PortableSchema};

use crate::limits;
use crate::naming::tool_name;

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RemoteTool {
    /// The server's own name for it, which calls use.
    pub(crate) name: String,
    /// The definition for the model.
    pub(crate) definition: ToolDefinition,
    /// The server's own names of arguments that the model sees by another name.
    pub(crate) names: ArgumentNames,
}

impl RemoteTool {
    /// Parses an entry of a tool list.
    ///
    /// # Errors
    /// Why the tool is not offered, for the user. Quotes nothing of the server but the name.
    pub(crate) fn parse(server: &str, entry: &Value) -> Result<Self, String> {
        let name = entry.get("name").and_then(Value::as_str).unwrap_or_default();
        if name.is_empty() {
            return Err("a tool without a name is not offered".to_owned());
        }
        let shown = quoted(name);
        let Some(schema) =
            entry.get("inputSchema").map_or(Some(Map::new()), |schema| schema.as_object().cloned())
        else {
            return Err(format!("the tool {shown} is not offered: its schema is not an object"));
        };
        let check_size = |schema: &Value| {
            let (size, most) = (schema.to_string().len(), limits::SCHEMA);
            if size <= most {
                return Ok(());
            }
            Err(format!(
                "the tool {shown} is not offered: its schema has {} KiB, the limit is {} KiB",
                size / 1024,
                most / 1024
            ))
        };
        // Checked again after cleaning, which may copy the targets of references.
        entry.get("inputSchema").map_or(Ok(()), check_size)?;
        let PortableSchema { schema: input_schema, names } = PortableSchema::of(&schema);
        check_size(&input_schema)?;
        let definition = ToolDefinition {
            name: tool_name(server, name),
            description: description(server, name, entry),
            input_schema,
            origin: ToolOrigin::Mcp,
        };
        Ok(Self { name: name.to_owned(), definition, names })
    }
}

/// Quotes a name that comes from a server: short and on one line.
pub(crate) fn quoted(name: &str) -> String {
    let name = sanitized(cut_end(name, 80)).replace(['\n', '\t'], " ");
    format!("{name:?}")
}

fn description(server: &str, name: &str, entry: &Value) -> String {
    let text = |field: &str| entry.get(field).and_then(Value::as_str).unwrap_or_default();
    let title = || entry.pointer("/annotations/title").and_then(Value::as_str).unwrap_or_default();
    let candidates = [text("description"), text("title"), title()]
        .map(|text| sanitized(cut_end(text, limits::DESCRIPTION * 2)).trim().to_owned());
    let Some(text) = candidates.into_iter().find(|text| !text.is_empty()) else {
        return format!(
            "The tool {} of the MCP server {}. It has no description.",
            quoted(name),
            quoted(server)
        );
    };
    match cut_end(&text, limits::DESCRIPTION) {
        all if all.len() == text.len() => text,
        start => format!("{start}… [the description continues; it was cut]"),
    }
}

#[cfg(test)]
mod tests;
