//! What a tool is to the model: a name, a description, a schema.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where a tool comes from. Decides which descriptions are held back first when they take too much room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOrigin {
    /// Part of the product; its description is never held back.
    Builtin,
    /// Brought by a skill.
    Skill,
    /// Offered by an MCP server.
    Mcp,
}

/// A tool as the model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// Name: letters, digits, `_` and `-`, at most 64 characters (the rule of all three providers).
    pub name: String,
    /// What it does and when to call it.
    pub description: String,
    /// JSON schema of the arguments: an object schema.
    pub input_schema: Value,
    /// Where it comes from.
    pub origin: ToolOrigin,
}
