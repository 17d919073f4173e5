//! Replaces a text in a file.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};

use super::near_miss::near_miss;
use super::replace_file::replace_file;
use super::{blocking, confine, definition};
use crate::{Access, Effect, Tool, ToolContext, ToolOutput, arguments};

/// `edit_file`: replaces a text that stands in a file exactly, and once unless all places are meant.
#[derive(Debug, Clone, Copy, Default)]
pub struct EditFileTool;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "description": "The file, from the workspace's folder on." },
            "old_string": { "type": "string", "description": "The text as it stands in the file." },
            "new_string": { "type": "string", "description": "The text to put in its place; may be empty." },
            "replace_all": { "type": "boolean", "description": "Change every place; only one without it." }
        },
        "required": ["path", "old_string", "new_string"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for EditFileTool {
    fn definition(&self) -> ToolDefinition {
        definition("edit_file", include_str!("edit_file.md"), schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Edit, &call.input, "path")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        blocking(context, move |context| edit(&context, &wanted)).await
    }
}

fn edit(context: &ToolContext, wanted: &Arguments) -> Result<ToolOutput, ToolOutput> {
    let Arguments { path, old_string, new_string, .. } = wanted;
    let real = confine::existing(&context.workspace, path)?;
    let bytes = std::fs::read(&real).map_err(|error| confine::failed("read", path, &error))?;
    let Ok(text) = String::from_utf8(bytes) else {
        let why =
            format!("{path} is no UTF-8 text, so it cannot be edited. Use shell with a fitting program.");
        return Err(ToolOutput::error(why));
    };
    let lines = check(wanted, &text).map_err(ToolOutput::error)?;
    let changed = text.replace(old_string, new_string);
    replace_file(&real, changed.as_bytes()).map_err(|error| confine::failed("write", path, &error))?;
    let places = if lines.len() == 1 { "place" } else { "places" };
    Ok(ToolOutput::text(format!("Edited {path}: {} {places}, {}.", lines.len(), at_lines(&lines))))
}

/// The lines (from 1) at which the old text stands, or why the edit cannot be made.
fn check(wanted: &Arguments, text: &str) -> Result<Vec<usize>, String> {
    let Arguments { path, old_string, new_string, replace_all } = wanted;
    if old_string.is_empty() {
        return Err(
            "old_string is empty. Name the text to replace; write_file writes a whole file.".to_owned()
        );
    }
    if old_string == new_string {
        return Err("old_string and new_string are the same: nothing would change.".to_owned());
    }
    let lines = line_numbers(text, old_string);
    match lines.len() {
        0 => Err(format!("old_string is not in {path}. {}", near_miss(text, old_string))),
        1 => Ok(lines),
        _ if *replace_all => Ok(lines),
        count => Err(format!(
            "old_string stands {count} times in {path}, {}. Add lines around it until it is unique, or set replace_all.",
            at_lines(&lines)
        )),
    }
}

fn line_numbers(text: &str, wanted: &str) -> Vec<usize> {
    let mut line = 1;
    let mut parts = text.split(wanted);
    let mut found = Vec::new();
    let mut before = parts.next();
    for after in parts {
        line += before.map_or(0, newlines);
        found.push(line);
        line += newlines(wanted);
        before = Some(after);
    }
    found
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

fn at_lines(lines: &[usize]) -> String {
    /// More numbers than this say less.
    const MOST: usize = 10;
    let numbers: Vec<String> = lines.iter().take(MOST).map(usize::to_string).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let more = if lines.len() > MOST { " and more" } else { "" };
    format!("{word} {}{more}", numbers.join(", "))
}
