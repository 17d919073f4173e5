//! Applies events of a turn to the transcript.

use std::time::Instant;

use serde_json::Value;
use throughline_agent::Event;
use throughline_conversation::WebSource;

use super::thinking::Thinking;
use super::{Block, NOT_RUN, Transcript};
use crate::calls::{CallEnd, CallState, RunningCall};
use crate::excerpt::ResultExcerpt;

/// Maximum number of cited pages that are shown below an answer.
const MOST_CITED: usize = 8;

/// The pages that an answer cites, a line for each.
fn cited(sources: &[WebSource]) -> String {
    let mut lines = vec!["sources".to_owned()];
    lines.extend(sources.iter().take(MOST_CITED).map(WebSource::line));
    let more = sources.len().saturating_sub(MOST_CITED);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines.join("\n")
}

impl Transcript {
    /// Something happened. Events that say nothing to the user, or that others show, change nothing.
    pub(crate) fn event(&mut self, event: Event, now: Instant) {
        match event {
            Event::Text(text) => {
                self.end_thinking(now);
                self.finish_reads();
                self.stream.push(&text);
                if text.contains('\n') {
                    self.print_complete_blocks();
                }
            }
            Event::Thinking(text) => match &mut self.thinking {
                Some(thinking) => thinking.push(&text),
                None => self.thinking = Some(Thinking::new(text, now)),
            },
            Event::ToolStarted { call_id, name, input } => {
                self.end_answer(now);
                self.calls.push(RunningCall::new(call_id, name, input, now));
            }
            Event::Cited(sources) => {
                self.end_answer(now);
                self.print(Block::Notice(&cited(&sources)));
            }
            Event::Notice(text) => self.print(Block::Notice(&text)),
            Event::NotCompacted { why } => self.print(Block::Notice(&format!("not compacted: {why}"))),
            Event::Switched { from, to, why } => {
                self.print(Block::Warning(&format!("switched from {from} to {to}: {why}")));
            }
            Event::Degraded(degradation) => {
                let (subsystem, fallback) = (degradation.subsystem, degradation.fallback);
                self.print(Block::Warning(&format!("{subsystem}: {fallback} ({})", degradation.cause)));
            }
            _ => {}
        }
    }

    /// What was shown of the answer does not count. That is printed where a part of it is above, with a cause that was not printed
    /// before in this turn.
    pub(crate) fn withdraw(&mut self, why: &str) {
        self.thinking = None;
        self.stream.discard();
        if !std::mem::take(&mut self.answer_began) {
            return;
        }
        let mut text = "the answer above is discarded and requested again".to_owned();
        if self.withdrawn.replace(why.to_owned()).as_deref() != Some(why) {
            text.push_str(&format!(": {why}"));
        }
        self.print(Block::Warning(&text));
    }

    /// A call has finished. `result`: its output where it was not shown before. `stored`: bytes of its full result if it was offloaded.
    /// It is printed when the calls before it have finished.
    pub(crate) fn finish_call(
        &mut self,
        call_id: &str,
        name: &str,
        result: Option<&str>,
        is_error: bool,
        stored: Option<u64>,
        now: Instant,
    ) {
        let shown = ResultExcerpt::of(result.unwrap_or_default());
        if self.running_call(call_id).is_none() {
            self.calls.push(RunningCall::new(call_id.to_owned(), name.to_owned(), Value::Null, now));
        }
        if let Some(call) = self.running_call(call_id) {
            if call.state() == CallState::NotRun {
                call.result = NOT_RUN.into();
            } else if call.result.is_empty() {
                call.result = shown;
            }
            call.end = Some(CallEnd { is_error, stored, at: now });
        }
        self.print_finished_calls();
    }

    /// A call that is not printed yet.
    pub(crate) fn call(&self, call_id: &str) -> Option<&RunningCall> {
        self.calls.iter().find(|call| call.call_id == call_id)
    }
}
