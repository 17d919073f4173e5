//! Lists files.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use super::walk::Selection;
use super::{blocking, confine, definition};
use crate::{Access, CANCELLED, Effect, Tool, ToolContext, ToolOutput, arguments};

/// Most files of one answer.
const MAX_FILES: usize = 1_000;

/// `list_files`: the paths of files that fit a glob, sorted.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListFilesTool;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    glob: Option<String>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "description": "The folder to start from; the workspace without it." },
            "glob": { "type": "string", "description": "Which files: *.rs for a name, src/**/*.rs for a path." }
        },
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for ListFilesTool {
    fn definition(&self) -> ToolDefinition {
        definition("list_files", include_str!("list_files.md"), schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Read, &call.input, "path")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        blocking(context, move |context| list(&context, &wanted)).await
    }
}

fn list(context: &ToolContext, wanted: &Arguments) -> Result<ToolOutput, ToolOutput> {
    let selection = Selection::new(&context.workspace, wanted.path.as_deref(), wanted.glob.as_deref())?;
    let mut text = String::new();
    for (index, file) in selection.files().enumerate() {
        if context.cancel.is_cancelled() {
            return Err(ToolOutput::error(CANCELLED));
        }
        if index == MAX_FILES {
            text.push_str(&format!("[more than {MAX_FILES} files: narrow the glob or the path]\n"));
            break;
        }
        text.push_str(&confine::shown(&context.workspace, &file));
        text.push('\n');
    }
    if text.is_empty() {
        text.push_str("[no file fits]\n");
    }
    Ok(ToolOutput::text(text.trim_end()))
}
