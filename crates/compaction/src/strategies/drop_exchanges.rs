//! The last resort: everything that may go, goes.

use async_trait::async_trait;
use throughline_conversation::UnitKind;

use super::shrink::shrink;
use crate::budgets::Budgets;
use crate::cover::{Range, analyze, cover, fresh_ranges, ranges, units_to_cover};
use crate::draft::Draft;
use crate::plan::{Plan, first_fixed, last_request};
use crate::strategy::{Strategy, StrategyError};
use crate::template::Template;

/// Drops whole exchanges, oldest first; then the steps of the last one but the newest; then cuts the results
/// that are left, even unread ones; then drops everything but the user's last own words. Each only when the
/// one before was not enough. It needs no model, and what it drops can still be read back.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DropExchanges;

#[async_trait]
impl Strategy for DropExchanges {
    fn name(&self) -> &'static str {
        "drop_exchanges"
    }

    fn last_resort(&self) -> bool {
        true
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        drop_oldest(draft, plan)?;
        if draft.tokens() > plan.limit {
            shrink(draft, plan)?;
        }
        for everything in [false, true] {
            if draft.tokens() > plan.limit {
                drop_all(draft, plan, everything)?;
            }
        }
        Ok(())
    }
}

/// Drops the oldest units down to the aim: whole exchanges before the last request, steps after it.
fn drop_oldest(draft: &mut Draft<'_>, plan: &Plan<'_>) -> Result<(), StrategyError> {
    let units = draft.units();
    let pinned = last_request(&units, draft.entries());
    let newest_step = units.iter().rposition(|unit| unit.kind == UnitKind::Step).unwrap_or(units.len());
    let end = newest_step.min(first_fixed(draft.view(), &units));
    // A third of the usual summary: the messages must go because room is short.
    let budgets = plan.budgets().part(1, 3);
    let mut count = units_to_cover(draft.tokens(), &units, pinned, end, plan.aim, budgets);
    let first = pinned.unwrap_or(end).min(end);
    while count < first && units.get(count).is_some_and(|unit| unit.kind != UnitKind::User) {
        count += 1;
    }
    let sides = fresh_ranges(draft, count);
    try_cover(draft, plan, &sides, budgets)
}

/// Replaces all but the user's last message by one line. `everything`: the newest step too, if no call in it
/// waits for its result.
fn drop_all(draft: &mut Draft<'_>, plan: &Plan<'_>, everything: bool) -> Result<(), StrategyError> {
    let units = draft.units();
    let pinned = last_request(&units, draft.entries());
    let open = !draft.view().open_calls().is_empty();
    let newest_step = units.iter().rposition(|unit| unit.kind == UnitKind::Step).unwrap_or(units.len());
    let end = match (everything, open) {
        (false, _) => newest_step.min(first_fixed(draft.view(), &units)),
        (true, true) => first_fixed(draft.view(), &units),
        (true, false) => units.len(),
    };
    for range in ranges(&units, draft.entries(), pinned, end) {
        try_cover(draft, plan, &[range], Budgets::default())?;
    }
    Ok(())
}

/// Covers ranges, unless that would cost more tokens than it saves.
fn try_cover(
    draft: &mut Draft<'_>,
    plan: &Plan<'_>,
    sides: &[Range],
    budgets: Budgets,
) -> Result<(), StrategyError> {
    let mut tried = draft.clone();
    let histories = analyze(&tried, sides, budgets);
    cover(&mut tried, &histories, plan.policy, &Template::ROLLING);
    tried.settle()?;
    if tried.tokens() < draft.tokens() {
        *draft = tried;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
