//! Reads a file, numbered and bounded.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Result as IoResult};
use std::path::Path;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition, cut_end};

use super::{blocking, confine, definition};
use crate::{Access, Effect, Tool, ToolContext, ToolOutput, arguments};

/// Most lines of one answer.
const MAX_LINES: u64 = 2_000;

/// Most bytes of one answer, line numbers included.
const MAX_BYTES: usize = 50 * 1024;

/// A zero byte among this many at the start makes a file binary (the rule that git and grep use).
const PROBE: usize = 8 * 1024;

/// `read_file`: shows a text file with line numbers, at most 2,000 lines or 50 KiB at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadFileTool;

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
        blocking(context, move |context| read(&context, &wanted)).await
    }
}

fn read(context: &ToolContext, wanted: &Arguments) -> Result<ToolOutput, ToolOutput> {
    let real = confine::existing(&context.workspace, &wanted.path)?;
    let failed = |error: std::io::Error| confine::failed("read", &wanted.path, &error);
    if real.is_dir() {
        let text = format!("{} is a folder. list_files shows what is in it.", wanted.path);
        return Err(ToolOutput::error(text));
    }
    if is_binary(&real).map_err(failed)? {
        let bytes = real.metadata().map_err(failed)?.len();
        let text = format!("{} is a binary file of {bytes} bytes; it has no lines to show.", wanted.path);
        return Err(ToolOutput::error(text));
    }
    let first = wanted.offset.unwrap_or(1).max(1);
    let most = wanted.limit.unwrap_or(MAX_LINES).clamp(1, MAX_LINES);
    let file = BufReader::new(File::open(&real).map_err(failed)?);
    let page = page(file, first, most, || context.cancel.is_cancelled()).map_err(failed)?;
    Ok(shown(page, first))
}

fn is_binary(path: &Path) -> IoResult<bool> {
    let mut start = Vec::with_capacity(PROBE);
    File::open(path)?.take(PROBE as u64).read_to_end(&mut start)?;
    Ok(start.contains(&0))
}

/// The lines that were asked for. `next` is the first line that is left, when there are more.
#[derive(Debug, Default)]
struct Page {
    text: String,
    lines: u64,
    next: Option<u64>,
    cut_line: bool,
}

fn page(mut file: impl BufRead, first: u64, most: u64, stop: impl Fn() -> bool) -> IoResult<Page> {
    let mut page = Page::default();
    let mut shown: u64 = 0;
    let mut line = Vec::new();
    loop {
        if stop() {
            return Err(ErrorKind::Interrupted.into());
        }
        line.clear();
        // A line may be larger than memory. One byte more than fits is enough to know that it must be cut.
        let kept = Read::by_ref(&mut file).take(MAX_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        if kept == 0 {
            return Ok(page);
        }
        if kept > MAX_BYTES && line.last() != Some(&b'\n') {
            file.skip_until(b'\n')?;
        }
        page.lines += 1;
        if page.lines < first {
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        let number = format!("{:>6}\t", page.lines);
        let room = MAX_BYTES.saturating_sub(page.text.len() + number.len() + 1);
        if shown == most || (text.len() > room && shown > 0) {
            page.next = Some(page.lines);
            return Ok(page);
        }
        let part = cut_end(text, room);
        page.cut_line |= part.len() < text.len();
        page.text.push_str(&number);
        page.text.push_str(part);
        page.text.push('\n');
        shown += 1;
    }
}

fn shown(page: Page, first: u64) -> ToolOutput {
    let Page { mut text, lines, next, cut_line } = page;
    if text.is_empty() {
        return match lines {
            0 => ToolOutput::text("[the file is empty]"),
            lines => {
                ToolOutput::error(format!("The file has {lines} lines; line {first} is behind its end."))
            }
        };
    }
    if cut_line {
        text.push_str("[a line was too long and was cut; shell with `cut -c` shows its rest]\n");
    }
    match next {
        Some(next) => text.push_str(&format!("[more follows: go on with offset {next}]")),
        None => text.push_str(&format!("[end of file: {lines} lines]")),
    }
    ToolOutput::text(text)
}
