//! Which lines of a file belong together: the conversation, and what is apart from it.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::super::content::{get, list, text_of};
use super::says;

/// Maximum number of lines between two messages that say nothing.
const SILENT: usize = 16;

/// Returns true if a line says that the agent has compacted its conversation.
pub(super) fn is_boundary(value: &Value) -> bool {
    text_of(value, "subtype") == Some("compact_boundary")
}

/// The name of the answer that a line is a part of.
pub(super) fn answer_id(value: &Value) -> Option<&str> {
    if text_of(value, "type") != Some("assistant") {
        return None;
    }
    get(value, &["message", "id"])?.as_str()
}

/// The lines that are no copies. When Claude Code continues a session, it may write records again that are in the file
/// already: with the same id, in some versions with another. The number is that of the inherited ones among them.
pub(super) fn unrepeated<'v>(
    inherited: &'v [(usize, Value)],
    own: &'v [(usize, Value)],
) -> (Vec<&'v (usize, Value)>, usize) {
    let (mut ids, mut said) = (HashSet::new(), HashSet::new());
    let mut kept = Vec::with_capacity(inherited.len() + own.len());
    let mut begin = 0;
    for (place, line) in inherited.iter().chain(own).enumerate() {
        if place == inherited.len() {
            begin = kept.len();
        }
        let (_, value) = line;
        let Some(id) = text_of(value, "uuid") else {
            kept.push(line);
            continue;
        };
        // A message of the user has no name of its own: its time tells it.
        let name = answer_id(value).or_else(|| text_of(value, "timestamp"));
        let boundary = value.get("subtype").filter(|kind| *kind == "compact_boundary");
        let content = get(value, &["message", "content"]).or(boundary).map(Value::to_string);
        let is_copy = name.zip(content).is_some_and(|message| !said.insert(message));
        if ids.insert(id) && !is_copy {
            kept.push(line);
        }
    }
    (kept, begin)
}

/// The lines of the branch, and those that complete its answers.
pub(super) struct BranchLines<'a> {
    branch: &'a HashSet<usize>,
    /// The place of its last message.
    leaf: Option<usize>,
    /// The ids of its lines.
    ids: HashSet<&'a str>,
    answers: HashSet<&'a str>,
    calls: HashSet<&'a str>,
}

impl<'a> BranchLines<'a> {
    pub(super) fn of(values: &[&'a (usize, Value)], branch: &'a HashSet<usize>) -> Self {
        let on_branch = values.iter().enumerate().filter(|(place, _)| branch.contains(place));
        let answers: HashSet<&str> = on_branch.filter_map(|(_, (_, value))| answer_id(value)).collect();
        let calls = values
            .iter()
            .filter(|(_, value)| answer_id(value).is_some_and(|id| answers.contains(id)))
            .flat_map(|(_, value)| list(value.get("message").unwrap_or(value), "content"))
            .filter_map(|block| text_of(block, "id"))
            .collect();
        let on_branch = values.iter().enumerate().filter(|(place, _)| branch.contains(place));
        let ids = on_branch.filter_map(|(_, (_, value))| text_of(value, "uuid")).collect();
        Self { branch, leaf: branch.iter().max().copied(), ids, answers, calls }
    }

    /// Returns true if a line that says nothing belongs to the branch. A compaction does if messages of the branch are behind it, or
    /// none at all; any other line follows one of the branch. One without an id goes with the message before it.
    pub(super) fn has_silent(&self, place: usize, value: &Value, is_after_own: bool) -> bool {
        if self.branch.contains(&place) || self.leaf.is_none_or(|leaf| place > leaf) {
            return true;
        }
        if value.get("uuid").is_none() {
            return is_after_own;
        }
        !is_boundary(value) && text_of(value, "parentUuid").is_none_or(|before| self.ids.contains(before))
    }

    pub(super) fn has(&self, place: usize, value: &Value) -> bool {
        let part = answer_id(value).is_some_and(|id| self.answers.contains(id));
        let answers_call = || {
            list(value.get("message").unwrap_or(value), "content")
                .iter()
                .filter_map(|block| text_of(block, "tool_use_id"))
                .any(|id| self.calls.contains(id))
        };
        self.branch.contains(&place) || part || answers_call()
    }
}

/// Lines apart from the conversation, those of one branch or one subagent together, in the order of the file.
pub(super) fn grouped<'a>(values: &[&'a (usize, Value)], apart: &[usize]) -> Vec<Vec<&'a Value>> {
    let ids = values.iter().enumerate();
    let by_id: HashMap<&str, usize> =
        ids.filter_map(|(place, (_, value))| Some((text_of(value, "uuid")?, place))).collect();
    let parent_of = |place: usize| by_id.get(text_of(&values.get(place)?.1, "parentUuid")?).copied();
    let mut groups: BTreeMap<usize, Vec<&Value>> = BTreeMap::new();
    // The line that each line descends from; a line is after the one that it names.
    let mut roots: HashMap<usize, usize> = HashMap::new();
    for place in apart {
        let Some((_, value)) = values.get(*place) else { continue };
        // Between two messages may be lines that say nothing.
        let is_silent = |place: &usize| values.get(*place).is_some_and(|(_, value)| !says(value));
        let mut above = parent_of(*place);
        for _ in 0..SILENT {
            above = above.filter(is_silent).and_then(parent_of).or(above.filter(|place| !is_silent(place)));
        }
        let root = above.and_then(|parent| roots.get(&parent)).copied();
        let root = root.unwrap_or(*place);
        roots.insert(*place, root);
        groups.entry(root).or_default().push(value);
    }
    groups.into_values().collect()
}
