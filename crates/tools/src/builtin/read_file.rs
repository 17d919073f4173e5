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
use super::allowed_roots::{self, AllowedRoots};
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
        let schema = json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "The file, from the workspace's folder on." },
                "offset": { "type": "integer", "minimum": 1, "description": "First line to show; 1 without it." },
                "limit": { "type": "integer", "minimum": 1, "description": "Most lines to show." }
            },
            "required": ["path"],
            "additionalProperties": false
        });
        definition("read_file", include_str!("read_file.md"), schema)
    }

    fn access(input: &Value) -> Access {
        Access::of(Effect::Read, input, "path")
    }

    fn run(arguments: Arguments, context: &ToolContext, scope: &FileScope) -> Result<ToolOutput, ToolOutput> {
        let path = &arguments.path;
        let (place, _) = AllowedRoots::of(context, scope)?.existing(path)?;
        let (mut file, metadata) = regular::open(&place, path)?;
        let real = place.real;
        let failed = |error: std::io::Error| allowed_roots::failed("read", path, &error);
        let mut start = Vec::new();
        Read::by_ref(&mut file).take(PROBE).read_to_end(&mut start).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if let Some(kind) = PictureKind::of(&start) {
            note(scope, &real, &mut file, &metadata, path)?;
            file.rewind().map_err(failed)?;
            return picture::read(kind, &mut file, &metadata, path);
        }
        if start.contains(&0) {
            // Its content is not shown, but the model has seen what there is to see.
            note(scope, &real, &mut file, &metadata, path)?;
            return Err(binary(path, &metadata));
        }
        text(context, scope, &arguments, &real, file, &metadata)
    }
}

/// Records that the model has read the file. Returns its content unless it is too large.
fn note(
    scope: &FileScope,
    real: &Path,
    file: &mut File,
    metadata: &Metadata,
    path: &str,
) -> Result<Option<Vec<u8>>, ToolOutput> {
    let content = regular::whole(file, metadata, path)?;
    match &content {
        Some(bytes) => scope.ledger().note(real, bytes),
        None => scope.ledger().note_large(real, metadata),
    }
    Ok(content)
}

/// Returns the requested lines and records that the model has read the file.
fn text(
    context: &ToolContext,
    scope: &FileScope,
    arguments: &Arguments,
    real: &Path,
    mut file: File,
    metadata: &Metadata,
) -> Result<ToolOutput, ToolOutput> {
    let path = &arguments.path;
    let first = arguments.offset.unwrap_or(1).max(1);
    let most = arguments.limit.unwrap_or(MAX_LINES).clamp(1, MAX_LINES);
    let stop = || context.cancel.is_cancelled();
    let page = match note(scope, real, &mut file, metadata, path)? {
        Some(bytes) => page(Cursor::new(&bytes), first, most, stop),
        None => {
            file.rewind().map_err(|error| allowed_roots::failed("read", path, &error))?;
            page(BufReader::with_capacity(256 * 1024, file), first, most, stop)
        }
    };
    Ok(page.map_err(|error| allowed_roots::failed("read", path, &error))?.into_output(first))
}

fn binary(path: &str, metadata: &Metadata) -> ToolOutput {
    ToolOutput::error(format!(
        "{path} is a binary file of {} bytes; it has no lines to show. Use shell with a program that knows its form, or with od.",
        metadata.len()
    ))
}
