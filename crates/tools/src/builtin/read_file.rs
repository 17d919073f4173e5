//! Reads a file: text with line numbers and within limits, or a picture.

mod page;
mod picture;

use std::fs::{File, Metadata};
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::ToolDefinition;

use self::page::{MAX_LINES, page};
use super::allowed_roots::{self, AllowedRoots, FilePlace};
use super::current_text::{Current, Keeper, current};
use super::definition::definition;
use super::file_tool::FileTool;
use super::regular;
use crate::access::{Access, Effect};
use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::picture::PictureKind;
use crate::tool::ToolContext;

/// A zero byte among this many at the start makes a file binary (the rule that git and grep use).
const PROBE: u64 = 8 * 1024;

/// Follows a text that commands and searches do not see yet.
const UNSAVED: &str = "\n[this has unsaved changes of the editor; commands, grep and git see the saved file]";

/// `read_file`: shows a text file with line numbers, at most 2,000 lines or 50 KiB at once, or a picture.
#[derive(Debug)]
pub(super) struct ReadFile;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    path: String,
    #[serde(default)]
    offset: Option<u64>,
    #[serde(default)]
    limit: Option<u64>,
}

impl FileTool for ReadFile {
    type Arguments = Arguments;

    fn definition() -> ToolDefinition {
        let properties = json!({
            "path": { "type": "string", "description": "The file, from the workspace's folder on." },
            "offset": { "type": "integer", "minimum": 1, "description": "First line to show; 1 without it." },
            "limit": { "type": "integer", "minimum": 1, "description": "Most lines to show." }
        });
        definition("read_file", include_str!("read_file.md"), properties, &["path"])
    }

    fn access(input: &Value) -> Access {
        Access::of(Effect::Read, input, "path")
    }

    fn run(arguments: Arguments, context: &ToolContext, scope: &FileScope) -> Result<ToolOutput, ToolOutput> {
        let path = &arguments.path;
        let (place, _) = AllowedRoots::of(context, scope)?.existing(path)?;
        let (mut file, metadata) = regular::open(&place, path)?;
        let real = &place.real;
        let failed = |error: std::io::Error| allowed_roots::failed("read", path, &error);
        let mut start = Vec::new();
        Read::by_ref(&mut file).take(PROBE).read_to_end(&mut start).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if let Some(kind) = PictureKind::of(&start) {
            note(scope, real, &mut file, &metadata, path)?;
            file.rewind().map_err(failed)?;
            return picture::read(kind, &mut file, &metadata, path);
        }
        if start.contains(&0) {
            // Its content is not shown, but the model has seen what there is to see.
            note(scope, real, &mut file, &metadata, path)?;
            return Err(binary(path, &metadata));
        }
        text(context, scope, &arguments, &place, file, &metadata)
    }
}

/// Records that the model has seen what there is to see of a file.
fn note(
    scope: &FileScope,
    real: &Path,
    file: &mut File,
    metadata: &Metadata,
    path: &str,
) -> Result<(), ToolOutput> {
    match regular::whole(file, metadata, path)? {
        Some(bytes) => scope.ledger().note(real, &bytes),
        None => scope.ledger().note_large(real, metadata),
    }
    Ok(())
}

/// Returns the requested lines and records that the model has read the file.
fn text(
    context: &ToolContext,
    scope: &FileScope,
    arguments: &Arguments,
    place: &FilePlace,
    mut file: File,
    metadata: &Metadata,
) -> Result<ToolOutput, ToolOutput> {
    let path = &arguments.path;
    let first = arguments.offset.unwrap_or(1).max(1);
    let most = arguments.limit.unwrap_or(MAX_LINES).clamp(1, MAX_LINES);
    let stop = || context.cancel.is_cancelled();
    let mut note = "";
    let page = match regular::whole(&mut file, metadata, path)? {
        Some(bytes) => {
            let Current { bytes, keeper } = current(context, place, bytes, path)?;
            scope.ledger().note(&place.real, &bytes);
            note = if keeper == Keeper::Unsaved { UNSAVED } else { "" };
            page(Cursor::new(&bytes), first, most, stop)
        }
        None => {
            scope.ledger().note_large(&place.real, metadata);
            file.rewind().map_err(|error| allowed_roots::failed("read", path, &error))?;
            page(BufReader::with_capacity(256 * 1024, file), first, most, stop)
        }
    };
    let page = page.map_err(|error| allowed_roots::failed("read", path, &error))?;
    let mut output = page.into_output(first);
    output.bytes.extend_from_slice(note.as_bytes());
    Ok(output)
}

fn binary(path: &str, metadata: &Metadata) -> ToolOutput {
    ToolOutput::error(format!(
        "{path} is a binary file of {} bytes; it has no lines to show. Use shell with a program that knows its form, or with od.",
        metadata.len()
    ))
}
