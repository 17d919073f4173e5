//! Replaces a text in a file.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use super::replacement::{Replacement, properties};
use super::{blocking, change, definition};
use crate::{Access, Effect, FileScope, Tool, ToolContext, ToolOutput, arguments};

/// `edit_file`: replaces a text that stands in a file exactly, and once unless all places are meant.
#[derive(Debug, Clone, Default)]
pub struct EditFileTool {
    scope: FileScope,
}

impl EditFileTool {
    /// The tool within this scope.
    #[must_use]
    pub fn new(scope: FileScope) -> Self {
        Self { scope }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

fn schema() -> Value {
    let mut fields =
        json!({ "path": { "type": "string", "description": "The file, from the workspace's folder on." } });
    if let (Some(fields), Value::Object(more)) = (fields.as_object_mut(), properties()) {
        fields.extend(more);
    }
    json!({
        "type": "object",
        "properties": fields,
        "required": ["path", "old_string", "new_string"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for EditFileTool {
    fn definition(&self) -> ToolDefinition {
        definition("edit_file", include_str!("edit_file.md"), schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Edit, &call.input, "path")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let Arguments { path, old_string, new_string, replace_all } = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let replacement = Replacement { old_string, new_string, replace_all };
        let scope = self.scope.clone();
        blocking(context, move |context| {
            change::edit(&context, &scope, &path, |text| {
                let (text, places) = replacement.apply(text, &path)?;
                let word = if places.count == 1 { "place" } else { "places" };
                Ok((text, format!("Edited {path}: {} {word}, {places}.", places.count)))
            })
        })
        .await
    }
}
