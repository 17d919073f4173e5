//! Replaces the checklist.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use super::definition;
use crate::{
    Access, CHECKLIST_TOOL, Checklist, ChecklistStep, Effect, Tool, ToolContext, ToolOutput, arguments,
};

/// `update_checklist`: the steps of the work at hand. The list is in the call itself and nowhere else, so it goes where
/// the conversation goes: whoever wants to show it takes the newest call's, with [`Checklist::of_call`].
#[derive(Debug, Clone, Copy, Default)]
pub struct UpdateChecklistTool;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    items: Vec<ChecklistStep>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "description": { "type": "string" },
                        "status": { "type": "string", "enum": ["pending", "in_progress", "completed"] }
                    },
                    "required": ["description", "status"],
                    "additionalProperties": false
                }
            }
        },
        "required": ["items"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for UpdateChecklistTool {
    fn definition(&self) -> ToolDefinition {
        definition(CHECKLIST_TOOL, include_str!("update_checklist.md"), schema())
    }

    fn access(&self, _call: &ToolCall) -> Access {
        Access::unnamed(Effect::Read)
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        match Checklist::new(wanted.items) {
            Ok(list) => ToolOutput::text(list.to_string()),
            Err(error) => ToolOutput::error(format!("The checklist was not changed: {error}.")),
        }
    }
}
