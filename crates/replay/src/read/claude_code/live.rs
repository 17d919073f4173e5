//! The lines of the conversation, without those of branches that the user has rewound.

use std::collections::HashSet;

use serde_json::Value;

use super::super::content::{flag, text_of};
use super::super::lines::JsonLines;
use super::super::tree::{Parent, TreeEntry, last_branch};
use super::branches::{BranchLines, is_boundary, unrepeated};
use super::{says, speaks};

/// The lines of a file without copies, and which of them are the conversation.
pub(super) struct LiveLines<'v> {
    pub(super) values: Vec<&'v (usize, Value)>,
    /// The place of the first that is not from the file of another session.
    pub(super) own: usize,
    /// The places of the newest branch.
    pub(super) branch: HashSet<usize>,
    /// Notes on broken links.
    pub(super) notes: Vec<String>,
    /// All of it is the work of a subagent.
    pub(super) is_subagent: bool,
}

impl<'v> LiveLines<'v> {
    /// Those of a file, behind those of other files. `is_subagent` says whose they are; `None`: all of the file is there, which tells it.
    pub(super) fn of(
        inherited: &'v [(usize, Value)],
        lines: &'v JsonLines,
        is_subagent: Option<bool>,
    ) -> Self {
        let (values, own) = unrepeated(inherited, &lines.values);
        // The file of a subagent has nothing but lines of a side conversation.
        let mut spoken = values.iter().filter(|(_, value)| speaks(value)).peekable();
        let is_subagent = is_subagent.unwrap_or_else(|| {
            spoken.peek().is_some() && spoken.all(|(_, value)| flag(value, "isSidechain"))
        });
        let is_separate = |value: &Value| flag(value, "isSidechain") && !is_subagent;
        let nodes: Vec<TreeEntry<'_>> =
            values.iter().map(|(line, value)| node(*line, value, is_separate(value))).collect();
        let (branch, notes) = last_branch(&nodes);
        drop(nodes);
        Self { values, own, branch, notes, is_subagent }
    }
}

/// The lines of the conversation of a transcript of Claude Code, in the order of the file: without copies, and without what the user
/// has rewound.
#[must_use]
pub fn claude_conversation(bytes: &[u8]) -> Vec<Value> {
    let lines = JsonLines::of(bytes);
    let LiveLines { values, branch, .. } = LiveLines::of(&[], &lines, None);
    let kept = BranchLines::of(&values, &branch);
    let mut on_branch = true;
    let mut live = Vec::new();
    for (place, (_, value)) in values.iter().enumerate() {
        let is_live = if says(value) {
            on_branch = kept.has(place, value);
            on_branch
        } else {
            kept.has_silent(place, value, on_branch)
        };
        live.extend(is_live.then(|| value.clone()));
    }
    live
}

fn node(line: usize, value: &Value, sidechain: bool) -> TreeEntry<'_> {
    let boundary = is_boundary(value) || flag(value, "isCompactSummary");
    let logical = text_of(value, "logicalParentUuid");
    let parent = match text_of(value, "parentUuid").or(logical) {
        Some(id) => Parent::Id(id),
        // A compaction begins a new tree; the messages that it replaced are before it in the file.
        None if boundary || value.get("uuid").is_none() => Parent::Before,
        None => Parent::Root,
    };
    let id = text_of(value, "uuid");
    TreeEntry { line, id, parent, sidechain, leaf: says(value) }
}
