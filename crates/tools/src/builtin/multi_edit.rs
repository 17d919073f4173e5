//! Replaces several texts in a file at once.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use super::replacement::Replacement;
use super::{blocking, change, definition};
use crate::{Access, Effect, FileScope, Tool, ToolContext, ToolOutput, arguments};

/// `multi_edit`: several replacements in one file, one after the other, all of them or none.
#[derive(Debug, Clone, Default)]
pub struct MultiEditTool {
    scope: FileScope,
}

impl MultiEditTool {
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
    edits: Vec<Replacement>,
}

/// The fields of an edit are those of edit_file, which describes them: each word here is paid in every request.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": { "type": "string" },
            "edits": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {
                        "old_string": { "type": "string" },
                        "new_string": { "type": "string" },
                        "replace_all": { "type": "boolean" }
                    },
                    "required": ["old_string", "new_string"],
                    "additionalProperties": false
                }
            }
        },
        "required": ["path", "edits"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for MultiEditTool {
    fn definition(&self) -> ToolDefinition {
        definition("multi_edit", include_str!("multi_edit.md"), schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Edit, &call.input, "path")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let Arguments { path, edits } = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        if edits.is_empty() {
            return ToolOutput::error("edits is empty. Name at least one edit.");
        }
        let scope = self.scope.clone();
        blocking(context, move |context| {
            change::edit(&context, &scope, &path, |text| {
                let text = apply(&edits, text, &path)?;
                let word = if edits.len() == 1 { "edit" } else { "edits" };
                Ok((text, format!("Edited {path}: {} {word}.", edits.len())))
            })
        })
        .await
    }
}

fn apply(edits: &[Replacement], text: &str, path: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    for (index, edit) in edits.iter().enumerate() {
        let (next, _) = edit.apply(&text, path).map_err(|why| {
            let after = match index {
                0 => "",
                _ => " Each edit works on the text as the edits before it left it.",
            };
            format!("Edit {} of {} cannot be made, so none was: {why}{after}", index + 1, edits.len())
        })?;
        text = next;
    }
    Ok(text)
}
