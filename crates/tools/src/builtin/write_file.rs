//! Writes a whole file.

use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::ToolDefinition;

use super::change;
use super::definition::definition;
use super::file_tool::FileTool;
use crate::access::{Access, Effect};
use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::tool::ToolContext;
use throughline_text::counted;

/// `write_file`: creates a file with its folders, or replaces the whole content of a file that the model has read.
#[derive(Debug)]
pub(super) struct WriteFile;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    path: String,
    content: String,
}

impl FileTool for WriteFile {
    type Arguments = Arguments;

    fn definition() -> ToolDefinition {
        let properties = json!({
            "path": { "type": "string", "description": "The file, from the workspace's folder on." },
            "content": { "type": "string", "description": "All of its new content." }
        });
        definition("write_file", include_str!("write_file.md"), properties, &["path", "content"])
    }

    fn access(input: &Value) -> Access {
        Access::of(Effect::Edit, input, "path")
    }

    fn check(arguments: Arguments, context: &ToolContext, scope: &FileScope) -> Result<(), ToolOutput> {
        let _lock = scope.ledger().lock_changes();
        change::write(context, scope, &arguments.path, &arguments.content).map(drop)
    }

    fn run(arguments: Arguments, context: &ToolContext, scope: &FileScope) -> Result<ToolOutput, ToolOutput> {
        let Arguments { path, content } = arguments;
        let _lock = scope.ledger().lock_changes();
        let change = change::write(context, scope, &path, &content)?;
        let verb = if change.replaces() { "Replaced" } else { "Created" };
        let (bytes, lines) =
            (counted(change.bytes() as u64, "byte"), counted(content.lines().count() as u64, "line"));
        let ends = if change.dos { " Its lines end with \\r\\n as before." } else { "" };
        let mark = if change.mark { " It begins with a byte order mark as before." } else { "" };
        change.make(context, scope, &path, format!("{verb} {path}: {lines}, {bytes}.{ends}{mark}"))
    }
}
