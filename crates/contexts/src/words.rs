//! Values that several operations share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use throughline_conversation::{ToolDefinition, ToolOrigin, WindowFigures};
use throughline_engine::{Answered, ToolCall, Usage};

/// A JSON object in the form of a provider.
pub type Object = Map<String, Value>;

/// A result without fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Done {}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name: letters, digits, `_` and `-`, at most 64. A tool with another name is in no request, and a notice says so.
    pub name: String,
    /// What it does and when to call it.
    pub description: String,
    /// JSON schema of its arguments, an object schema.
    pub input_schema: Object,
    /// Whether its description may be left out until the model searches for it, where descriptions take too much room.
    #[serde(default)]
    pub deferrable: bool,
}

impl From<Tool> for ToolDefinition {
    fn from(tool: Tool) -> Self {
        let origin = if tool.deferrable { ToolOrigin::Mcp } else { ToolOrigin::Builtin };
        Self { origin, ..Self::new(tool.name, tool.description, Value::Object(tool.input_schema)) }
    }
}

/// What the provider reported for one request, in tokens. The three figures of input do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenUsage {
    /// Input that was neither read from the prompt cache nor written to it.
    #[serde(default)]
    pub input: u64,
    /// Input that was read from the prompt cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Input that was written to the prompt cache.
    #[serde(default)]
    pub cache_write: u64,
    /// Output.
    #[serde(default)]
    pub output: u64,
}

impl From<TokenUsage> for Usage {
    fn from(TokenUsage { input, cache_read, cache_write, output }: TokenUsage) -> Self {
        Self { input, cache_read, cache_write, output, searches: 0 }
    }
}

impl From<Usage> for TokenUsage {
    fn from(Usage { input, cache_read, cache_write, output, .. }: Usage) -> Self {
        Self { input, cache_read, cache_write, output }
    }
}

/// How full the window is, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WindowUse {
    /// The whole window.
    pub total: u64,
    /// Reserved for output.
    pub reserved_output: u64,
    /// Used by the system prompt.
    pub system: u64,
    /// Used by descriptions of tools.
    pub tools: u64,
    /// Used by messages, results and notes.
    pub conversation: u64,
    /// What is left.
    pub free: u64,
}

impl From<WindowFigures> for WindowUse {
    fn from(window: WindowFigures) -> Self {
        Self {
            total: window.total,
            reserved_output: window.reserved_output,
            system: window.used.system + window.used.skills,
            tools: window.used.tools,
            conversation: window.used.conversation,
            free: window.free(),
        }
    }
}

/// A call that the caller runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// Its id, which the result repeats.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments.
    pub input: Object,
}

impl From<ToolCall> for Call {
    fn from(ToolCall { id, name, input }: ToolCall) -> Self {
        Self { id, name, input: object(input) }
    }
}

/// What the caller does after an answer or after results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// It runs the calls, and gives their results to `results`.
    Calls,
    /// It asks for the next request.
    Request,
    /// The turn has ended.
    Finished,
}

/// What follows an answer, or results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Followed {
    /// What the caller does.
    pub then: Then,
    /// The calls that it runs.
    pub calls: Vec<Call>,
    /// The model's last text, when the turn has ended.
    pub text: Option<String>,
    /// Why the model stopped, when the turn has ended.
    pub stop: Option<String>,
}

impl From<Answered> for Followed {
    fn from(answered: Answered) -> Self {
        let of = |then| Self { then, calls: Vec::new(), text: None, stop: None };
        match answered {
            Answered::Calls(calls) => {
                Self { calls: calls.into_iter().map(Call::from).collect(), ..of(Then::Calls) }
            }
            Answered::Request => of(Then::Request),
            Answered::Finished { text, stop } => {
                Self { text: Some(text), stop: Some(stop.name().to_owned()), ..of(Then::Finished) }
            }
        }
    }
}

/// The object that this is; an empty one of another value.
pub(crate) fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}
