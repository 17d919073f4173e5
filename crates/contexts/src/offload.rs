//! Storing a large result before the list of a framework has it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_engine::{ToolCall, ToolOutput};

use crate::operation::operation;
use crate::words::Object;

/// Stores the result of a call, if it is large, and gives the text that the caller's list is to have in its place. For callers of
/// `sync` that can replace a result as soon as the tool has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offload {
    /// The id of the call.
    pub call: String,
    /// The tool.
    pub name: String,
    /// The arguments.
    #[serde(default)]
    pub input: Object,
    /// What the tool has put out.
    pub text: String,
    /// The call failed.
    #[serde(default)]
    pub is_error: bool,
}

/// A result as the model sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShownResult {
    /// The text; where the result was stored, its start and end, and how to read the rest.
    pub text: String,
}

operation!(Offload, "offload", ShownResult, |self, context| {
    let call = ToolCall { id: self.call, name: self.name, input: serde_json::Value::Object(self.input) };
    let output = ToolOutput { is_error: self.is_error, ..ToolOutput::text(self.text) };
    Ok(ShownResult { text: context.engine.offload(&call, output).await.content })
});
