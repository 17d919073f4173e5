//! Parses the arguments of a call.

mod fitted;

use serde::de::DeserializeOwned;
use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::advice::wrong_arguments;
use crate::output::ToolOutput;
pub use fitted::fit_arguments;

/// The error output for a call whose arguments are no JSON object, or have a number that would be rounded; `None` for any other. Such a call is not run. `cut`: the
/// answer reached its output limit.
#[must_use]
pub fn malformed(call: &ToolCall, cut: bool) -> Option<ToolOutput> {
    let written = call.malformed()?;
    if cut {
        let text = include_str!("arguments.md").trim_end();
        return Some(ToolOutput::error(text.replace("{name}", &call.name)));
    }
    let why = match serde_json::from_str::<Value>(written) {
        Ok(Value::Object(_)) => {
            return Some(ToolOutput::error(format!(
                "A whole number in the arguments of {} has more than 64 bits and cannot be passed on exactly. The call was not run; make it \
                 again with the number as a string.",
                call.name
            )));
        }
        Ok(_) => "they are JSON, but no object".to_owned(),
        Err(error) => error.to_string(),
    };
    Some(ToolOutput::error(format!(
        "The arguments of {} are not a JSON object: {why}. The call was not run; make it again with one JSON object.",
        call.name
    )))
}

/// Deserializes the arguments of a call, which are fitted to the schema: see [`fit_arguments`].
///
/// # Errors
/// An error output for the model, which names the wrong argument and quotes the schema.
pub fn arguments<T: DeserializeOwned>(call: &ToolCall, schema: &Value) -> Result<T, ToolOutput> {
    let wrong = |why: &dyn std::fmt::Display| wrong_arguments(&call.name, why, schema);
    // Serde would accept an array as a struct whose fields are in order.
    if call.input.is_array() {
        return Err(wrong(&"they are an array and not an object"));
    }
    T::deserialize(&call.input)
        .or_else(|_| T::deserialize(fit_arguments(&call.input, schema)))
        .map_err(|error| wrong(&error))
}
