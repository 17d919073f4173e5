//! Parses the arguments of a call.

use serde::de::DeserializeOwned;
use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::output::ToolOutput;

/// Deserializes the arguments of a call.
///
/// # Errors
/// An error output for the model, which names the wrong argument and quotes the schema.
pub fn arguments<T: DeserializeOwned>(call: &ToolCall, schema: &Value) -> Result<T, ToolOutput> {
    let wrong = |why: &dyn std::fmt::Display| {
        let name = &call.name;
        ToolOutput::error(format!(
            "The arguments of {name} are wrong: {why}. Call it again with arguments that follow this schema: {schema}"
        ))
    };
    // Serde would accept an array as a struct whose fields are in order.
    if call.input.is_array() {
        return Err(wrong(&"they are an array and not an object"));
    }
    T::deserialize(&call.input).map_err(|error| wrong(&error))
}
