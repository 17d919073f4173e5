//! What fills the window, and what would leave it next.

use std::collections::HashMap;

use serde::Serialize;
use throughline_compaction::{CompactResult, Compactor, Goal};
use throughline_conversation::{Action, ContentBlock, EditReason, Entry, EntryKind, Seq, WindowFigures};

use crate::Agent;

/// What fills the window of a session at this moment. All tokens are calibrated like the total.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextReport {
    /// The figures by component.
    pub window: WindowFigures,
    /// Pressure by the thresholds.
    pub pressure: String,
    /// Tokens at which a compaction is due, when there is such a threshold.
    pub compact_at: Option<u64>,
    /// Tokens at which nothing is sent any more, when there is such a threshold.
    pub block_at: Option<u64>,
    /// Messages in view.
    pub messages: u64,
    /// Compactions so far.
    pub compactions: u64,
    /// What holds the most, largest first.
    pub holders: Vec<Holder>,
    /// What a compaction would do now; `None`: it would change nothing, and `why` says why.
    pub next: Option<NextCut>,
    /// Why a compaction would change nothing.
    pub why: Option<String>,
}

/// One thing that holds tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Holder {
    /// What it is, for example `result of read_file`.
    pub what: String,
    /// The record that it comes from; `None` for what is in no message.
    pub seq: Option<Seq>,
    /// Its tokens.
    pub tokens: u64,
}

/// What a compaction would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextCut {
    /// Sizes before and after.
    pub result: CompactResult,
    /// Its actions.
    pub actions: Vec<Action>,
}

impl Agent {
    /// Reports what fills the window. Nothing is changed.
    pub async fn context(&self, most_holders: usize) -> ContextReport {
        let engine = &self.engine;
        let (budget, _) = engine.measure();
        let job = engine.job(Goal::Deep, EditReason::Manual);
        // Looking asks no model: what a summary would say is taken from the messages.
        let trial = Compactor::new(engine.parts.settings.compaction.clone(), None);
        let (next, why) = match trial.compact(&job).await {
            Ok(cut) => (Some(NextCut { result: cut.result, actions: cut.edit.actions }), None),
            Err(error) => (None, Some(error.to_string())),
        };
        ContextReport {
            window: budget.window_figures(),
            pressure: engine.limits.pressure(budget.used_tokens()).name().to_owned(),
            compact_at: engine.limits.compact,
            block_at: engine.limits.block,
            messages: engine.view.entries().len() as u64,
            compactions: engine.view.epoch(),
            holders: self.holders(most_holders),
            next,
            why,
        }
    }

    fn holders(&self, most: usize) -> Vec<Holder> {
        let engine = &self.engine;
        let counter = engine.parts.counter.as_ref();
        let mut names: HashMap<&str, &str> = HashMap::new();
        let mut holders = Vec::new();
        for entry in engine.view.entries() {
            for call in entry.message.tool_calls() {
                names.insert(&call.id, &call.name);
            }
            for block in &entry.message.content {
                let tokens = engine.meter.from_raw(counter.block(block));
                let what = describe(block, entry, &names);
                holders.push(Holder { what, seq: Some(entry.span.first), tokens });
            }
        }
        for (section, tokens) in engine.system.iter().zip(&engine.system_tokens.sections) {
            let what = format!("system section {}", section.name);
            holders.push(Holder { what, seq: None, tokens: engine.meter.from_raw(*tokens) });
        }
        let what = format!("{} tool descriptions", engine.tools.len());
        holders.push(Holder { what, seq: None, tokens: engine.meter.from_raw(engine.tools_tokens) });
        // A stable sort: equal sizes stay in the order of the conversation.
        holders.sort_by_key(|holder| std::cmp::Reverse(holder.tokens));
        holders.truncate(most);
        holders
    }
}

fn describe(block: &ContentBlock, entry: &Entry, names: &HashMap<&str, &str>) -> String {
    match (block, entry.kind) {
        (ContentBlock::ToolResult(result), _) => {
            let name = names.get(result.call_id.as_str()).copied().unwrap_or("a tool");
            format!("result of {name}")
        }
        (ContentBlock::ToolCall(call), _) => format!("call of {}", call.name),
        (ContentBlock::Thinking(_), _) => "thinking".to_owned(),
        (ContentBlock::Image(_), _) => "image".to_owned(),
        (ContentBlock::Text { .. }, EntryKind::User) => "message of the user".to_owned(),
        (ContentBlock::Text { .. }, EntryKind::Assistant) => "text of the model".to_owned(),
        (ContentBlock::Text { .. }, EntryKind::Summary) => "summary of earlier messages".to_owned(),
        (ContentBlock::Text { .. }, EntryKind::Notice | EntryKind::Results) => {
            "note of the engine".to_owned()
        }
    }
}
