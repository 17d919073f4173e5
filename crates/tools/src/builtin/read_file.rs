//! Reads a file: text numbered and bounded, a picture as a picture.

mod page;
mod picture;

use std::fs::{File, Metadata};
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use self::page::{MAX_LINES, page};
use super::confine::{self, Grounds};
use super::{blocking, definition, regular};
use crate::{Access, Effect, FileScope, PictureKind, Tool, ToolContext, ToolOutput, arguments};

/// A zero byte among this many at the start makes a file binary (the rule that git and grep use).
const PROBE: u64 = 8 * 1024;

/// `read_file`: shows a text file with line numbers, at most 2,000 lines or 50 KiB at once, or a picture.
#[derive(Debug, Clone, Default)]
pub struct ReadFileTool {
    scope: FileScope,
}

impl ReadFileTool {
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
    #[serde(default)]
    offset: Option<u64>,
    #[serde(default)]
    limit: Option<u64>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "description": "The file, from the workspace's folder on." },
            "offset": { "type": "integer", "minimum": 1, "description": "First line to show; 1 without it." },
            "limit": { "type": "integer", "minimum": 1, "description": "Most lines to show." }
        },
        "required": ["path"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for ReadFileTool {
    fn definition(&self) -> ToolDefinition {
        definition("read_file", include_str!("read_file.md"), schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Read, &call.input, "path")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let scope = self.scope.clone();
        blocking(context, move |context| read(&context, &scope, &wanted)).await
    }
}

fn read(context: &ToolContext, scope: &FileScope, wanted: &Arguments) -> Result<ToolOutput, ToolOutput> {
    let path = &wanted.path;
    let real = Grounds::of(context, scope)?.existing(path)?;
    let (mut file, metadata) = regular::open(&real, path)?;
    let failed = |error: std::io::Error| confine::failed("read", path, &error);
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(PROBE).read_to_end(&mut start).map_err(failed)?;
    file.rewind().map_err(failed)?;
    if let Some(kind) = PictureKind::of(&start) {
        note(scope, &real, &mut file, &metadata, path)?;
        file.rewind().map_err(failed)?;
        return picture::read(kind, &mut file, &metadata, path);
    }
    if start.contains(&0) {
        // There is no more to know of it.
        note(scope, &real, &mut file, &metadata, path)?;
        return Err(binary(path, &metadata));
    }
    text(context, scope, wanted, &real, file, &metadata)
}

/// The model knows the file. Gives its content, unless it is too large.
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

/// The lines that were asked for; the model then knows the file.
fn text(
    context: &ToolContext,
    scope: &FileScope,
    wanted: &Arguments,
    real: &Path,
    mut file: File,
    metadata: &Metadata,
) -> Result<ToolOutput, ToolOutput> {
    let path = &wanted.path;
    let first = wanted.offset.unwrap_or(1).max(1);
    let most = wanted.limit.unwrap_or(MAX_LINES).clamp(1, MAX_LINES);
    let stop = || context.cancel.is_cancelled();
    let page = match note(scope, real, &mut file, metadata, path)? {
        Some(bytes) => page(Cursor::new(&bytes), first, most, stop),
        None => {
            file.rewind().map_err(|error| confine::failed("read", path, &error))?;
            page(BufReader::with_capacity(256 * 1024, file), first, most, stop)
        }
    };
    Ok(page.map_err(|error| confine::failed("read", path, &error))?.shown(first))
}

fn binary(path: &str, metadata: &Metadata) -> ToolOutput {
    ToolOutput::error(format!(
        "{path} is a binary file of {} bytes; it has no lines to show. Use shell with a program that knows its form, or with od.",
        metadata.len()
    ))
}
