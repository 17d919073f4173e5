//! What a tool call does, guessed from its name and its arguments: tools of many makers are called here.

use serde_json::Value;
use throughline_conversation::{ToolCall, ToolResult, cut_end, cut_start};

/// What a call does, so far as the ledger is concerned.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read(String),
    Edit(Vec<String>),
    Command(String),
    Other,
}

/// Argument names under which tools take a path.
const PATHS: &[&str] = &["path", "file_path", "filePath", "filename", "file", "notebook_path", "target_file"];
/// Argument names under which tools take a command.
const COMMANDS: &[&str] = &["command", "cmd", "script"];
/// Argument names that only a writing tool has.
const CONTENTS: &[&str] = &["content", "new_string", "newString", "new_str", "file_text", "patch", "edits"];
/// Parts of the names of writing tools.
const WRITING: &[&str] = &["write", "edit", "patch", "create", "replace", "insert"];
/// What a line of a patch begins with when it names a file.
const PATCHED: &[&str] = &["*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/"];

pub(super) fn understand(call: &ToolCall) -> Use {
    let patched = patched_files(&call.input);
    if !patched.is_empty() {
        return Use::Edit(patched);
    }
    let name = call.name.to_lowercase();
    if let Some(path) = PATHS.iter().find_map(|key| call.input.get(*key)?.as_str()) {
        let writes = WRITING.iter().any(|part| name.contains(part))
            || CONTENTS.iter().any(|key| call.input.get(*key).is_some());
        if writes {
            return Use::Edit(vec![path.to_owned()]);
        }
        // A search also takes a path, but what it shows is not the file's text.
        let searches = ["pattern", "query", "regex"].iter().any(|key| call.input.get(*key).is_some());
        return if searches { Use::Other } else { Use::Read(path.to_owned()) };
    }
    match COMMANDS.iter().find_map(|key| call.input.get(*key)) {
        Some(Value::String(command)) => Use::Command(command.clone()),
        Some(Value::Array(words)) => {
            Use::Command(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "))
        }
        _ => Use::Other,
    }
}

fn patched_files(input: &Value) -> Vec<String> {
    let texts = input.as_object().into_iter().flat_map(|object| object.values()).filter_map(Value::as_str);
    let mut files = Vec::new();
    for line in texts.filter(|text| PATCHED.iter().any(|mark| text.contains(mark))).flat_map(str::lines) {
        for file in PATCHED.iter().filter_map(|mark| line.strip_prefix(mark)) {
            let file = file.trim().to_owned();
            if !file.is_empty() && !files.contains(&file) {
                files.push(file);
            }
        }
    }
    files
}

/// The exit code that a result tells of, near its start or its end.
pub(super) fn exit_code(result: &ToolResult) -> Option<i64> {
    /// Tools say it in their first or last lines.
    const NEAR: usize = 200;
    let ends = [cut_end(&result.content, NEAR), cut_start(&result.content, NEAR)];
    ends.iter().find_map(|text| {
        let text = text.to_ascii_lowercase();
        ["exit code", "exit status", "exited with code", "exited with"].iter().find_map(|mark| {
            let (_, after) = text.split_once(mark)?;
            let after = after.trim_start_matches([':', ' ', '=', '"', '`', '(']);
            let end =
                after.find(|letter: char| !letter.is_ascii_digit() && letter != '-').unwrap_or(after.len());
            after.get(..end)?.parse().ok()
        })
    })
}

/// The line of a failed result that says what failed.
pub(super) fn failure(content: &str) -> &str {
    /// Looking further costs more than it finds.
    const LOOK: usize = 20_000;
    let lines = || cut_end(content, LOOK).lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = |line: &&str| {
        ["error", "Error", "failed", "panicked", "not found", "No such"]
            .iter()
            .any(|word| line.contains(word))
    };
    lines().find(telling).or_else(|| lines().next()).unwrap_or("no text")
}
