//! The definition of the tool that queries the history.

use serde_json::{Value, json};
use throughline_conversation::{ToolDefinition, ToolOrigin};

use crate::error::QueryError;

/// The definition of `query_db`. [`sql_from_input`] reads its arguments.
#[must_use]
pub fn query_db_tool() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "sql": {
                "type": "string",
                "description": "One SELECT over the table messages, in SQLite's dialect."
            }
        },
        "required": ["sql"]
    });
    ToolDefinition {
        name: "query_db".to_owned(),
        description: include_str!("query_db.md").trim_end().to_owned(),
        input_schema: schema,
        origin: ToolOrigin::Builtin,
    }
}

/// Reads the arguments of a call.
///
/// # Errors
/// [`QueryError::Input`] when there is no text to run.
pub fn sql_from_input(input: &Value) -> Result<&str, QueryError> {
    match input.get("sql") {
        Some(Value::String(sql)) if !sql.trim().is_empty() => Ok(sql),
        _ => Err(QueryError::Input("\"sql\" must be a string with one SELECT over messages".to_owned())),
    }
}

#[cfg(test)]
mod tests;
