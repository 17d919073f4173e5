//! A summary without a model: the plan, and first lines of the model's own texts.

use async_trait::async_trait;
use throughline_conversation::{EntryKind, ToolCall};
use throughline_ledger::{newest, one_line};

use crate::summarizer::{Prose, Summarizer, SummaryError, SummaryRequest};

/// Extracts progress from the messages alone: the last plan or to-do list, and the first line of each of the model's
/// texts; the newest survive where room is short. Needs no model, never fails, and is deterministic.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExtractiveSummarizer;

impl ExtractiveSummarizer {
    /// The progress of the request's messages.
    #[must_use]
    pub fn extract(&self, request: &SummaryRequest<'_>) -> String {
        let previous = request.previous.into_iter().flat_map(str::lines);
        let mut lines: Vec<String> =
            previous.filter(|line| !line.starts_with('#')).map(undecorated).collect();
        // It holds until there is another one.
        let earlier_plan = lines.iter().rposition(|line| line.starts_with(PLAN));
        let mut plan = None;
        for entry in request.entries.iter().filter(|entry| entry.kind == EntryKind::Assistant) {
            lines.extend(entry.message.texts().filter_map(first_line));
            plan = entry.message.tool_calls().filter(|call| is_plan(call)).last().or(plan);
        }
        let earlier_plan = earlier_plan.filter(|_| plan.is_none());
        let mut at = 0..;
        lines.retain(|line| {
            let holds = at.next() == earlier_plan;
            !line.is_empty() && (holds || !line.starts_with(PLAN))
        });
        if let Some(call) = plan {
            lines.push(one_line(&format!("{PLAN}{}", call.input)));
        }
        let mut seen = std::collections::HashSet::new();
        let mut unique: Vec<String> =
            lines.into_iter().rev().filter(|line| seen.insert(line.clone())).collect();
        unique.reverse();
        newest(&unique, request.budget, request.counter)
    }
}

const PLAN: &str = "plan: ";

#[async_trait]
impl Summarizer for ExtractiveSummarizer {
    async fn summarize<'r>(&self, request: &SummaryRequest<'r>) -> Result<Prose, SummaryError> {
        Ok(Prose::by_rule(self.extract(request)))
    }
}

fn is_plan(call: &ToolCall) -> bool {
    let name = call.name.to_lowercase();
    name.contains("todo") || name.contains("plan")
}

/// The first line with content; short ones ("Done.") are skipped.
fn first_line(text: &str) -> Option<String> {
    const LEAST: usize = 20;
    text.lines().map(undecorated).find(|line| line.len() >= LEAST).map(|line| one_line(&line))
}

fn undecorated(line: &str) -> String {
    line.trim().trim_start_matches("- ").trim_start_matches('#').trim().to_owned()
}

#[cfg(test)]
mod tests;
