//! What a call changes, in its place in the file.

use std::path::Path;

use serde_json::Value;
use throughline_tui::EditExcerpt;

/// Lines before and after a change that are shown with it.
const AROUND: usize = 3;
/// Larger files are not read for an excerpt, in bytes.
const MAX_FILE_BYTES: u64 = 2_000_000;

/// What a call will change, before it runs; `None` if the file cannot be read, or the change is of another kind.
pub(super) async fn excerpt(workspace: &Path, tool: &str, input: &Value) -> Option<EditExcerpt> {
    if !matches!(tool, "edit_file" | "write_file") {
        return None;
    }
    let file = workspace.join(input.get("path")?.as_str()?);
    let size = tokio::fs::metadata(&file).await.ok().filter(std::fs::Metadata::is_file)?.len();
    if size > MAX_FILE_BYTES {
        return None;
    }
    let content = tokio::fs::read_to_string(&file).await.ok()?;
    if tool == "edit_file" {
        return edited(&content, input);
    }
    let new = input.get("content")?.as_str()?.to_owned();
    Some(EditExcerpt { first_line: 1, old: content, new })
}

/// The lines around the first place of an edit's text. `None` if the text is not in the file.
fn edited(content: &str, input: &Value) -> Option<EditExcerpt> {
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let (old, new) = (text("old_string").filter(|old| !old.is_empty())?, text("new_string")?);
    let at = content.find(old)?;
    let (before, rest) = content.split_at_checked(at)?;
    let after = rest.get(old.len()..)?;
    let from = start_of_lines(before, AROUND);
    let upto = end_of_lines(after, AROUND);
    let (lead, trail) = (before.get(from..)?, after.get(..upto)?);
    let first_line = before.get(..from)?.matches('\n').count() + 1;
    Some(EditExcerpt { first_line, old: format!("{lead}{old}{trail}"), new: format!("{lead}{new}{trail}") })
}

/// Where the line begins that is this many lines before the end of a text.
fn start_of_lines(text: &str, lines: usize) -> usize {
    text.rmatch_indices('\n').nth(lines).map_or(0, |(at, _)| at + 1)
}

/// Where the line ends that is this many lines behind the start of a text.
fn end_of_lines(text: &str, lines: usize) -> usize {
    text.match_indices('\n').nth(lines).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests;
