//! What fills the window, and what a compaction would remove next.

use std::collections::HashMap;

use serde::Serialize;
use throughline_compaction::{CompactResult, CompactionJob, Compactor, Goal, continuing_sentence};
use throughline_conversation::{
    Action, Components, ContentBlock, EditReason, Entry, EntryKind, PriceTerms, Seq, WindowFigures,
};
use throughline_text::scale_part;

use crate::calibration::ShownFigures;
use crate::compacting::{job, weighed};
use crate::engine::ContextEngine;
use crate::frame::components;
use crate::pins::PinReport;
use crate::pricing;

/// What fills the window of a session now. All tokens are calibrated like the total.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextReport {
    /// Figures by component.
    pub window: WindowFigures,
    /// Pressure by the thresholds.
    pub pressure: String,
    /// Tokens at which a new message of the user compacts the view first; `None`: a new message makes no difference.
    pub early_compact_at: Option<u64>,
    /// Compact threshold in tokens, if there is one.
    pub compact_at: Option<u64>,
    /// Block threshold in tokens, if there is one.
    pub block_at: Option<u64>,
    /// What the price of a compaction says about the next request, where the policy decides by price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<PriceTerms>,
    /// Messages in view.
    pub messages: u64,
    /// The largest components, largest first.
    pub holders: Vec<ComponentTokens>,
    /// The pins, and what they take of each request.
    pub pins: PinReport,
    /// What a compaction would do now; `None` if it would change nothing.
    pub next: Option<NextCut>,
    /// Why a compaction would change nothing.
    pub why: Option<String>,
}

/// A component of the request and its tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComponentTokens {
    /// Description, for example `read_file result`.
    pub what: String,
    /// The record that it comes from; `None` for what is not in a message.
    pub seq: Option<Seq>,
    /// Its tokens.
    pub tokens: u64,
}

/// What a compaction would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextCut {
    /// Sizes of the conversation before and after.
    pub result: CompactResult,
    /// A model would write the summary, whose length it decides; here it is taken from the messages.
    pub model_writes: bool,
    /// Its actions.
    pub actions: Vec<Action>,
}

/// Tokens of a request at which the view is compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct CompactionPoints {
    /// At a new message of the user; `None`: a new message makes no difference.
    pub early: Option<u64>,
    /// At every request; `None`: never.
    pub compact: Option<u64>,
}

impl CompactionPoints {
    /// The point that a growing session reaches first.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        self.early.or(self.compact)
    }
}

impl ContextEngine {
    /// Reports what fills the window, with the `most` largest components. Changes nothing and asks no model.
    pub async fn report(&self, most: usize) -> ContextReport {
        let (size, points) = (self.state.size(), self.compaction_points());
        let (session, window, frame) = (&self.state.session, &self.state.window, self.state.frame());
        let names = session.names_in_view();
        let job = job(session, window, frame, Goal::Requested, EditReason::Manual);
        let job = CompactionJob { names: job.names.map(|_| &names), ..job };
        // Without a summarizer, the trial takes the summary from the messages.
        let trial = Compactor::new(self.state.model.settings.compaction.clone(), None);
        let figures = ShownFigures::of(session, window, frame);
        let cut = trial.compact(&job).await;
        let (next, why) = match cut.and_then(|cut| weighed(cut, session, window, frame)) {
            Ok(cut) => {
                let result = figures.result(&cut.result);
                let model_writes = self.asks_for_summary() && cut.summaries().next().is_some();
                (Some(NextCut { result, model_writes, actions: cut.edit.actions }), None)
            }
            Err(error) => (None, Some(figures.reason(error).explained())),
        };
        ContextReport {
            window: size.budget.window_figures(),
            pressure: window.pressure(&size).name().to_owned(),
            early_compact_at: points.early,
            compact_at: points.compact,
            block_at: window.limits().block,
            price: pricing::decide(session, window, frame, &size),
            messages: session.view().entries().len() as u64,
            holders: self.largest_components(size.budget.window_figures().used, most),
            pins: self.pins(),
            next,
            why,
        }
    }

    /// The price of continuing a session whose prompt cache has expired, unchanged and after a compaction, in one sentence.
    /// `None`: an earlier run sent nothing to this model, its cache is warm, or the policy does not decide by price.
    #[must_use]
    pub fn continuing_price(&self) -> Option<String> {
        self.state.session.earlier()?;
        let terms =
            pricing::decide(&self.state.session, &self.state.window, self.state.frame(), &self.state.size())?;
        continuing_sentence(&terms, self.state.model.info.prices.cache_write)
    }

    /// Tokens of a request at which the view is compacted.
    #[must_use]
    pub fn compaction_points(&self) -> CompactionPoints {
        let compact = self.state.window.limits().compact;
        let early =
            self.state.model.settings.early.tokens(self.state.window.total(), self.state.window.reserved());
        let early = early.filter(|early| compact.is_none_or(|compact| *early < compact));
        CompactionPoints { early, compact }
    }

    /// The largest components, in the tokens of these figures: those of one figure add up to no more than it has.
    fn largest_components(&self, shown: Components, most: usize) -> Vec<ComponentTokens> {
        let counter = self.state.session.counter();
        let raw = components(&self.state.session, &self.state.prefix, &self.state.tools);
        let mut names: HashMap<&str, &str> = HashMap::new();
        let mut largest = Vec::new();
        for entry in self.state.session.view().entries() {
            for call in entry.message.tool_calls() {
                names.insert(&call.id, &call.name);
            }
            for block in &entry.message.content {
                let tokens = scale_part(counter.block(block), raw.conversation, shown.conversation);
                let what = describe(block, entry, &names);
                largest.push(ComponentTokens { what, seq: Some(entry.span.first), tokens });
            }
        }
        for (section, tokens) in
            self.state.prefix.system().iter().zip(&self.state.prefix.system_tokens().sections)
        {
            let what = format!("system prompt: {}", section.name);
            let tokens = scale_part(
                *tokens,
                raw.system.saturating_add(raw.skills),
                shown.system.saturating_add(shown.skills),
            );
            largest.push(ComponentTokens { what, seq: None, tokens });
        }
        let what = format!("{} tool descriptions", self.state.tools.active().len());
        largest.push(ComponentTokens { what, seq: None, tokens: shown.tools });
        // A stable sort: equal sizes stay in the order of the conversation.
        largest.sort_by_key(|component| std::cmp::Reverse(component.tokens));
        largest.truncate(most);
        largest
    }
}

fn describe(block: &ContentBlock, entry: &Entry, names: &HashMap<&str, &str>) -> String {
    match (block, entry.kind) {
        (ContentBlock::ToolResult(result), _) => {
            let name = names.get(result.call_id.as_str()).copied().unwrap_or("tool");
            format!("{name} result")
        }
        (ContentBlock::ToolCall(call), _) => format!("{} call", call.name),
        (ContentBlock::Thinking(_), _) => "thinking".to_owned(),
        (ContentBlock::Image(_), _) => "image".to_owned(),
        (ContentBlock::Text { .. }, EntryKind::User) => "user message".to_owned(),
        (ContentBlock::Text { .. }, EntryKind::Assistant) => "assistant message".to_owned(),
        (ContentBlock::Text { .. }, EntryKind::Summary) => "summary of earlier messages".to_owned(),
        (ContentBlock::Text { .. }, EntryKind::Notice | EntryKind::Results) => "engine note".to_owned(),
    }
}
