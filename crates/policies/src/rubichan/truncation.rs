//! The oldest exchanges are left out.

use async_trait::async_trait;
use throughline_compaction::{
    Draft, Plan, Strategy, StrategyError, last_request, leave_out, units_to_leave_out,
};
use throughline_conversation::UnitKind;

use super::TEMPLATE;

/// Leaves out the oldest exchanges, and then the oldest steps behind the last request, when compaction would be due
/// again at once without that. One line says where they can be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Truncation;

#[async_trait]
impl Strategy for Truncation {
    fn name(&self) -> &'static str {
        "truncation"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        let request = draft.tokens().saturating_add(plan.job.fixed);
        if plan.job.compact_at.is_some_and(|due| request < due) {
            return Ok(());
        }
        let units = draft.units();
        let end = plan.first_protected(draft.view(), &units);
        let mut count = units_to_leave_out(draft, plan, end);
        // Before the last request whole exchanges go, so that no answer is left without its question.
        let first = last_request(&units, draft.entries()).unwrap_or(end).min(end);
        let begins = |index: &usize| units.get(*index).is_some_and(|unit| unit.kind == UnitKind::User);
        if count <= first {
            let next = (count..=first).find(begins);
            count = next.or_else(|| (1..count).rev().find(begins)).unwrap_or(count);
        }
        leave_out(draft, plan, count, &TEMPLATE);
        Ok(draft.settle()?)
    }
}
