//! The stream that answers `POST /v1/messages` (Anthropic documentation, "Streaming messages").

mod block;

use std::collections::BTreeMap;

use serde_json::Value;
use throughline_completion::StopReason;
use throughline_conversation::Usage;

use super::errors::in_plain_text;
use crate::errors;
use crate::stream::answer::{AnswerEvents, Decoded};
use crate::stream::answer_stream::{AnswerStream, Decode};
use crate::stream::sse::SseEvent;
use block::{Delta, OpenBlock};

/// Reads the events of one answer.
///
/// Total: any event is accepted. Unknown events, blocks and deltas become [`CompletionEvent::Unknown`](throughline_completion::CompletionEvent::Unknown); an event of
/// type `error`, or data that is no JSON, ends the answer with an error. A call with arguments that are no JSON
/// object keeps its id and gets the input `{"invalid_json": "<text>"}`.
#[derive(Debug, Default)]
struct Decoder {
    answer: AnswerEvents,
    blocks: BTreeMap<u64, OpenBlock>,
    usage: Usage,
    stop: Option<StopReason>,
}

impl AnswerStream {
    /// Of Anthropic's Messages API.
    #[must_use]
    pub fn anthropic() -> Self {
        Self::sse(Decoder::default())
    }
}

impl Decode<SseEvent> for Decoder {
    fn push(&mut self, event: SseEvent) -> Decoded {
        if let Some(error) = in_plain_text(&event) {
            self.answer.fail(error);
        } else if let Some(data) = self.answer.json(&event.data) {
            let name = data.get("type").and_then(Value::as_str).unwrap_or(&event.event).to_owned();
            self.event(&name, data);
        }
        self.answer.take()
    }

    fn finish(mut self: Box<Self>) -> Decoded {
        self.end();
        self.answer.take()
    }
}

impl Decoder {
    fn event(&mut self, name: &str, data: Value) {
        let index = data.get("index").and_then(Value::as_u64).unwrap_or(0);
        match name {
            "ping" => {}
            "message_start" => self.read_usage(data.pointer("/message/usage")),
            "content_block_start" => {
                match OpenBlock::start(data.get("content_block").unwrap_or(&Value::Null)) {
                    Some((open, first)) => {
                        // A block that a gateway forgot to stop is complete when its index is reused.
                        self.stop_block(index);
                        self.blocks.insert(index, open);
                        self.delta(first);
                    }
                    None => self.answer.unknown(data),
                }
            }
            "content_block_delta" => {
                let delta = data.get("delta").unwrap_or(&Value::Null);
                match self.blocks.get_mut(&index).and_then(|open| open.add(delta)) {
                    Some(delta) => self.delta(delta),
                    None => self.answer.unknown(data),
                }
            }
            "content_block_stop" => self.stop_block(index),
            "message_delta" => {
                self.read_usage(data.get("usage"));
                if let Some(reason) = data.pointer("/delta/stop_reason").and_then(Value::as_str) {
                    self.stop = Some(stop_reason(reason));
                }
            }
            "message_stop" => self.end(),
            "error" => self.answer.fail(errors::of_event(&data)),
            _ => self.answer.unknown(data),
        }
    }

    fn delta(&mut self, delta: Delta) {
        match delta {
            Delta::Text(text) => self.answer.text_delta(&text),
            Delta::Thinking(text) => self.answer.thinking_delta(&text),
            Delta::Silent => {}
        }
    }

    fn stop_block(&mut self, index: u64) {
        if let Some(open) = self.blocks.remove(&index) {
            self.answer.block(open.finish());
        }
    }

    /// Figures are running totals: a later one replaces an earlier one, and a missing one changes nothing.
    fn read_usage(&mut self, usage: Option<&Value>) {
        let Some(Value::Object(fields)) = usage else { return };
        for (name, figure) in [
            ("input_tokens", &mut self.usage.input),
            ("cache_read_input_tokens", &mut self.usage.cache_read),
            ("cache_creation_input_tokens", &mut self.usage.cache_write),
            ("output_tokens", &mut self.usage.output),
        ] {
            if let Some(value) = fields.get(name).and_then(Value::as_u64) {
                *figure = value;
            }
        }
        self.answer.usage(self.usage);
    }

    fn end(&mut self) {
        let Some(stop) = self.stop.take() else {
            return self.answer.interrupted("the stream ended without a stop reason");
        };
        // The provider ended the answer, so blocks that it forgot to stop are complete.
        for open in std::mem::take(&mut self.blocks).into_values() {
            self.answer.block(open.finish());
        }
        self.answer.finished(stop);
    }
}

/// `model_context_window_exceeded` is not an error: the answer so far is paid for and valid.
fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "stop_sequence" => StopReason::StopSequence,
        "refusal" => StopReason::Refusal,
        "pause_turn" => StopReason::Pause,
        other => StopReason::Other(other.to_owned()),
    }
}

#[cfg(test)]
mod tests;
