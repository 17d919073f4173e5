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
    if !matches!(tool, "edit_file" | "multi_edit" | "write_file") {
        return None;
    }
    let file = workspace.join(input.get("path")?.as_str()?);
    let size = tokio::fs::metadata(&file).await.ok().filter(std::fs::Metadata::is_file)?.len();
    if size > MAX_FILE_BYTES {
        return None;
    }
    changed(&tokio::fs::read_to_string(&file).await.ok()?, tool, input)
}

/// The lines that a call changes in this content, and those around them. `None` if a text that it replaces is missing.
fn changed(content: &str, tool: &str, input: &Value) -> Option<EditExcerpt> {
    match tool {
        "write_file" => Some(around(content, input.get("content")?.as_str()?)),
        "multi_edit" => {
            let edits = input.get("edits")?.as_array()?;
            let new =
                edits.iter().try_fold(content.to_owned(), |text, edit| Some(replaced(&text, edit)?.0))?;
            Some(around(content, &new))
        }
        _ => {
            let (new, places) = replaced(content, input)?;
            Some(around(content, &new).in_places(places))
        }
    }
}

/// The content after an edit, and in how many places it was changed.
fn replaced(content: &str, edit: &Value) -> Option<(String, usize)> {
    let text = |key: &str| edit.get(key).and_then(Value::as_str);
    let (old, new) = (text("old_string").filter(|old| !old.is_empty())?, text("new_string")?);
    match content.matches(old).count() {
        0 => None,
        places if edit.get("replace_all").and_then(Value::as_bool) == Some(true) => {
            Some((content.replace(old, new), places))
        }
        _ => Some((content.replacen(old, new, 1), 1)),
    }
}

/// The lines from the first to the last change, and some around them.
fn around(old: &str, new: &str) -> EditExcerpt {
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old_lines, new_lines) = (lines(old), lines(new));
    let both = old_lines.len().min(new_lines.len());
    let before = old_lines.iter().zip(&new_lines).take_while(|(old, new)| old == new).count();
    let behind = old_lines.iter().rev().zip(new_lines.iter().rev());
    let after = behind.take(both - before).take_while(|(old, new)| old == new).count();
    let (skipped, dropped) = (before.saturating_sub(AROUND), after.saturating_sub(AROUND));
    let part = |lines: &[String]| lines.get(skipped..lines.len() - dropped).unwrap_or_default().concat();
    EditExcerpt::new(skipped + 1, part(&old_lines), part(&new_lines))
}

#[cfg(test)]
mod tests;
