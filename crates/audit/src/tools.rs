//! The cost by tool.

use std::collections::BTreeMap;

use serde::Serialize;

use super::items::{AuditedItem, ItemKind};

/// What a tool cost, or what else the requests consist of. All of them together are the whole cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ToolCost {
    /// The tool; in parentheses what is no tool.
    pub tool: String,
    /// Calls.
    pub calls: u64,
    /// Tokens of calls and results, each once.
    pub tokens: u64,
    /// Dollars for the calls, as the model's output.
    pub output: f64,
    /// Dollars in the first requests that had them.
    pub entered: f64,
    /// Dollars in all later requests.
    pub downstream: f64,
}

impl ToolCost {
    /// Dollars of all kinds.
    #[must_use]
    pub fn dollars(&self) -> f64 {
        self.output + self.entered + self.downstream
    }

    /// Returns false if nothing of this kind was in a request.
    fn has_cost(&self) -> bool {
        self.calls > 0 || self.tokens > 0 || self.dollars() > 0.0
    }

    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.tokens += other.tokens;
        self.output += other.output;
        self.entered += other.entered;
        self.downstream += other.downstream;
    }
}

/// Sums of items, the dearest first; without prices the largest first.
pub(super) fn by_tool(items: &[AuditedItem]) -> Vec<ToolCost> {
    merged(items.iter().map(|item| ToolCost {
        tool: name(item),
        calls: u64::from(item.kind == ItemKind::Call),
        tokens: item.tokens.round() as u64,
        output: item.output,
        entered: item.entered,
        downstream: item.downstream,
    }))
}

/// Sums by name, the dearest first; without prices the largest first.
pub(super) fn merged(costs: impl IntoIterator<Item = ToolCost>) -> Vec<ToolCost> {
    let mut sums: BTreeMap<String, ToolCost> = BTreeMap::new();
    for cost in costs {
        sums.entry(cost.tool.clone())
            .or_insert_with(|| ToolCost { tool: cost.tool.clone(), ..ToolCost::default() })
            .add(&cost);
    }
    let mut found: Vec<ToolCost> = sums.into_values().filter(ToolCost::has_cost).collect();
    found.sort_by(|a, b| b.dollars().total_cmp(&a.dollars()).then(b.tokens.cmp(&a.tokens)));
    found
}

fn name(item: &AuditedItem) -> String {
    let other = match item.kind {
        ItemKind::Call | ItemKind::Result => {
            return item.tool.clone().unwrap_or_else(|| "(unknown tool)".to_owned());
        }
        ItemKind::Front => "(system prompt and schemas)",
        ItemKind::Earlier => "(earlier conversation)",
        ItemKind::User => "(messages of the user)",
        ItemKind::Answer => "(answers)",
        ItemKind::Thinking => "(thinking)",
        ItemKind::Summary => "(summaries)",
        ItemKind::Unlogged => "(text not in the log)",
    };
    other.to_owned()
}
