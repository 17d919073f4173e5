//! Large results of the oldest messages become one line.

use async_trait::async_trait;
use throughline_compaction::{
    Draft, Plan, Strategy, StrategyError, first_fixed, parse_cleared, short_cleared_stub, shown_results,
};

use super::{Rubichan, Signals};

/// Clears the large results of the older part of the messages, all at once.
#[derive(Debug, Clone)]
pub(super) struct ResultClearing {
    pub(super) numbers: Rubichan,
}

impl Rubichan {
    /// Per cent of the messages whose results are cleared, and from how many bytes on.
    pub(super) fn reach(&self, signals: Signals) -> (u8, usize) {
        let tools = signals.tool_call_density > self.many_tools;
        let percent = if signals.error_density > self.many_errors {
            self.clear_percent_errors
        } else if tools {
            self.clear_percent_tools
        } else {
            self.clear_percent
        };
        (percent, if tools { self.clear_bytes * 3 / 4 } else { self.clear_bytes })
    }
}

#[async_trait]
impl Strategy for ResultClearing {
    fn name(&self) -> &'static str {
        "tool_result_clearing"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, _plan: &Plan<'p>) -> Result<(), StrategyError> {
        let transcript = draft.view().transcript().clone();
        let entries = transcript.entries();
        let (percent, bytes) = self.numbers.reach(Signals::of(entries));
        let units = draft.units();
        let unread =
            units.get(first_fixed(draft.view(), &units)).map_or(entries.len(), |unit| unit.entries.start);
        let end = (entries.len() * usize::from(percent) / 100).min(unread);
        for answer in shown_results(entries).iter().filter(|answer| answer.entry < end) {
            let content = &answer.result.content;
            if content.len() < bytes || parse_cleared(content).is_some() {
                continue;
            }
            let reference = answer.store(draft);
            let text = short_cleared_stub(reference.bytes, &reference.stored);
            draft.clear_result(&answer.result.call_id, text, reference.stored);
        }
        Ok(draft.settle()?)
    }
}
