//! The effect of a tool call, inferred from its name and its arguments: the tools of many agents are recognized.

use serde_json::Value;
use throughline_conversation::ToolCall;

use crate::change::{FileChange, of_arguments};
use crate::patch::of_patches;

/// The effect of a call, as far as the ledger is concerned.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Shows a file.
    Read(String),
    /// Changes files.
    Edit(Vec<FileChange>),
    /// Runs a command.
    Command(String),
    /// Anything else.
    Other,
}

/// Argument names under which tools take a path.
const PATHS: &[&str] = &["path", "file_path", "filePath", "filename", "file", "notebook_path", "target_file"];
/// Argument names under which tools take a command.
const COMMANDS: &[&str] = &["command", "cmd", "script"];
/// Argument names that only a writing tool has.
const CONTENTS: &[&str] = &[
    "content",
    "new_string",
    "newString",
    "new_str",
    "newText",
    "file_text",
    "insert_text",
    "patch",
    "edits",
    "replacement_text",
];
/// Parts of the names of writing tools.
const WRITING: &[&str] = &["write", "edit", "patch", "create", "replace", "insert"];

/// The file whose text a call shows. `None`: it does something else, or runs a command.
#[must_use]
pub fn file_shown(call: &ToolCall) -> Option<String> {
    match understand(call) {
        Use::Read(path) => Some(path),
        _ => None,
    }
}

/// What a call is about, for a reader: the path, the whole command, or else its first text.
#[must_use]
pub fn subject(call: &ToolCall) -> String {
    match understand(call) {
        Use::Command(command) => command,
        done => about(call, &done).to_owned(),
    }
}

pub(crate) fn understand(call: &ToolCall) -> Use {
    let patched = of_patches(&call.input);
    if !patched.is_empty() {
        return Use::Edit(patched);
    }
    let name = call.name.to_lowercase();
    if let Some(path) = PATHS.iter().find_map(|key| call.input.get(*key)?.as_str()) {
        // One tool of several makers has its verb in an argument.
        let verb = call.input.get("command").and_then(Value::as_str);
        if verb == Some("view") {
            return Use::Read(path.to_owned());
        }
        let writes = WRITING.iter().any(|part| name.contains(part))
            || CONTENTS.iter().any(|key| call.input.get(*key).is_some());
        if writes {
            let created = name.contains("create") || verb == Some("create");
            return Use::Edit(vec![of_arguments(path, &call.input, created)]);
        }
        // A search also takes a path, but what it shows is not the file's text.
        let searches = ["pattern", "query", "regex"].iter().any(|key| call.input.get(*key).is_some());
        return if searches { Use::Other } else { Use::Read(path.to_owned()) };
    }
    command(&call.input).map_or(Use::Other, Use::Command)
}

fn command(input: &Value) -> Option<String> {
    match COMMANDS.iter().find_map(|key| input.get(*key))? {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
        _ => None,
    }
}

/// What a call works at: the path, what its command does, or else its first text. Two calls of one tool that work at the same
/// are tries of the same.
pub(crate) fn about<'c>(call: &'c ToolCall, done: &'c Use) -> &'c str {
    match done {
        Use::Read(path) => path,
        Use::Edit(changes) => changes.first().map_or("", |change| change.path.as_str()),
        Use::Command(command) => work(command),
        Use::Other => {
            let values = call.input.as_object().into_iter().flat_map(|object| object.values());
            values.filter_map(Value::as_str).next().unwrap_or_default()
        }
    }
}

/// The part of a command line that does the work: without the change of folder before it, and without what becomes
/// of its output.
pub(crate) fn work(command: &str) -> &str {
    let mut rest = command.trim();
    while let Some((_, after)) = rest
        .split_once("&&")
        .filter(|(before, _)| before.trim_start().starts_with("cd ") && !before.contains('\n'))
    {
        rest = after.trim_start();
    }
    let end = ["2>&1", "| tail", "| head"].iter().filter_map(|mark| rest.find(mark)).min();
    let cut = end.and_then(|end| rest.get(..end)).unwrap_or(rest).trim_end();
    if cut.is_empty() { rest } else { cut }
}

#[cfg(test)]
mod tests;
