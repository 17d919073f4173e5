//! Tells the user once that requests cost more because their prompts are long.

use throughline_completion::Prices;
use throughline_text::group_thousands;

use super::Session;
use crate::event::Event;
use crate::turn_context::TurnContext;

impl Session {
    /// Reports the first answered request of this run whose prompt has the higher price.
    pub(crate) fn note_long_prompt(&mut self, turn: &TurnContext<'_>, prices: Prices, prompt: u64) {
        let Some(long) = prices.long.filter(|long| long.applies(prompt) && !self.long_prompt_noted) else {
            return;
        };
        self.long_prompt_noted = true;
        turn.sink.emit(Event::Notice(format!(
            "a request had {} tokens: over {}, all of its input costs {} times as much, and its output {} times; \
             a compaction makes requests shorter",
            group_thousands(prompt),
            group_thousands(long.over),
            long.input,
            long.output,
        )));
    }
}
