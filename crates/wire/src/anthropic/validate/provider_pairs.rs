//! Searches of the provider and their results belong together.

use super::turns::{Block, RoleRun};
use crate::validate::body::{Faults, text};

/// Returns true if the body ends with the model's message and a search in it that the provider is still to run.
pub(super) fn is_continued(turns: &[RoleRun<'_>]) -> bool {
    turns.last().is_some_and(|turn| turn.role == "assistant" && open(turn).next().is_some())
}

/// Each search has a result behind it in its turn, or at the begin of the model's next one if only results of other calls are
/// between them. One that is still to be run may be open at the end.
pub(super) fn check(turns: &[RoleRun<'_>], faults: &mut Faults) {
    let said: Vec<(usize, &RoleRun<'_>)> =
        turns.iter().enumerate().filter(|(_, turn)| turn.role == "assistant").collect();
    for (place, (at, turn)) in said.iter().enumerate() {
        let later = turns.get(at + 1..).unwrap_or_default();
        let continues = later.first().is_none_or(has_only_results);
        let next = said.get(place + 1).filter(|_| continues).map(|(_, next)| *next);
        let at_end = continues && later.len() < 2;
        for search in open(turn) {
            let id = id(search);
            if !at_end && !next.is_some_and(|next| answers(next, id)) {
                let message = format!(
                    "`web_search` tool use with id `{id}` was found without a corresponding `web_search_tool_result` block"
                );
                faults.add(format!("messages.{}", turn.index), message);
            }
        }
        let before = at.checked_sub(1).and_then(|before| turns.get(before));
        let before = before.filter(|turn| has_only_results(turn)).and(place.checked_sub(1));
        let before = before.and_then(|before| said.get(before)).map(|(_, turn)| *turn);
        for (index, result) in turn.blocks.iter().enumerate().filter(|(_, block)| is_result(block)) {
            let asked = text(result.value, "tool_use_id").unwrap_or_default();
            let own = turn.blocks.iter().take(index).any(|block| is_search(block) && id(block) == asked);
            if !own && !before.is_some_and(|turn| open(turn).any(|search| id(search) == asked)) {
                let message = format!(
                    "unexpected `tool_use_id` found in `web_search_tool_result` blocks: {asked}. Each \
                     `web_search_tool_result` block must have a corresponding `server_tool_use` block before it."
                );
                faults.add(result.path.clone(), message);
            }
        }
    }
}

/// Searches of a turn without a result in it.
fn open<'t, 'a>(turn: &'t RoleRun<'a>) -> impl Iterator<Item = &'t Block<'a>> {
    turn.blocks.iter().filter(|block| is_search(block) && !answers(turn, id(block)))
}

fn answers(turn: &RoleRun<'_>, id: &str) -> bool {
    turn.blocks.iter().any(|block| is_result(block) && text(block.value, "tool_use_id") == Some(id))
}

fn has_only_results(turn: &RoleRun<'_>) -> bool {
    turn.role == "user" && turn.blocks.iter().all(|block| block.kind == "tool_result")
}

fn is_search(block: &Block<'_>) -> bool {
    block.kind == "server_tool_use" && text(block.value, "name") == Some("web_search")
}

fn is_result(block: &Block<'_>) -> bool {
    block.kind == "web_search_tool_result"
}

fn id<'a>(block: &Block<'a>) -> &'a str {
    text(block.value, "id").unwrap_or_default()
}
