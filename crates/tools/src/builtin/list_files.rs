//! Lists files.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::ToolDefinition;

use super::allowed_roots::AllowedRoots;
use super::definition::definition;
use super::file_tool::FileTool;
use super::walk::{Selection, hidden_line};
use crate::access::{Access, Effect};
use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::run::CANCELLED;
use crate::tool::ToolContext;

/// Maximum number of files of one answer.
const MAX_FILES: usize = 1_000;

/// `list_files`: the paths of files that match a glob, sorted by path or by the time of the last change, newest first.
#[derive(Debug)]
pub(super) struct ListFiles;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    glob: Option<String>,
    #[serde(default)]
    newest_first: bool,
}

impl FileTool for ListFiles {
    type Arguments = Arguments;

    fn definition() -> ToolDefinition {
        let properties = json!({
            "path": { "type": "string", "description": "The folder to start from; the workspace without it." },
            "glob": { "type": "string", "description": "Which files: *.rs for a name, src/**/*.rs for a path." },
            "newest_first": { "type": "boolean", "description": "Those changed last come first." }
        });
        definition("list_files", include_str!("list_files.md"), properties, &[])
    }

    fn access(input: &Value) -> Access {
        Access::below(Effect::Read, input, "path")
    }

    fn run(arguments: Arguments, context: &ToolContext, scope: &FileScope) -> Result<ToolOutput, ToolOutput> {
        let roots = AllowedRoots::of(context, scope)?;
        let selection = Selection::new(&roots, arguments.path.as_deref(), arguments.glob.as_deref())?;
        let hidden = Cell::new(0);
        let visible = |file: &PathBuf| {
            let hides = context.hides(&roots.shown(file), file);
            hidden.set(hidden.get() + usize::from(hides));
            !hides
        };
        let files = selection.files().take_while(|_| !context.cancel.is_cancelled()).filter(visible);
        let beneath = |file: &PathBuf| selection.place(file).metadata().is_ok();
        let (files, more) = if arguments.newest_first { newest(files) } else { first(files) };
        if context.cancel.is_cancelled() {
            return Err(ToolOutput::error(CANCELLED));
        }
        let files: Vec<PathBuf> = files.into_iter().filter(beneath).collect();
        let mut lines: Vec<String> = files.iter().map(|file| roots.shown(file)).collect();
        if files.is_empty() {
            lines.push("[no file fits]".to_owned());
        }
        if more {
            lines.push(format!("[more than {MAX_FILES} files: narrow the glob or the path]"));
        }
        lines.extend(hidden_line(hidden.get(), "listed"));
        Ok(ToolOutput::text(lines.join("\n")))
    }
}

/// The first [`MAX_FILES`] files, and true if there are more.
fn first(files: impl Iterator<Item = PathBuf>) -> (Vec<PathBuf>, bool) {
    let mut first: Vec<PathBuf> = files.take(MAX_FILES + 1).collect();
    let more = first.len() > MAX_FILES;
    first.truncate(MAX_FILES);
    (first, more)
}

/// The [`MAX_FILES`] files changed last, newest first, and true if there are more. Files with the same time stay sorted by
/// path.
fn newest(files: impl Iterator<Item = PathBuf>) -> (Vec<PathBuf>, bool) {
    let mut newest: BinaryHeap<(Reverse<SystemTime>, PathBuf)> = BinaryHeap::new();
    let mut more = false;
    for file in files {
        let time = file.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        newest.push((Reverse(time), file));
        if newest.len() > MAX_FILES {
            newest.pop();
            more = true;
        }
    }
    (newest.into_sorted_vec().into_iter().map(|(_, file)| file).collect(), more)
}
