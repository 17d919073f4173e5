//! The list of tools as the model has it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use throughline_conversation::{TokenCounter, ToolDefinition};

use crate::plan::Chosen;

/// The tools that are described, in the order in which they are sent.
#[derive(Debug, Clone)]
pub(crate) struct Active {
    tools: Arc<[ToolDefinition]>,
    names: BTreeSet<String>,
    tokens: u64,
}

impl Active {
    /// A list that was sent before.
    pub(crate) fn new(tools: Arc<[ToolDefinition]>, counter: &dyn TokenCounter) -> Self {
        let tokens = tools.iter().fold(0, |sum: u64, tool| sum.saturating_add(counter.tool(tool)));
        let names = tools.iter().map(|tool| tool.name.clone()).collect();
        Self { tools, names, tokens }
    }

    pub(crate) fn tools(&self) -> &Arc<[ToolDefinition]> {
        &self.tools
    }

    pub(crate) fn tokens(&self) -> u64 {
        self.tokens
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Adds tools at the end.
    pub(crate) fn append(&mut self, tools: &[ToolDefinition], counter: &dyn TokenCounter) {
        for tool in tools {
            self.names.insert(tool.name.clone());
            self.tokens = self.tokens.saturating_add(counter.tool(tool));
        }
        self.tools = self.tools.iter().chain(tools).cloned().collect();
    }

    /// The list by a new plan. Tools that stay keep their order and new ones come last, so that as much as can
    /// be of the list before is still its start. An equal list stays the very same.
    pub(crate) fn replan(&self, chosen: &[Chosen<'_>]) -> Self {
        let by_name: BTreeMap<&str, &Chosen<'_>> =
            chosen.iter().map(|one| (one.tool.name.as_str(), one)).collect();
        let stay = self.tools.iter().filter_map(|tool| by_name.get(tool.name.as_str()).copied());
        let new = chosen.iter().filter(|one| !self.has(&one.tool.name));
        let list: Vec<&Chosen<'_>> = stay.chain(new).collect();
        let tokens = list.iter().fold(0, |sum: u64, one| sum.saturating_add(one.tokens));
        if list.iter().map(|one| one.tool).eq(self.tools.iter()) {
            return Self { tokens, ..self.clone() };
        }
        let names = by_name.keys().map(|name| (*name).to_owned()).collect();
        Self { tools: list.iter().map(|one| one.tool.clone()).collect(), names, tokens }
    }

    /// Describes the difference from an earlier list; `None` if they are equal.
    pub(crate) fn difference(&self, before: &Self) -> Option<String> {
        if Arc::ptr_eq(&self.tools, &before.tools) {
            return None;
        }
        let added: Vec<&str> =
            self.tools.iter().map(|t| t.name.as_str()).filter(|n| !before.has(n)).collect();
        let removed: Vec<&str> =
            before.tools.iter().map(|t| t.name.as_str()).filter(|n| !self.has(n)).collect();
        let mut parts = Vec::new();
        if !added.is_empty() {
            parts.push(format!("added {}", added.join(", ")));
        }
        if !removed.is_empty() {
            parts.push(format!("took out {}", removed.join(", ")));
        }
        if parts.is_empty() {
            parts.push("descriptions changed".to_owned());
        }
        Some(parts.join("; "))
    }
}
