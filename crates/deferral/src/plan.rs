//! The plan: which tools fit the room that descriptions may take.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use throughline_conversation::{TokenCounter, ToolDefinition};

use crate::call_tool::CALL_TOOL;

/// The input of a plan.
pub(crate) struct Facts<'a> {
    /// All tools. Of several with one name the first in order of origin counts.
    pub(crate) catalogue: &'a [ToolDefinition],
    /// Turn of the last use, by tool.
    pub(crate) last_used: &'a BTreeMap<String, u64>,
    /// Tools that stay whatever the room.
    pub(crate) pinned: &'a BTreeSet<&'a str>,
    /// Tokens that descriptions may take.
    pub(crate) budget: u64,
}

/// A tool that is to be described, and its tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen<'a> {
    /// The tool.
    pub(crate) tool: &'a ToolDefinition,
    /// Tokens of its description.
    pub(crate) tokens: u64,
}

/// The tools that are to be described, by origin and then by name, so that the order in which a catalogue was
/// put together does not show.
///
/// While all of them are over the budget, the next is deferred: MCP tools before those of skills, within a
/// class the longest unused first and those that were never used before all others, by name. Built-in and
/// pinned tools stay, even if they alone are over the budget. `call_tool` is there only if something is deferred.
pub(crate) fn plan<'a>(facts: &Facts<'a>, counter: &dyn TokenCounter) -> Vec<Chosen<'a>> {
    let mut tools: Vec<&ToolDefinition> = facts.catalogue.iter().collect();
    tools.sort_by(|a, b| (a.origin, &a.name).cmp(&(b.origin, &b.name)));
    let mut names = BTreeSet::new();
    tools.retain(|tool| names.insert(tool.name.as_str()));
    let chosen: Vec<Chosen<'a>> =
        tools.into_iter().map(|tool| Chosen { tool, tokens: counter.tool(tool) }).collect();

    // Without deferred tools nothing calls it.
    let helper = chosen.iter().find(|one| one.tool.name == CALL_TOOL).map_or(0, |one| one.tokens);
    let all = chosen.iter().fold(0, |sum: u64, one| sum.saturating_add(one.tokens));
    let without = all.saturating_sub(helper);
    let mut total = if without <= facts.budget { without } else { all };
    let may_go =
        |one: &&Chosen<'a>| one.tool.origin.is_deferrable() && !facts.pinned.contains(one.tool.name.as_str());
    let mut order: Vec<&Chosen<'a>> = chosen.iter().filter(may_go).collect();
    order.sort_by_key(|one| {
        let name = one.tool.name.as_str();
        (Reverse(one.tool.origin), facts.last_used.get(name), name)
    });
    let mut deferred = BTreeSet::new();
    for one in order {
        if total <= facts.budget {
            break;
        }
        total = total.saturating_sub(one.tokens);
        deferred.insert(one.tool.name.as_str());
    }
    let stays = |one: &Chosen<'a>| {
        let name = one.tool.name.as_str();
        !deferred.contains(name) && (name != CALL_TOOL || !deferred.is_empty())
    };
    chosen.into_iter().filter(stays).collect()
}

#[cfg(test)]
mod tests;
