//! What a call is called, and what it is about.

use serde_json::Value;

use super::todo::CHECKLIST;
use crate::clean::visible;

/// The verb of a tool. A tool of a server is named with its server; one that is not known has its own name.
pub(crate) fn verb(name: &str) -> String {
    let known = match name {
        "read_file" => "read",
        "grep" => "search",
        "web_search" => "search the web",
        "list_files" | "glob" => "list",
        "edit_file" | "multi_edit" => "edit",
        "write_file" => "write",
        "shell" => "$",
        "read_result" => "recall",
        "remember" | "recall_memo" | "forget" => "memo",
        CHECKLIST => "todo",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    let own = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
    let own = own.map_or_else(|| name.to_owned(), |(server, tool)| format!("{server}/{tool}"));
    visible(&own).replace('\n', " ")
}

/// Returns true for tools that only look: their results are counted, not shown, and successive calls of them are one block.
pub(crate) fn only_reads(name: &str) -> bool {
    matches!(
        name,
        "read_file" | "list_files" | "glob" | "grep" | "fetch" | "read_result" | "query_db" | "tool_search"
    )
}

/// The subject of a call: its command, path, pattern or question, on one line.
pub(crate) fn subject(name: &str, input: &Value) -> String {
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let named = match name {
        "shell" => text("command").map(|command| match command.trim().split_once('\n') {
            // All of it is shown below.
            Some((first, _)) => format!("{first} …"),
            None => command.to_owned(),
        }),
        "grep" => text("pattern").map(|pattern| match text("path") {
            Some(path) => format!("{pattern} in {path}"),
            None => pattern.to_owned(),
        }),
        "agent" => text("title").map(|title| format!("{}: {title}", text("agent").unwrap_or_default())),
        CHECKLIST => Some(String::new()),
        _ => ["path", "command", "url", "query", "pattern", "name", "ref_id", "sql", "job"]
            .into_iter()
            .find_map(text)
            .map(str::to_owned),
    };
    let text = named.unwrap_or_else(|| match input {
        Value::Object(fields) if fields.is_empty() => String::new(),
        Value::Null => String::new(),
        other => other.to_string(),
    });
    visible(&text).replace(['\n', '\t'], " ").trim().to_owned()
}
