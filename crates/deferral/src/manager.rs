//! The manager: what the model sees now, what it found, what it used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use throughline_conversation::{TokenCounter, ToolDefinition};

use crate::active::Active;
use crate::call_tool::CALL_TOOL;
use crate::plan::{Facts, plan};
use crate::policy::DeferralPolicy;
use crate::ranker::{RankError, ToolRanker};
use crate::search_tool::TOOL_SEARCH;
use crate::tool_history::ToolHistory;

/// Decides which tools are described to the model.
///
/// The catalogue should contain [`crate::tool_search_tool`]: without it the model cannot reach deferred tools.
///
/// Within an epoch the list does not change if it has [`call_tool`](crate::call_tool): promoted tools are called by that one, and
/// listed from the next epoch on. Without it the list grows at its end, by promotion. It does not change with the catalogue:
/// a tool that is gone stays described until the next epoch, and a call to it must be answered with an error
/// result; a new tool can be searched for and promoted at once, and is otherwise taken up at the next epoch.
/// A change of the window or of the counter has no effect before then either, unless [`plan_again`](Self::plan_again) says so.
#[derive(Debug, Clone)]
pub struct DeferralManager {
    policy: DeferralPolicy,
    catalogue: Arc<[ToolDefinition]>,
    list: ActiveList,
    /// Turn of the promotion, by tool.
    promoted: BTreeMap<String, u64>,
    /// Promoted, but not in the list yet; in order of promotion.
    pending: Vec<String>,
    last_used: BTreeMap<String, u64>,
    /// The next selection plans the list, whatever the epoch.
    is_outdated: bool,
}

/// The state of the list.
#[derive(Debug, Clone)]
enum ActiveList {
    /// Nothing was selected yet.
    None,
    /// The list of a resumed session.
    Restored(Arc<[ToolDefinition]>),
    /// The list of an epoch.
    Of { epoch: u64, active: Active, deferred: usize },
}

/// The tools of one request.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSelection {
    /// The tools to describe, in the order in which to send them. The same allocation as before while nothing
    /// changed.
    pub active: Arc<[ToolDefinition]>,
    /// How many tools of the catalogue are deferred.
    pub deferred: usize,
    /// Why the list differs from the previous one; `None` if it does not.
    pub changed: Option<String>,
    /// Tokens of the descriptions, by the counter.
    pub tokens: u64,
}

impl DeferralManager {
    /// A manager that has seen nothing yet.
    #[must_use]
    pub fn new(policy: DeferralPolicy) -> Self {
        Self {
            policy,
            catalogue: Arc::from([]),
            list: ActiveList::None,
            promoted: BTreeMap::new(),
            pending: Vec::new(),
            last_used: BTreeMap::new(),
            is_outdated: false,
        }
    }

    /// The tools of the next request.
    ///
    /// `effective_window` is in tokens. The list is planned at the first call, and again when `epoch` differs
    /// from that of the call before. Otherwise the call counts nothing but tools that were promoted since.
    pub fn select(
        &mut self,
        catalogue: &Arc<[ToolDefinition]>,
        counter: &dyn TokenCounter,
        effective_window: u64,
        epoch: u64,
        turn: u64,
    ) -> ToolSelection {
        let same_catalogue = Arc::ptr_eq(&self.catalogue, catalogue);
        self.catalogue = Arc::clone(catalogue);
        let replanned = std::mem::take(&mut self.is_outdated);
        let (mut active, mut changed, known) = match std::mem::replace(&mut self.list, ActiveList::None) {
            ActiveList::Of { epoch: before, active, deferred } if before == epoch && !replanned => {
                (active, None, same_catalogue.then_some(deferred))
            }
            ActiveList::Restored(tools) if !replanned => (Active::new(tools, counter), None, None),
            ActiveList::Of { active, .. } => self.replan(&active, counter, effective_window, turn),
            ActiveList::Restored(tools) => {
                self.replan(&Active::new(tools, counter), counter, effective_window, turn)
            }
            ActiveList::None => {
                let active = self.plan(None, counter, effective_window);
                let unneeded = usize::from(!active.has(CALL_TOOL) && self.catalogue.iter().any(is_call_tool));
                let (shown, all) = (active.tools().len(), self.catalogue.len() - unneeded);
                (active, Some(format!("first list: {shown} of {all} tools")), None)
            }
        };
        let mut deferred = known;
        let pending: Vec<ToolDefinition> = std::mem::take(&mut self.pending)
            .iter()
            .filter(|name| !active.has(name))
            .filter_map(|name| self.catalogue.iter().find(|tool| tool.name == *name).cloned())
            .collect();
        if !pending.is_empty() {
            active.append(&pending, counter);
            deferred = None;
            let names: Vec<&str> = pending.iter().map(|tool| tool.name.as_str()).collect();
            let promoted = format!("promoted {}", names.join(", "));
            changed = Some(changed.map_or(promoted.clone(), |why| format!("{why}; {promoted}")));
        }
        let deferred = deferred.unwrap_or_else(|| self.count_deferred(&active));
        let selection =
            ToolSelection { active: Arc::clone(active.tools()), deferred, changed, tokens: active.tokens() };
        self.list = ActiveList::Of { epoch, active, deferred };
        selection
    }

    /// Promotes tools. Returns the names that were deferred before; names that the last selected catalogue does not have are
    /// passed over. For a tool that is described already, the promotion counts as a use.
    pub fn promote(&mut self, names: &[String], turn: u64) -> Vec<String> {
        let listed = !self.has_call_tool();
        self.promote_to(names, turn, listed)
    }

    /// Turns without a call behind which a promotion may end.
    #[must_use]
    pub fn unused_turns(&self) -> u64 {
        self.policy.unused_turns
    }

    /// Returns true if the model has the tool that calls deferred tools.
    #[must_use]
    pub fn has_call_tool(&self) -> bool {
        self.is_active(CALL_TOOL)
    }

    /// Promotes tools. `listed`: they are described from the next selection on.
    fn promote_to(&mut self, names: &[String], turn: u64, listed: bool) -> Vec<String> {
        let mut new = Vec::new();
        for name in names {
            let Some(tool) = self.catalogue.iter().find(|tool| tool.name == *name) else { continue };
            if !tool.origin.is_deferrable() {
                continue;
            }
            if self.is_active(name) {
                self.mark_used(name, turn);
                continue;
            }
            let before = self.promoted.insert(name.clone(), turn);
            if !listed {
                new.extend(before.is_none().then(|| name.clone()));
            } else if !self.pending.contains(name) {
                self.pending.push(name.clone());
                new.push(name.clone());
            }
        }
        new
    }

    /// Promotes every deferred tool of the last selected catalogue into the list: the fallback when they cannot be searched.
    /// Returns their names.
    pub fn promote_all(&mut self, turn: u64) -> Vec<String> {
        let names: Vec<String> = self.catalogue.iter().map(|tool| tool.name.clone()).collect();
        self.promote_to(&names, turn, true)
    }

    /// Notes that a tool was called.
    pub fn mark_used(&mut self, name: &str, turn: u64) {
        let last = self.last_used.entry(name.to_owned()).or_default();
        *last = turn.max(*last);
    }

    /// Restores the list of a resumed session, and what its log knows of the tools that the model found and called. The next
    /// selection returns the same tools in the same order, independent of later changes of the catalogue.
    pub fn restore(&mut self, active: &[ToolDefinition], history: ToolHistory) {
        self.list = ActiveList::Restored(active.into());
        self.pending.clear();
        (self.promoted, self.last_used) = (history.found, history.used);
    }

    /// Plans the list again at the next selection, although the epoch is the same: it was planned for another window or other tools.
    pub fn plan_again(&mut self) {
        self.is_outdated = true;
    }

    /// Searches the catalogue of the last selection, described tools included; `tool_search` and `call_tool` are not found. The best hit is first.
    ///
    /// # Errors
    /// [`RankError`] when the ranker fails.
    pub async fn search(
        &self,
        ranker: &dyn ToolRanker,
        query: &str,
    ) -> Result<Vec<ToolDefinition>, RankError> {
        let others = self.catalogue.iter().filter(|tool| tool.name != TOOL_SEARCH && tool.name != CALL_TOOL);
        let tools: Vec<ToolDefinition> = others.cloned().collect();
        let names = ranker.rank(query, &tools, self.policy.search_limit).await?;
        let mut seen = BTreeSet::new();
        let hit = |name: &String| tools.iter().find(|tool| tool.name == *name).cloned();
        let hits = names.iter().filter(|name| seen.insert(name.as_str())).filter_map(hit);
        Ok(hits.take(self.policy.search_limit).collect())
    }

    fn is_active(&self, name: &str) -> bool {
        match &self.list {
            ActiveList::None => false,
            ActiveList::Restored(tools) => tools.iter().any(|tool| tool.name == name),
            ActiveList::Of { active, .. } => active.has(name),
        }
    }

    /// The list by a new plan, how it differs from the one before, and that the deferred tools have to be counted.
    fn replan(
        &mut self,
        before: &Active,
        counter: &dyn TokenCounter,
        window: u64,
        turn: u64,
    ) -> (Active, Option<String>, Option<usize>) {
        self.forget(turn);
        let new = self.plan(Some(before), counter, window);
        let changed = new.difference(before).map(|what| format!("replanned: {what}"));
        (new, changed, None)
    }

    fn plan(&self, before: Option<&Active>, counter: &dyn TokenCounter, window: u64) -> Active {
        let pinned: BTreeSet<&str> = self.promoted.keys().map(String::as_str).collect();
        let budget = self.policy.budget(window);
        let facts = Facts { catalogue: &self.catalogue, last_used: &self.last_used, pinned: &pinned, budget };
        let empty = Active::new(Arc::from([]), counter);
        // A tool that waits to be promoted comes at the end, in its own order.
        let mut chosen = plan(&facts, counter);
        chosen.retain(|one| !self.pending.contains(&one.tool.name));
        before.unwrap_or(&empty).replan(&chosen)
    }

    /// Ends promotions that were not used for long. They count as never used from then on: else they would push
    /// out a tool that was described all the time, and the list would change for nothing.
    fn forget(&mut self, turn: u64) {
        let unused_turns = self.policy.unused_turns;
        let last_used = &mut self.last_used;
        self.promoted.retain(|name, since| {
            let last = last_used.get(name).copied().unwrap_or_default().max(*since);
            let keep = turn.saturating_sub(last) <= unused_turns;
            if !keep {
                last_used.remove(name);
            }
            keep
        });
        let known: BTreeSet<&str> = self.catalogue.iter().map(|tool| tool.name.as_str()).collect();
        self.promoted.retain(|name, _| known.contains(name.as_str()));
        self.last_used.retain(|name, _| known.contains(name.as_str()));
    }

    fn count_deferred(&self, active: &Active) -> usize {
        let names: BTreeSet<&str> = self.catalogue.iter().map(|tool| tool.name.as_str()).collect();
        // Where nothing is deferred it is not needed.
        names.into_iter().filter(|name| *name != CALL_TOOL && !active.has(name)).count()
    }
}

fn is_call_tool(tool: &ToolDefinition) -> bool {
    tool.name == CALL_TOOL
}

#[cfg(test)]
mod tests;
