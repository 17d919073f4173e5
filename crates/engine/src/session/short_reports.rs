//! Tells the user once that a provider has not read, or not counted, a part of a request, or has reported what cannot be true.

use throughline_budget::{SentPart, SentPrompt, ShortReport, is_impossible};
use throughline_conversation::{Receipt, SectionText, ToolDefinition, Usage, spaced_words};
use throughline_text::group_thousands;

use super::Session;
use crate::event::Event;
use crate::turn_context::TurnContext;

/// Returns true if a request of this many raw tokens cannot have used this. Searches of the provider read more than the request.
pub(crate) fn is_impossible_report(raw: u64, window: u64, reported: &Usage) -> bool {
    reported.searches == 0 && is_impossible(raw, window, reported)
}

impl Session {
    /// What the request of this receipt contains. It is not answered in the view yet. `raw`: its raw tokens, `tools_tokens` of
    /// them of tools.
    pub(crate) fn sent_prompt(
        &self,
        receipt: &Receipt,
        system: &[SectionText],
        tools: &[ToolDefinition],
        raw: u64,
        tools_tokens: u64,
    ) -> SentPrompt {
        let entries = self.view.entries().iter().take_while(|entry| entry.span.last <= receipt.upto);
        let said: u64 = entries.clone().map(|entry| entry.message.spaced_words()).sum();
        let system: u64 = system.iter().map(|section| spaced_words(&section.text)).sum();
        let words = said.saturating_add(system);
        let asks = entries.last().is_some_and(|entry| entry.message.texts().next().is_some());
        SentPrompt {
            tools: SentPart {
                tokens: tools_tokens,
                words: tools.iter().map(ToolDefinition::spaced_words).sum(),
            },
            rest: SentPart { tokens: raw.saturating_sub(tools_tokens), words },
            asks,
        }
    }

    /// Reports the first short report of this run, about a request of `about` tokens, `tools` of them of tools.
    pub(crate) fn note_short_report(
        &mut self,
        turn: &TurnContext<'_>,
        why: ShortReport,
        reported: u64,
        about: u64,
        tools: u64,
    ) {
        let reported = group_thousands(reported);
        let likely = match why {
            ShortReport::NewContent => return,
            ShortReport::WithoutTools => format!(
                "the descriptions of all tools seem to be missing (about {} tokens), so the model cannot call them; \
                 the server's template for this model may not support tools",
                group_thousands(tools)
            ),
            ShortReport::CutToWindow => format!(
                "the server seems to have cut the request to a window of {reported} without an error; \
                 enlarge the window there, or set that one here"
            ),
            ShortReport::Incomplete => {
                "a part seems to be missing; compare the server's window with the one set here".to_owned()
            }
        };
        let about = group_thousands(about);
        let line = format!("the provider counted {reported} tokens of a request of about {about}: {likely}");
        self.record_decision("stream_response", "report not used to measure", line.clone());
        if !std::mem::replace(&mut self.short_report_noted, true) {
            turn.sink.emit(Event::Notice(line));
        }
    }

    /// Reports the first report of this run that cannot be about its request, of `about` tokens.
    pub(crate) fn note_impossible_report(&mut self, turn: &TurnContext<'_>, reported: &Usage, about: u64) {
        let line = format!(
            "the provider reports {} tokens of input and {} of output for a request of about {}, which cannot be true: \
             what the request has used is estimated",
            group_thousands(reported.prompt()),
            group_thousands(reported.output),
            group_thousands(about)
        );
        self.record_decision("stream_response", "report not used", line.clone());
        if !std::mem::replace(&mut self.impossible_report_noted, true) {
            turn.sink.emit(Event::Notice(line));
        }
    }
}
