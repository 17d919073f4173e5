//! Removing tool responses level by level, from the middle outwards.

use async_trait::async_trait;
use throughline_compaction::{
    Draft, Plan, ShownResult, Strategy, StrategyError, cleared_stub, first_fixed, parse_cleared,
    placeholder_reference, shown_results,
};
use throughline_conversation::Entry;

/// Removes this many per cent of the tool responses, by the first level that is enough. When none is, nothing.
#[derive(Debug, Clone)]
pub(super) struct ToolResponseRemoval {
    pub(super) levels: Vec<u8>,
}

#[async_trait]
impl Strategy for ToolResponseRemoval {
    fn name(&self) -> &'static str {
        "tool_response_removal"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        let transcript = draft.view().transcript().clone();
        let units = draft.units();
        let unread = units.get(first_fixed(draft.view(), &units)).map(|unit| unit.entries.start);
        let responses = responses(transcript.entries());
        if responses.is_empty() {
            // Every level would be the same.
            return Ok(());
        }
        let before = draft.tokens();
        for percent in &self.levels {
            let mut tried = draft.clone();
            for index in selected(responses.len(), *percent) {
                let Some(response) = responses.get(index) else { continue };
                if response.iter().any(|answer| unread.is_some_and(|unread| answer.entry >= unread)) {
                    continue;
                }
                response.iter().for_each(|answer| remove(&mut tried, answer));
            }
            tried.settle()?;
            if tried.tokens() <= plan.aim {
                // Both figures count what they are compared with: the whole request.
                let whole = |tokens: u64| tokens.saturating_add(plan.job.fixed);
                tried.note(format!(
                    "compaction: removed {percent}% of tool responses, {} -> {} tokens",
                    whole(before),
                    whole(tried.tokens())
                ));
                *draft = tried;
                break;
            }
        }
        Ok(())
    }
}

/// The messages with tool results, each as the results in it that can be removed. One that has none left, because
/// they are removed already or shorter than what would take their place, does not count.
fn responses(entries: &[Entry]) -> Vec<Vec<ShownResult<'_>>> {
    let mut responses: Vec<Vec<ShownResult<'_>>> = Vec::new();
    for answer in shown_results(entries).into_iter().filter(is_removable) {
        match responses.last_mut() {
            Some(last) if last.first().is_some_and(|first| first.entry == answer.entry) => last.push(answer),
            _ => responses.push(vec![answer]),
        }
    }
    responses
}

fn is_removable(answer: &ShownResult<'_>) -> bool {
    let content = &answer.result.content;
    let stub = cleared_stub(content.len() as u64, &answer.call.name, &placeholder_reference(), &[]);
    parse_cleared(content).is_none() && stub.len() < content.len()
}

fn remove(draft: &mut Draft<'_>, answer: &ShownResult<'_>) {
    let reference = answer.store(draft);
    let text = cleared_stub(reference.bytes, &answer.call.name, &reference.stored, &[]);
    draft.clear_result(&answer.result.call_id, text, reference.stored);
}

/// Which of `count` responses a level removes, in order.
pub(super) fn selected(count: usize, percent: u8) -> Vec<usize> {
    middle_out(count).into_iter().take(how_many(count, percent)).collect()
}

/// How many of `count` responses a level removes.
pub(super) fn how_many(count: usize, percent: u8) -> usize {
    match count.saturating_mul(usize::from(percent)) / 100 {
        0 if percent > 0 => count.min(1),
        many => many,
    }
}

/// All of `count` places, the middle ones first: to the left and to the right in turn. What is first and what is last
/// comes at the end.
pub(super) fn middle_out(count: usize) -> Vec<usize> {
    let middle = count / 2;
    let place = |step: usize| match step % 2 {
        0 => middle.checked_sub(step / 2 + 1),
        _ => Some(middle + step / 2).filter(|place| *place < count),
    };
    // The right side is never the shorter one; its last place comes at step 2 × (count - middle) - 1.
    (0..count.saturating_add(2)).filter_map(place).collect()
}
