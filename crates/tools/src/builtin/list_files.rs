//! Lists files.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;
use std::time::SystemTime;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use super::confine::Grounds;
use super::walk::{Selection, hidden_line};
use super::{blocking, definition};
use crate::{Access, CANCELLED, Effect, FileScope, Tool, ToolContext, ToolOutput, arguments};

/// Most files of one answer.
const MAX_FILES: usize = 1_000;

/// `list_files`: the paths of files that fit a glob, sorted by path or the ones changed last first.
#[derive(Debug, Clone, Default)]
pub struct ListFilesTool {
    scope: FileScope,
}

impl ListFilesTool {
    /// The tool within this scope.
    #[must_use]
    pub fn new(scope: FileScope) -> Self {
        Self { scope }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    glob: Option<String>,
    #[serde(default)]
    newest_first: bool,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "description": "The folder to start from; the workspace without it." },
            "glob": { "type": "string", "description": "Which files: *.rs for a name, src/**/*.rs for a path." },
            "newest_first": { "type": "boolean", "description": "Those changed last come first." }
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
        Access::below(Effect::Read, &call.input, "path")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let scope = self.scope.clone();
        blocking(context, move |context| list(&context, &scope, &wanted)).await
    }
}

fn list(context: &ToolContext, scope: &FileScope, wanted: &Arguments) -> Result<ToolOutput, ToolOutput> {
    let grounds = Grounds::of(context, scope)?;
    let selection = Selection::new(&grounds, wanted.path.as_deref(), wanted.glob.as_deref())?;
    let hidden = Cell::new(0);
    let open = |file: &PathBuf| {
        let hides = context.hides(&grounds.shown(file), file);
        hidden.set(hidden.get() + usize::from(hides));
        !hides
    };
    let files = selection.files().take_while(|_| !context.cancel.is_cancelled()).filter(open);
    let (files, more) = if wanted.newest_first { newest(files) } else { first(files) };
    if context.cancel.is_cancelled() {
        return Err(ToolOutput::error(CANCELLED));
    }
    let mut lines: Vec<String> = files.iter().map(|file| grounds.shown(file)).collect();
    if files.is_empty() {
        lines.push("[no file fits]".to_owned());
    }
    if more {
        lines.push(format!("[more than {MAX_FILES} files: narrow the glob or the path]"));
    }
    lines.extend(hidden_line(hidden.get(), "listed"));
    Ok(ToolOutput::text(lines.join("\n")))
}

/// The first of the files, and whether there are more.
fn first(files: impl Iterator<Item = PathBuf>) -> (Vec<PathBuf>, bool) {
    let mut first: Vec<PathBuf> = files.take(MAX_FILES + 1).collect();
    let more = first.len() > MAX_FILES;
    first.truncate(MAX_FILES);
    (first, more)
}

/// The files changed last, newest first, and whether there are more. Files of one time stay sorted by path.
fn newest(files: impl Iterator<Item = PathBuf>) -> (Vec<PathBuf>, bool) {
    let mut kept: BinaryHeap<(Reverse<SystemTime>, PathBuf)> = BinaryHeap::new();
    let mut more = false;
    for file in files {
        let time = file.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        kept.push((Reverse(time), file));
        if kept.len() > MAX_FILES {
            kept.pop();
            more = true;
        }
    }
    (kept.into_sorted_vec().into_iter().map(|(_, file)| file).collect(), more)
}
