//! The rules of single blocks.

use serde_json::Value;

use super::turns::{Block, RoleRun};
use crate::anthropic::provider_items::PROVIDER_ITEMS;
use crate::validate::body::{Faults, is_base64, is_picture, is_plain, items, text};

/// Types of blocks that only newer features use and whose content is not checked, next to [`PROVIDER_ITEMS`].
const OTHER: &[&str] = &["document", "search_result"];

/// Checks each block by itself.
pub(super) fn check(turns: &[RoleRun<'_>], faults: &mut Faults) {
    for turn in turns {
        for block in &turn.blocks {
            check_role(turn.role, block, faults);
            check_block(block, faults);
        }
    }
}

fn check_role(role: &str, block: &Block<'_>, faults: &mut Faults) {
    let owner = match block.kind {
        "tool_use" | "thinking" | "redacted_thinking" => "assistant",
        "tool_result" | "image" | "document" => "user",
        _ => return,
    };
    if role != owner {
        let message = format!("`{}` blocks can only be in `{owner}` messages", block.kind);
        faults.add(block.path.clone(), message);
    }
}

fn check_block(block: &Block<'_>, faults: &mut Faults) {
    let (path, value) = (&block.path, block.value);
    match block.kind {
        "text" => check_text(path, block.text(), faults),
        "image" => image(path, value, faults),
        "tool_use" => tool_use(path, value, faults),
        "tool_result" => tool_result(path, value, faults),
        "thinking" => {
            let signed = text(value, "signature").is_some_and(|signature| !signature.is_empty());
            faults.unless(signed, format!("{path}.thinking.signature"), "Field required");
            faults.unless(
                text(value, "thinking").is_some(),
                format!("{path}.thinking.thinking"),
                "Field required",
            );
        }
        "redacted_thinking" => {
            let full = text(value, "data").is_some_and(|data| !data.is_empty());
            faults.unless(full, format!("{path}.redacted_thinking.data"), "Field required");
        }
        other if OTHER.contains(&other) || PROVIDER_ITEMS.contains(&other) => {}
        other => {
            let rule = "found using 'type' does not match any of the expected tags";
            faults.add(path.clone(), format!("Input tag '{other}' {rule}"));
        }
    }
}

fn check_text(path: &str, said: Option<&str>, faults: &mut Faults) {
    match said {
        None => faults.add(format!("{path}.text.text"), "Field required"),
        Some("") => faults.add(path, "text content blocks must be non-empty"),
        Some(text) => {
            faults.unless(
                !text.trim().is_empty(),
                path,
                "text content blocks must contain non-whitespace text",
            );
        }
    }
}

fn image(path: &str, value: &Value, faults: &mut Faults) {
    let Some(source) = value.get("source").filter(|source| source.is_object()) else {
        faults.add(format!("{path}.image.source"), "Field required");
        return;
    };
    if text(source, "type") != Some("base64") {
        return;
    }
    let path = format!("{path}.image.source.base64");
    let known = text(source, "media_type").is_some_and(is_picture);
    let rule = "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'";
    faults.unless(known, format!("{path}.media_type"), rule);
    let good = text(source, "data").is_some_and(is_base64);
    faults.unless(good, format!("{path}.data"), "The image data is no valid base64");
}

fn tool_use(path: &str, value: &Value, faults: &mut Faults) {
    let id = text(value, "id").unwrap_or_default();
    let form = "String should match pattern '^[a-zA-Z0-9_-]+$'";
    faults.unless(is_plain(id, usize::MAX), format!("{path}.tool_use.id"), form);
    let name = text(value, "name").unwrap_or_default();
    let form = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
    faults.unless(is_plain(name, 128), format!("{path}.tool_use.name"), form);
    let object = value.get("input").is_some_and(Value::is_object);
    faults.unless(object, format!("{path}.tool_use.input"), "Input should be a valid dictionary");
}

fn tool_result(path: &str, value: &Value, faults: &mut Faults) {
    let id = text(value, "tool_use_id").unwrap_or_default();
    let form = "String should match pattern '^[a-zA-Z0-9_-]+$'";
    faults.unless(is_plain(id, usize::MAX), format!("{path}.tool_result.tool_use_id"), form);
    if let Some(content) = value.get("content") {
        let rule = "Input should be a valid string or a valid list";
        faults.unless(content.is_string() || content.is_array(), format!("{path}.tool_result.content"), rule);
    }
    if value.get("is_error").and_then(Value::as_bool) == Some(true) {
        failed_result(&format!("{path}.tool_result"), value, faults);
    }
    for (at, part) in items(value, "content").iter().enumerate() {
        let path = format!("{path}.tool_result.content.{at}");
        match text(part, "type").unwrap_or_default() {
            "text" => check_text(&path, text(part, "text"), faults),
            "image" => image(&path, part, faults),
            "document" | "search_result" | "tool_reference" => {}
            other => {
                let rule = "found using 'type' does not match any of the expected tags";
                faults.add(path, format!("Input tag '{other}' {rule}"));
            }
        }
    }
}

/// A failed result has a text.
fn failed_result(path: &str, value: &Value, faults: &mut Faults) {
    let parts = items(value, "content");
    let says = !parts.is_empty() || text(value, "content").is_some_and(|said| !said.is_empty());
    faults.unless(says, path, "content cannot be empty if `is_error` is true");
    let words = parts.iter().all(|part| text(part, "type") == Some("text"));
    faults.unless(words, path, "all content must be type `text` if `is_error` is true");
}
