//! Writes a whole file.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use super::{blocking, change, definition};
use crate::{Access, Effect, FileScope, Tool, ToolContext, ToolOutput, arguments};

/// `write_file`: creates a file with its folders, or replaces all content of one that the model knows.
#[derive(Debug, Clone, Default)]
pub struct WriteFileTool {
    scope: FileScope,
}

impl WriteFileTool {
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
    content: String,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "description": "The file, from the workspace's folder on." },
            "content": { "type": "string", "description": "All of its new content." }
        },
        "required": ["path", "content"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for WriteFileTool {
    fn definition(&self) -> ToolDefinition {
        definition("write_file", include_str!("write_file.md"), schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Edit, &call.input, "path")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let Arguments { path, content } = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let scope = self.scope.clone();
        blocking(context, move |context| {
            let written = change::write(&context, &scope, &path, &content)?;
            let verb = if written.replaced { "Replaced" } else { "Created" };
            let (bytes, lines) = (written.bytes, content.lines().count());
            let ends = if written.dos { " Its lines end with \\r\\n as before." } else { "" };
            Ok(ToolOutput::text(format!("{verb} {path}: {lines} lines, {bytes} bytes.{ends}")))
        })
        .await
    }
}
