//! Calls and results belong together.

use std::collections::HashSet;

use super::turns::{Block, RoleRun};
use crate::validate::body::{Faults, text};

/// Each call is answered in the next turn, before anything else there, and each result answers a call of the turn
/// before.
pub(super) fn check(turns: &[RoleRun<'_>], faults: &mut Faults) {
    let mut seen = HashSet::new();
    for (at, turn) in turns.iter().enumerate() {
        let calls: Vec<&str> = calls(turn).map(|(_, id)| id).collect();
        for (block, id) in self::calls(turn) {
            faults.unless(seen.insert(id), block.path.clone(), "`tool_use` ids must be unique");
        }
        let next = turns.get(at + 1).filter(|next| next.role == "user");
        let answered: HashSet<&str> = next.into_iter().flat_map(leading_results).collect();
        let missing: Vec<&str> = calls.iter().filter(|id| !answered.contains(**id)).copied().collect();
        if !missing.is_empty() {
            let message = format!(
                "`tool_use` ids were found without `tool_result` blocks immediately after: {}. Each `tool_use` \
                 block must have a corresponding `tool_result` block in the next message.",
                missing.join(", ")
            );
            faults.add(format!("messages.{}", turn.index), message);
        }
        let before = at.checked_sub(1).and_then(|before| turns.get(before));
        results(turn, before, faults);
    }
}

fn results(turn: &RoleRun<'_>, before: Option<&RoleRun<'_>>, faults: &mut Faults) {
    let asked: HashSet<&str> = before.into_iter().flat_map(calls).map(|(_, id)| id).collect();
    let mut answered = HashSet::new();
    for block in turn.blocks.iter().filter(|block| block.kind == "tool_result") {
        let id = text(block.value, "tool_use_id").unwrap_or_default();
        if !asked.contains(id) {
            let message = format!(
                "unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a \
                 corresponding `tool_use` block in the previous message."
            );
            faults.add(block.path.clone(), message);
        } else if !answered.insert(id) {
            let rule =
                "each tool_use must have a single result. Found multiple `tool_result` blocks with id:";
            faults.add(block.path.clone(), format!("{rule} {id}"));
        }
    }
}

fn calls<'t, 'a>(turn: &'t RoleRun<'a>) -> impl Iterator<Item = (&'t Block<'a>, &'a str)> {
    let calls = turn.blocks.iter().filter(|block| block.kind == "tool_use");
    calls.map(|block| (block, text(block.value, "id").unwrap_or_default()))
}

/// Ids of the results that stand before any other block.
fn leading_results<'t, 'a>(turn: &'t RoleRun<'a>) -> impl Iterator<Item = &'a str> + use<'t, 'a> {
    let leading = turn.blocks.iter().take_while(|block| block.kind == "tool_result");
    leading.map(|block| text(block.value, "tool_use_id").unwrap_or_default())
}
