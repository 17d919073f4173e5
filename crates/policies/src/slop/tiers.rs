//! Cutting results to sizes by age.

use async_trait::async_trait;
use throughline_compaction::{
    Draft, Plan, ShownResult, Strategy, StrategyError, parse_cleared, parse_truncated, placeholder_reference,
    shown_results, truncated_stub,
};
use throughline_conversation::{Entry, ExchangeId, Seq, ToolResult, View};

use super::Slop;

/// Cuts every result that is longer than its age allows.
#[derive(Debug, Clone)]
pub(super) struct ResultTiers {
    pub(super) numbers: Slop,
}

#[async_trait]
impl Strategy for ResultTiers {
    fn name(&self) -> &'static str {
        "result_tiers"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, _plan: &Plan<'p>) -> Result<(), StrategyError> {
        let transcript = draft.view().transcript().clone();
        let entries = transcript.entries();
        let active = draft.view().exchange();
        let mut newest = 0;
        for answer in shown_results(entries).iter().rev() {
            let own = entries.get(answer.entry).is_some_and(|entry| entry.exchange == active);
            let limit = self.numbers.limit(own.then_some(newest), &answer.call.name);
            newest += usize::from(own);
            let row = row(answer.record, answer.part);
            if let Some(head) = limit.and_then(|limit| head(answer.result, row, limit)) {
                let stored = answer.store(draft).stored;
                draft.clear_result(&answer.result.call_id, truncated_stub(head, row, &stored), stored);
            }
        }
        Ok(draft.settle()?)
    }
}

impl Slop {
    /// The most characters of a result. `age` counts from the newest of the group at work; `None`: of an older group.
    fn limit(&self, age: Option<usize>, tool: &str) -> Option<usize> {
        match age {
            Some(_) if self.exempt.iter().any(|exempt| exempt == tool) => None,
            Some(age) if age < self.recent => Some(self.recent_chars),
            Some(_) => Some(self.older_chars),
            None => Some(self.inactive_chars),
        }
    }
}

/// Returns true if cuts are due. Looks at the newest results only: older ones were cut before.
pub(super) fn batch_due(numbers: &Slop, view: &View, fresh: bool) -> bool {
    let entries = view.entries();
    let active = view.exchange();
    if fresh {
        let groups = entries.iter().rev().map(|entry| entry.exchange);
        let last = groups.into_iter().find(|group| *group != active);
        return last.is_some_and(|last| {
            let own = group(entries, last);
            shown_results(own).iter().any(|answer| {
                let limit = numbers.limit(None, &answer.call.name);
                limit.is_some_and(|limit| {
                    head(answer.result, row(answer.record, answer.part), limit).is_some()
                })
            })
        });
    }
    let own = shown_results(group(entries, active));
    let new: Vec<(usize, &ShownResult<'_>)> = own
        .iter()
        .rev()
        .enumerate()
        .take_while(|(_, answer)| parse_truncated(&answer.result.content).is_none())
        .collect();
    new.len() >= numbers.batch
        && new.iter().any(|(age, answer)| {
            let limit = numbers.limit(Some(*age), &answer.call.name);
            limit.is_some_and(|limit| head(answer.result, row(answer.record, answer.part), limit).is_some())
        })
}

/// The entries of a group. Groups follow one another, so the search ends where the group begins.
fn group(entries: &[Entry], group: ExchangeId) -> &[Entry] {
    let end = entries.iter().rposition(|entry| entry.exchange == group).map_or(0, |last| last + 1);
    let own = entries.get(..end).unwrap_or_default();
    let first = own.iter().rposition(|entry| entry.exchange != group).map_or(0, |before| before + 1);
    own.get(first..).unwrap_or_default()
}

/// The part of a result that stays with this many characters; `None` if it is that short, or if cutting would not make it
/// shorter.
fn head(result: &ToolResult, row: u64, limit: usize) -> Option<&str> {
    let content = &result.content;
    if parse_cleared(content).is_some() {
        return None;
    }
    let shown = parse_truncated(content).map_or(content.as_str(), |(head, _)| head);
    let (end, _) = shown.char_indices().nth(limit)?;
    let head = shown.get(..end)?;
    (truncated_stub(head, row, &placeholder_reference()).len() < content.len()).then_some(head)
}

/// The id of a block of a message in the history's table, whose text is the whole result.
pub(super) fn row(record: Seq, part: usize) -> u64 {
    const PARTS: u64 = 10_000;
    record.0.saturating_mul(PARTS).saturating_add(part as u64)
}
