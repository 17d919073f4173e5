//! Replaces the checklist.

mod checklist;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition};

use self::checklist::{Checklist, ChecklistStep};
use super::definition::definition;
use crate::access::{Access, Effect};
use crate::arguments::arguments;
use crate::output::ToolOutput;
use crate::tool::{Tool, ToolContext};

/// `update_checklist`: the steps of the current work. The list is stored in the call and nowhere else, so it is part of the
/// conversation like any other call.
#[derive(Debug)]
pub(super) struct UpdateChecklistTool;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    items: Vec<ChecklistStep>,
}

#[async_trait]
impl Tool for UpdateChecklistTool {
    fn definition(&self) -> ToolDefinition {
        let properties = json!({
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
        });
        definition("update_checklist", include_str!("update_checklist.md"), properties, &["items"])
    }

    fn access(&self, _call: &ToolCall) -> Access {
        Access::unnamed(Effect::Read)
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let Arguments { items } = match arguments(call, &self.definition().input_schema) {
            Ok(arguments) => arguments,
            Err(output) => return output,
        };
        match Checklist::new(items) {
            Ok(list) => ToolOutput::text(list.to_string()),
            Err(error) => ToolOutput::error(format!("The checklist was not changed: {error}.")),
        }
    }
}
