//! Replaces a text in a file.

use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::ToolDefinition;

use super::change::{self, FileChange};
use super::definition::definition;
use super::file_tool::FileTool;
use super::replacement::{Places, Replacement, properties};
use crate::access::{Access, Effect};
use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::tool::ToolContext;

/// `edit_file`: replaces an exact text. It must occur once unless the call asks for every occurrence.
#[derive(Debug)]
pub(super) struct EditFile;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    path: String,
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

impl FileTool for EditFile {
    type Arguments = Arguments;

    fn definition() -> ToolDefinition {
        let mut fields = json!({ "path": { "type": "string", "description": "The file, from the workspace's folder on." } });
        if let (Some(fields), Value::Object(more)) = (fields.as_object_mut(), properties()) {
            fields.extend(more);
        }
        definition("edit_file", include_str!("edit_file.md"), fields, &["path", "old_string", "new_string"])
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
        let (change, places) = prepare(&arguments, context, scope)?;
        let path = &arguments.path;
        let word = if places.count == 1 { "place" } else { "places" };
        change.make(context, scope, path, format!("Edited {path}: {} {word}, {places}.", places.count))
    }
}

fn prepare(
    arguments: &Arguments,
    context: &ToolContext,
    scope: &FileScope,
) -> Result<(FileChange, Places), ToolOutput> {
    let Arguments { path, old_string, new_string, replace_all } = arguments;
    let replacement = Replacement {
        old_string: old_string.clone(),
        new_string: new_string.clone(),
        replace_all: *replace_all,
    };
    change::edit(context, scope, path, |text| replacement.apply(text, path))
}
