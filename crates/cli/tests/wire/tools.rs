//! Two small tools.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_tools::{Tool, ToolContext, ToolOutput, ToolRegistry};

/// Both of them.
pub(crate) fn registry() -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    let tools: [Arc<dyn Tool>; 2] = [Arc::new(Lookup), Arc::new(Climb)];
    for tool in tools {
        registry.register(tool).unwrap();
    }
    registry
}

/// Says how long a name is.
#[derive(Debug)]
struct Lookup;

#[async_trait]
impl Tool for Lookup {
    fn definition(&self) -> ToolDefinition {
        definition("lookup", "Says how long a name is.", &json!({"name": {"type": "string"}}))
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        match call.input.get("name").and_then(Value::as_str) {
            Some(name) => ToolOutput::text(format!("{name} has {} letters", name.len())),
            None => ToolOutput::error("there is no name"),
        }
    }
}

/// Goes up one level; there are ten.
#[derive(Debug)]
struct Climb;

#[async_trait]
impl Tool for Climb {
    fn definition(&self) -> ToolDefinition {
        definition("climb", "Goes to a level.", &json!({"level": {"type": "integer"}}))
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        match call.input.get("level").and_then(Value::as_u64) {
            Some(level @ 0..10) => ToolOutput::text(format!("you are on level {level}")),
            Some(level) => ToolOutput::error(format!("there is no level {level}")),
            None => ToolOutput::error("which level?"),
        }
    }
}

fn definition(name: &str, description: &str, properties: &Value) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: json!({"type": "object", "properties": properties}),
        origin: ToolOrigin::Builtin,
    }
}
