//! Replaces several texts in a file at once.

use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::ToolDefinition;

use super::change::{self, FileChange};
use super::definition::definition;
use super::file_tool::FileTool;
use super::replacement::Replacement;
use crate::access::{Access, Effect};
use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::tool::ToolContext;

/// `multi_edit`: several replacements in one file, one after the other, all of them or none.
#[derive(Debug)]
pub(super) struct MultiEdit;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    path: String,
    edits: Vec<Replacement>,
}

impl FileTool for MultiEdit {
    type Arguments = Arguments;

    /// The fields of an edit have no descriptions: edit_file describes them, and each word here is paid in every request.
    fn definition() -> ToolDefinition {
        let properties = json!({
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
        });
        definition("multi_edit", include_str!("multi_edit.md"), properties, &["path", "edits"])
    }

    fn access(input: &Value) -> Access {
        Access::of(Effect::Edit, input, "path")
    }

    fn check(arguments: Arguments, context: &ToolContext, scope: &FileScope) -> Result<(), ToolOutput> {
        let _lock = scope.ledger().lock_changes();
        prepare(&arguments, context, scope).map(drop)
    }

    fn run(arguments: Arguments, context: &ToolContext, scope: &FileScope) -> Result<ToolOutput, ToolOutput> {
        let _lock = scope.ledger().lock_changes();
        let change = prepare(&arguments, context, scope)?;
        let Arguments { path, edits } = arguments;
        let word = if edits.len() == 1 { "edit" } else { "edits" };
        change.make(context, scope, &path, format!("Edited {path}: {} {word}.", edits.len()))
    }
}

fn prepare(
    arguments: &Arguments,
    context: &ToolContext,
    scope: &FileScope,
) -> Result<FileChange, ToolOutput> {
    let Arguments { path, edits } = arguments;
    if edits.is_empty() {
        return Err(ToolOutput::error("edits is empty. Name at least one edit."));
    }
    let (change, ()) = change::edit(context, scope, path, |text| Ok((apply(edits, text, path)?, ())))?;
    Ok(change)
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
