//! pi's session files: one entry a line, in newer versions a tree.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use throughline_conversation::{ContentBlock, Role, ToolResult, Usage};

use super::content::{answer, call, count, flag, list, note, owned, parts, text, text_of, thinking, time};
use super::draft::RecordingDraft;
use super::lines::JsonLines;
use super::tree::{Parent, TreeEntry, last_branch};
use crate::session::SessionPart;

/// Reads the lines.
pub(super) fn read(lines: &JsonLines) -> RecordingDraft {
    let mut draft = RecordingDraft::default();
    let linked = lines.values.iter().any(|(_, value)| value.get("parentId").is_some());
    let branch = linked.then(|| {
        let nodes: Vec<TreeEntry<'_>> = lines.values.iter().map(|(line, value)| node(*line, value)).collect();
        let (branch, notes) = last_branch(&nodes);
        draft.notes = notes;
        branch
    });
    let (mut other, mut unknown) = (0, 0);
    // The entries of each other branch, and where the branch of an entry begins.
    let (mut rewound, mut roots): (BTreeMap<usize, Vec<&Value>>, HashMap<&str, usize>) = Default::default();
    for (place, (_, value)) in lines.values.iter().enumerate() {
        let kind = text_of(value, "type");
        draft.now = time(value, "timestamp");
        if kind == Some("session") {
            draft.id = draft.id.or_else(|| text_of(value, "id").map(str::to_owned));
            draft.named(text_of(value, "modelId"));
        } else if branch.as_ref().is_some_and(|branch| !branch.contains(&place)) {
            other += usize::from(value.get("message").is_some());
            let parent = text_of(value, "parentId").and_then(|id| roots.get(id)).copied();
            let root = parent.unwrap_or(place);
            roots.extend(text_of(value, "id").map(|id| (id, root)));
            rewound.entry(root).or_insert_with(Vec::new).push(value);
        } else {
            unknown += entry(&mut draft, kind, value);
        }
    }
    for lines in rewound.into_values() {
        let mut branch = RecordingDraft::default();
        for value in lines {
            branch.now = time(value, "timestamp");
            entry(&mut branch, text_of(value, "type"), value);
        }
        draft.add_separate(SessionPart::Rewound, None, branch);
    }
    draft.left_out(other, "messages of other branches of the conversation");
    draft.left_out(unknown, "entries or blocks of a kind that is not known");
    draft
}

fn node(line: usize, value: &Value) -> TreeEntry<'_> {
    let head = text_of(value, "type") == Some("session");
    let parent = match (value.get("parentId"), head) {
        (Some(Value::String(id)), _) => Parent::Id(id),
        (Some(_), _) | (None, true) => Parent::Root,
        (None, false) => Parent::Before,
    };
    // The head has an id of its own kind; no entry names it.
    let id = text_of(value, "id").filter(|_| !head);
    TreeEntry { line, id, parent, sidechain: false, leaf: !head }
}

/// Takes an entry, and gives how many parts of it are not known.
fn entry(draft: &mut RecordingDraft, kind: Option<&str>, value: &Value) -> usize {
    match kind {
        Some("message") => value.get("message").map_or(1, |said| message(draft, value, said)),
        Some("compaction") => {
            draft.unshown(entry_name(value), usage(value), true);
            draft.compaction();
            0
        }
        Some("custom_message") => user(draft, value),
        Some("branch_summary") => {
            draft.unshown(entry_name(value), usage(value), false);
            draft.user(vec![text(note(&owned(value, "summary")))]);
            0
        }
        // Settings of the program, and what only its screen shows.
        Some("model_change" | "thinking_level_change" | "custom" | "label" | "session_info") => 0,
        _ => 1,
    }
}

fn message(draft: &mut RecordingDraft, entry: &Value, said: &Value) -> usize {
    match text_of(said, "role") {
        Some("assistant") => assistant(draft, entry, said),
        Some("toolResult") => {
            let (content, images, other) = answer(said.get("content"));
            let (call_id, is_error) = (owned(said, "toolCallId"), flag(said, "isError"));
            draft.result(ToolResult { call_id, content, images, is_error });
            other
        }
        Some("bashExecution") => {
            // A command that the user ran; the model sees it.
            let (command, output) = (owned(said, "command"), owned(said, "output"));
            draft.user(vec![text(note(&format!("The user ran `{command}`:\n```\n{output}\n```")))]);
            0
        }
        Some("user") => user(draft, said),
        _ => 1,
    }
}

fn user(draft: &mut RecordingDraft, said: &Value) -> usize {
    let (content, other) = parts(said.get("content"));
    draft.user(content);
    other
}

fn assistant(draft: &mut RecordingDraft, entry: &Value, said: &Value) -> usize {
    let mut content: Vec<ContentBlock> = Vec::new();
    let mut unknown = 0;
    for block in list(said, "content") {
        match text_of(block, "type") {
            Some("text") => content.push(text(owned(block, "text"))),
            Some("thinking") => {
                content.extend(thinking(
                    &owned(block, "thinking"),
                    text_of(block, "thinkingSignature"),
                    None,
                ));
            }
            Some("toolCall") => {
                content.push(call(owned(block, "id"), owned(block, "name"), block.get("arguments")));
            }
            _ => unknown += 1,
        }
    }
    draft.named(text_of(said, "model"));
    let place = draft.say(Role::Assistant, content, usage(said));
    if let Some(answer) = draft.messages.get_mut(place) {
        // The copy in a fork has the id and the time of the entry. Not every provider names its answers.
        let named = text_of(said, "responseId").map(str::to_owned);
        answer.request.answer = named.or_else(|| entry_name(entry));
    }
    if matches!(text_of(said, "stopReason"), Some("aborted" | "error" | "length")) {
        draft.break_off();
    }
    unknown
}

/// What an entry is known by in a fork, too.
fn entry_name(entry: &Value) -> Option<String> {
    Some(format!("{} {}", text_of(entry, "id")?, owned(entry, "timestamp")))
}

/// The usage of an answer or a summary; `None`: it has none.
fn usage(paid: &Value) -> Option<Usage> {
    let usage = Usage {
        input: count(paid, &["usage", "input"]),
        cache_read: count(paid, &["usage", "cacheRead"]),
        cache_write: count(paid, &["usage", "cacheWrite"]),
        output: count(paid, &["usage", "output"]),
        searches: 0,
    };
    (usage.prompt() > 0).then_some(usage)
}
