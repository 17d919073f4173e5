//! The arguments of a call as values.

use serde::de::DeserializeOwned;
use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::ToolOutput;

/// Reads the arguments of a call.
///
/// # Errors
/// An error output for the model: which argument is wrong, and the schema that it should have followed.
pub fn arguments<T: DeserializeOwned>(call: &ToolCall, schema: &Value) -> Result<T, ToolOutput> {
    T::deserialize(&call.input).map_err(|error| {
        let name = &call.name;
        ToolOutput::error(format!(
            "The arguments of {name} are wrong: {error}. Call it again with arguments that follow this schema: {schema}"
        ))
    })
}
