//! Claude Code's session files.
//!
//! One event a line. An answer of the model is several lines with one `message.id`; `parentUuid` makes the lines
//! a tree. Parallel calls are branches of that tree, so the branch of the last line is completed by all lines of
//! its answers and by the results of their calls.

mod branches;
mod fork;
mod live;
mod notes;
mod part;
mod queued;
mod reader;
mod repeats;
mod session_name;
mod usage;

use std::path::Path;

use serde_json::Value;

use super::content::{flag, get, text_of, time};
use super::draft::RecordingDraft;
use super::lines::JsonLines;
use crate::session::SessionPart;

use branches::{BranchLines, grouped};
pub(super) use fork::InheritedLines;
use live::LiveLines;
pub use live::claude_conversation;
pub use part::{ClaudePlace, ClaudeReading, read_claude, read_claude_part};
use queued::{QueuedRequests, attached};
use reader::ClaudeCodeReader;
pub use repeats::ROW_TEXTS;

/// The model's name on messages that Claude Code itself wrote, mostly about failures of the API.
pub const SYNTHETIC_MODEL: &str = "<synthetic>";

/// Reads the lines of a file, and before them what is in the files of other sessions.
pub(super) fn read(path: &Path, lines: &JsonLines, inherited: &InheritedLines) -> RecordingDraft {
    let reader = ClaudeCodeReader::of_file(path);
    read_lines(lines, inherited, reader, None).draft
}

/// What was read of lines.
struct ReadLines {
    draft: RecordingDraft,
    is_subagent: bool,
    /// Lines that are on other branches of the conversation.
    rewound: usize,
    /// Results of calls that are not in the lines.
    orphans: usize,
    /// Texts in the rows of a compaction that the lines before it do not have.
    new_rows: usize,
    /// Requests of the user wait until the model has time.
    is_queued: bool,
}

/// Reads the lines. `is_subagent` says whose they are; `None`: all of the file is read, which tells it.
fn read_lines(
    lines: &JsonLines,
    inherited: &InheritedLines,
    mut reader: ClaudeCodeReader,
    is_subagent: Option<bool>,
) -> ReadLines {
    let LiveLines { values, own, branch, notes, is_subagent } =
        LiveLines::of(&inherited.values, lines, is_subagent);
    inherited.name(&mut reader.draft);
    let is_separate = |value: &Value| flag(value, "isSidechain") && !is_subagent;
    let (kept, mut queued) = (BranchLines::of(&values, &branch), QueuedRequests::of(&values));
    reader.draft.notes = notes;
    let (mut side, mut other) = (Vec::new(), Vec::new());
    let mut on_branch = true;
    for (place, (_, value)) in values.iter().enumerate() {
        reader.draft.inherited = place < own;
        if let Some(text) = queued.by_place.remove(&place).filter(|_| on_branch) {
            reader.draft.now = time(value, "timestamp");
            reader.draft.user(vec![super::content::text(text)]);
        }
        if !says(value) {
            if kept.has_silent(place, value, on_branch) {
                reader.note(value);
            }
        } else if is_separate(value) {
            // What the other session has sent apart from its conversation is in its own file.
            side.extend((place >= own).then_some(place));
        } else {
            on_branch = kept.has(place, value);
            if on_branch {
                reader.take(value);
            } else {
                other.extend((place >= own).then_some(place));
            }
        }
    }
    let (sidechain, rewound) = (side.len(), other.len());
    for (part, apart) in [(SessionPart::Subagent, side), (SessionPart::Rewound, other)] {
        for group in grouped(&values, &apart) {
            reader.add_separate(part, &group);
        }
    }
    if is_subagent {
        reader.name_subagent(values.first().map(|(_, value)| value));
    }
    let (orphans, new_rows) = (reader.orphans, reader.repeats.new_texts);
    let draft = reader.finish(sidechain, rewound);
    ReadLines { draft, is_subagent, rewound, orphans, new_rows, is_queued: queued.is_waiting }
}

fn speaks(value: &Value) -> bool {
    matches!(text_of(value, "type"), Some("user" | "assistant")) && get(value, &["message", "role"]).is_some()
}

/// Returns true if a line is a message, or a request that the user wrote while the model worked.
fn says(value: &Value) -> bool {
    speaks(value) || attached(value).is_some()
}
