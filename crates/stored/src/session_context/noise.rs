//! What must not be in a context: names and errors that say nothing of the work.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;
use throughline_conversation::{ContentBlock, Entry, EntryKind, is_agent_note, without_wrappers};
use throughline_documents::HandoffLedger;
use throughline_ledger::ErrorNote;

/// What agents write as the result of a call that their user did not allow.
const REJECTED: [&str; 6] = [
    "doesn't want to proceed",
    "doesn't want to take this action",
    "tool use was rejected",
    "rejected by user",
    "request interrupted by user",
    "user rejected",
];

/// What an error says of a file that was looked for and is missing.
const ABSENT: [&str; 4] = ["does not exist", "no such file", "file not found", "cannot find the file"];

/// The open errors of a handoff, one text each. Left out are calls that the user did not allow, files that were looked for and
/// are missing, and commands of which a later attempt has succeeded.
pub(super) fn open_errors(ledger: &HandoffLedger) -> Vec<String> {
    let open = ledger.errors.iter().filter(|error| !is_noise(error) && !is_repaired(ledger, error));
    open.map(|error| format!("{} {}: {}", error.tool, error.about, without_wrappers(&error.text))).collect()
}

fn is_noise(error: &ErrorNote) -> bool {
    let text = error.text.to_lowercase();
    REJECTED.iter().chain(&ABSENT).any(|words| text.contains(words))
}

/// Returns true if a command of the same program and kind has succeeded after the one that failed.
fn is_repaired(ledger: &HandoffLedger, error: &ErrorNote) -> bool {
    let kind =
        |command: &str| -> Vec<String> { command.split_whitespace().take(2).map(str::to_owned).collect() };
    let failed = kind(&error.about);
    let same = |command: &str| command.replace('"', "'").starts_with(error.about.trim_end_matches('…'));
    let at = ledger.commands.iter().position(|note| same(&note.command));
    let after = ledger.commands.iter().skip(at.map_or(0, |at| at + 1));
    failed.len() == 2 && after.filter(|note| !note.failed).any(|note| kind(&note.command) == failed)
}

/// Entries without what agents add to messages and results, and without their notes.
pub(super) fn plain_entries(entries: &[Entry]) -> Vec<Entry> {
    let plain = |entry: &Entry| {
        let mut entry = entry.clone();
        if entry.kind == EntryKind::User {
            let is_note =
                |block: &ContentBlock| matches!(block, ContentBlock::Text { text } if is_agent_note(text));
            Arc::make_mut(&mut entry.message).content.retain(|block| !is_note(block));
        }
        unwrapped(&entry)
    };
    entries.iter().map(plain).collect()
}

/// An entry without the elements that agents add to messages and results.
pub(crate) fn unwrapped(entry: &Entry) -> Entry {
    let mut entry = entry.clone();
    for block in &mut Arc::make_mut(&mut entry.message).content {
        match block {
            ContentBlock::Text { text } => *text = without_wrappers(text).into_owned(),
            ContentBlock::ToolResult(result) => {
                result.content = without_wrappers(&result.content).into_owned();
            }
            _ => {}
        }
    }
    entry
}

/// Names that are of the agent's tools and not of the work: arguments, states of steps, and broken escapes.
pub(super) fn without_tool_names(names: Vec<String>, entries: &[Entry]) -> Vec<String> {
    const STATES: [&str; 3] = ["in_progress", "pending", "completed"];
    let mut arguments: HashSet<&str> = STATES.into_iter().collect();
    for call in entries.iter().flat_map(|entry| entry.message.tool_calls()) {
        arguments.insert(&call.name);
        keys(&call.input, &mut arguments);
    }
    let is_work = |name: &String| {
        let bare = name.trim_start_matches(['/', '<']).trim_end_matches('>');
        !arguments.contains(bare) && !name.contains(['\n', '\\', '<', '>'])
    };
    names.into_iter().filter(is_work).collect()
}

fn keys<'v>(value: &'v Value, found: &mut HashSet<&'v str>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(key);
                keys(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}
