//! Tool definitions: name, description and schema.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where a tool comes from. Decides which descriptions are deferred first when they take too much room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolOrigin {
    /// Part of the product; its description is never deferred.
    Builtin,
    /// Run by the model's provider; never deferred. A request to a provider without such a tool leaves it out.
    Provider,
    /// Run by the model's provider; never deferred. Where a provider has no such tool, the program runs its own.
    ProviderFirst,
    /// Brought by a skill.
    Skill,
    /// Offered by an MCP server.
    Mcp,
}

impl ToolOrigin {
    /// Returns true if the description may be deferred.
    #[must_use]
    pub fn is_deferrable(self) -> bool {
        matches!(self, Self::Skill | Self::Mcp)
    }

    /// Returns true if the model's provider runs the tool where it can.
    #[must_use]
    pub fn is_of_provider(self) -> bool {
        matches!(self, Self::Provider | Self::ProviderFirst)
    }

    /// Returns true if the program can run the tool.
    #[must_use]
    pub fn runs_here(self) -> bool {
        self != Self::Provider
    }
}

/// The name of the tool that searches the web, by the program or the provider.
pub const WEB_SEARCH: &str = "web_search";

/// The description of a tool in a request.
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

impl ToolDefinition {
    /// Creates the definition of a built-in tool, which is never deferred.
    pub fn new(name: impl Into<String>, description: impl Into<String>, input_schema: Value) -> Self {
        let origin = ToolOrigin::Builtin;
        Self { name: name.into(), description: description.into(), input_schema, origin }
    }

    /// Returns true if every provider accepts the name.
    #[must_use]
    pub fn has_valid_name(&self) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        !self.name.is_empty() && self.name.len() <= 64 && self.name.bytes().all(plain)
    }

    /// Lets the description be deferred when all of them take too much room: the model finds the tool by a search, and calls it.
    #[must_use]
    pub fn deferrable(self) -> Self {
        Self { origin: ToolOrigin::Mcp, ..self }
    }
}
