//! Applies the events of a turn to the screen.

use std::time::{Duration, Instant};

use throughline_agent::Event;
use throughline_conversation::{CompactionReceipt, EditReason};

use super::{Kind, Screen, Thinking};
use crate::calls::{CHECKLIST, FinishedCall, RunningCall, checklist, elapsed};
use crate::clean::stripped;
use crate::layout::cut_text;
use crate::line::{DIM, Line, Modifier};
use crate::port::TurnState;
use crate::status::short_number;

/// Shortest thinking that leaves a line.
const THOUGHT: Duration = Duration::from_secs(3);

impl Screen {
    /// Something happened in a turn.
    pub(super) fn event(&mut self, event: Event, now: Instant) {
        match event {
            Event::Text(text) => {
                self.end_thinking(now);
                self.stream.push(&text);
                if text.contains('\n') {
                    self.settle_stream();
                }
            }
            Event::Thinking(text) => match &mut self.thinking {
                Some(thinking) => thinking.text.push_str(&text),
                None => self.thinking = Some(Thinking { text, since: now }),
            },
            Event::Answered { usage, .. } => {
                self.retried.clear();
                self.end_thinking(now);
                self.finish_stream();
                self.output = self.output.saturating_add(usage.map_or(0, |usage| usage.output));
            }
            Event::ToolStarted { call_id, name, input } => {
                self.end_thinking(now);
                self.finish_stream();
                self.calls.push(RunningCall::new(call_id, name, input, now));
            }
            Event::ToolFinished { call_id, name, is_error, offloaded, .. } => {
                let stored = offloaded.map(|receipt| receipt.bytes);
                self.call_finished(&call_id, &name, is_error, stored, now);
            }
            // A compaction that the user asked for is answered with a page.
            Event::Compacted(receipt)
                if self.turn == TurnState::Compacting && receipt.reason == EditReason::Manual => {}
            Event::Compacted(receipt) => self.print_notice(&compacted(&receipt)),
            Event::Notice(text) => self.print_notice(&text),
            Event::NotCompacted { why } => self.print_notice(&format!("not compacted: {why}")),
            Event::Retrying { cause, wait_ms } => {
                let wait = elapsed(Duration::from_millis(wait_ms));
                // A repeated cause is shown once.
                if self.retried == cause {
                    self.print_warning(&format!("still failing; retrying in {wait}"));
                } else {
                    self.print_warning(&format!("{cause}; retrying in {wait}"));
                    self.retried = cause;
                }
            }
            Event::Switched { from, to, why } => {
                self.print_warning(&format!("switched from {from} to {to}: {why}"));
            }
            Event::Withdrawn { why } => {
                self.thinking = None;
                self.stream.discard();
                self.print_warning(&format!("the answer above is discarded and requested again: {why}"));
            }
            Event::Degraded(degradation) => {
                let (subsystem, fallback) = (degradation.subsystem, degradation.fallback);
                self.print_warning(&format!("{subsystem}: {fallback} ({})", degradation.cause));
            }
            // Other events are shown elsewhere, or are newer than this screen.
            _ => {}
        }
    }

    fn call_finished(&mut self, id: &str, name: &str, is_error: bool, stored: Option<u64>, now: Instant) {
        self.finish_stream();
        let lines = match self.calls.iter().position(|call| call.call_id == id) {
            Some(index) => {
                let call = self.calls.remove(index);
                let took = call.took(now);
                if !is_error {
                    self.note_plan(&call.name, &call.input);
                }
                let (name, input, result) = (call.name.as_str(), &call.input, call.result.as_str());
                FinishedCall { name, input, is_error, took: &took, result, stored }.lines(self.columns)
            }
            None => {
                let input = &serde_json::Value::Null;
                FinishedCall { name, input, is_error, took: "", result: "", stored }.lines(self.columns)
            }
        };
        self.print(Kind::Call, lines);
    }

    /// Remembers the checklist that a call has written.
    pub(super) fn note_plan(&mut self, name: &str, input: &serde_json::Value) {
        if name == CHECKLIST {
            self.plan = checklist(input);
            self.plan_shown &= !self.plan.is_empty();
        }
    }

    /// Folds the thinking into one line.
    pub(super) fn end_thinking(&mut self, now: Instant) {
        let Some(Thinking { text, since }) = self.thinking.take() else { return };
        let took = now.saturating_duration_since(since);
        if took < THOUGHT {
            return;
        }
        let text = stripped(&text);
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let start = format!("∴ thought for {}", elapsed(took));
        let first = first.replace("**", "");
        let line = if first.is_empty() { start } else { format!("{start}: {first}") };
        let italic = DIM.add_modifier(Modifier::ITALIC);
        self.finish_stream();
        self.print(Kind::Notice, vec![Line::styled(cut_text(&line, self.columns), italic)]);
    }
}

/// A compaction in one line.
fn compacted(receipt: &CompactionReceipt) -> String {
    let why = match receipt.reason {
        EditReason::CompactThreshold => "the window was nearly full",
        EditReason::BlockThreshold => "the window was full",
        EditReason::Early => "early, before the window is full",
        EditReason::Idle => "before the prompt cache expires",
        EditReason::Overflow => "the request was too long",
        EditReason::Manual => "as asked",
        EditReason::Switch => "for the new model",
        EditReason::Pictures => "the provider rejected the pictures",
        EditReason::Window => "older turns are hidden",
    };
    let how = match receipt.strategies.as_slice() {
        [] => String::new(),
        names => {
            let done: Vec<&str> = names.iter().map(|name| strategy_text(name)).collect();
            format!(", {}", done.join(", "))
        }
    };
    format!(
        "compacted ({why}): {} → {} tokens, {} → {} messages{how}",
        short_number(receipt.before_tokens),
        short_number(receipt.after_tokens),
        receipt.before_messages,
        receipt.after_messages,
    )
}

/// What a strategy did, for the user. An unknown strategy is shown by its name.
fn strategy_text(name: &str) -> &str {
    match name {
        "tool_clearing" | "tool_result_clearing" | "tool_response_removal" => "trimmed tool results",
        "drop_exchanges" => "dropped oldest turns",
        "summary" | "summarization" | "conversation_summary" | "history_summary" => "summarized older turns",
        "truncation" => "truncated older messages",
        other => other,
    }
}
