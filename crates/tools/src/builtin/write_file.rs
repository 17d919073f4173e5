//! Writes a whole file.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use super::replace_file::replace_file;
use super::{blocking, confine, definition};
use crate::{Access, Effect, Tool, ToolContext, ToolOutput, arguments};

/// `write_file`: creates a file with its folders, or replaces all of its content.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteFileTool;

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
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        blocking(context, move |context| write(&context, &wanted)).await
    }
}

fn write(context: &ToolContext, wanted: &Arguments) -> Result<ToolOutput, ToolOutput> {
    let real = confine::place(&context.workspace, &wanted.path)?;
    if real.is_dir() {
        let text = format!("{} is a folder. Name a file in it.", wanted.path);
        return Err(ToolOutput::error(text));
    }
    let verb = if real.exists() { "Replaced" } else { "Created" };
    replace_file(&real, wanted.content.as_bytes())
        .map_err(|error| confine::failed("write", &wanted.path, &error))?;
    let (bytes, lines) = (wanted.content.len(), wanted.content.lines().count());
    Ok(ToolOutput::text(format!("{verb} {}: {lines} lines, {bytes} bytes.", wanted.path)))
}
