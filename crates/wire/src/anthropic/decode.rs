//! The stream that answers `POST /v1/messages` (Anthropic documentation, "Streaming messages").

mod block;
mod searches;
mod usage;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use throughline_completion::{AnswerDetail, CompletionEvent, RefusalDetails, StopReason};
use throughline_conversation::{CacheDiagnosis, ContentBlock, Thinking};

use super::citations::{Cited, CitedText};
use super::errors::in_plain_text;
use crate::errors;
use crate::stream::answer::{AnswerEvents, Decoded};
use crate::stream::answer_stream::{AnswerStream, Decode};
use crate::stream::call_ids::CallIds;
use crate::stream::sse::SseEvent;
use block::{Delta, Finished, OpenBlock};
use searches::Searches;
use usage::ReportedUsage;

/// Reasons of a cache miss that name none.
const NO_REASON: &[&str] = &["unavailable", "previous_message_not_found"];

/// Reads the events of one answer.
///
/// Total: any event is accepted. Unknown events, blocks and deltas become [`CompletionEvent::Unknown`](throughline_completion::CompletionEvent::Unknown); an event of
/// type `error`, or data that is no JSON, ends the answer with an error. A call with arguments that are no JSON
/// object keeps its id and gets the input `{"invalid_json": "<text>"}`.
#[derive(Debug, Default)]
struct Decoder {
    answer: AnswerEvents,
    blocks: BTreeMap<u64, OpenBlock>,
    /// Complete text that may continue: the provider splits a text where it cites sources.
    text: CitedText,
    searches: Searches,
    ids: CallIds,
    usage: ReportedUsage,
    stop: Option<StopReason>,
}

impl AnswerStream {
    /// Of Anthropic's Messages API.
    ///
    /// Calls that come without an id, or with one that an earlier call has, become `<id_prefix>call_<n>`, counted
    /// from 1: the prefix should be short and differ from answer to answer. `taken` are the ids of the calls before
    /// this answer.
    #[must_use]
    pub fn anthropic(id_prefix: impl Into<String>, taken: impl IntoIterator<Item = String>) -> Self {
        Self::sse(Decoder { ids: CallIds::new(id_prefix.into(), taken), ..Decoder::default() })
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

    fn whole(&mut self, document: Value) -> Decoded {
        let blocks = document.get("content").and_then(Value::as_array).cloned().unwrap_or_default();
        let head = ["id", "model", "usage", "diagnostics"]
            .map(|name| (name.to_owned(), document.get(name).cloned().into()));
        self.event("message_start", json!({"message": Value::Object(head.into_iter().collect())}));
        for (index, block) in blocks.into_iter().enumerate() {
            self.event("content_block_start", json!({"index": index, "content_block": block}));
            self.event("content_block_stop", json!({"index": index}));
        }
        let delta = json!({
            "stop_reason": document.get("stop_reason"),
            "stop_details": document.get("stop_details"),
        });
        self.event("message_delta", json!({"delta": delta, "usage": document.get("usage")}));
        self.end();
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
            "message_start" => self.start(&data),
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
                self.usage.read_passes(data.get("usage").unwrap_or(&Value::Null));
                if let Some(reason) = data.pointer("/delta/stop_reason").and_then(Value::as_str) {
                    self.stop = Some(stop_reason(reason));
                }
                self.refusal(data.pointer("/delta/stop_details"));
                self.diagnosis(&data);
            }
            "message_stop" => self.end(),
            "error" => self.answer.fail(errors::of_event(&data)),
            _ => self.answer.unknown(data),
        }
    }

    /// A message begins. A gateway that asks its upstream a second time begins another one: of the first nothing counts.
    fn start(&mut self, data: &Value) {
        let usage = data.pointer("/message/usage");
        self.blocks.clear();
        self.text.clear();
        self.stop = None;
        self.read_usage(usage);
        self.answer.identity(data.pointer("/message/id"), data.pointer("/message/model"));
        self.diagnosis(data.get("message").unwrap_or(&Value::Null));
        self.usage.begin_message();
    }

    /// Why the cache was not reused, where the API knows it.
    fn diagnosis(&mut self, message: &Value) {
        let reason = message.pointer("/diagnostics/cache_miss_reason");
        let named = |reason: &Value| {
            let name = reason.get("type")?.as_str().filter(|name| !NO_REASON.contains(name))?.to_owned();
            let missed_tokens = reason.get("cache_missed_input_tokens").and_then(Value::as_u64);
            Some(CacheDiagnosis { reason: name, missed_tokens })
        };
        if let Some(diagnosis) = reason.and_then(named) {
            self.answer.event(CompletionEvent::Detail(AnswerDetail::Cache(diagnosis)));
        }
    }

    fn refusal(&mut self, details: Option<&Value>) {
        let field = |name: &str| details?.get(name)?.as_str().map(str::to_owned);
        let refusal = RefusalDetails {
            category: field("category"),
            explanation: field("explanation"),
            recommended_model: field("recommended_model"),
        };
        if refusal != RefusalDetails::default() {
            self.answer.event(CompletionEvent::Detail(AnswerDetail::Refusal(refusal)));
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
            self.block(open.finish());
        }
    }

    /// Emits a block. Texts right behind each other are one text.
    fn block(&mut self, block: Finished) {
        match block {
            Finished::Text { text, citations } => self.text.push(&text, &citations),
            Finished::Item(item) => {
                self.end_text();
                let block = match self.searches.read(&item) {
                    Some(search) => {
                        let block = Thinking::of_search(&item, &search);
                        self.answer.event(CompletionEvent::Detail(AnswerDetail::Search(search)));
                        block
                    }
                    None => Thinking::of_item(&item),
                };
                self.answer.block(ContentBlock::Thinking(block));
            }
            Finished::Call { id, name, arguments } => {
                self.end_text();
                for call in self.ids.calls(&id, &name, &arguments) {
                    self.answer.block(ContentBlock::ToolCall(call));
                }
            }
            Finished::Block(block) => {
                self.end_text();
                self.answer.block(block);
            }
        }
    }

    fn end_text(&mut self) {
        let Cited { text, field, sources } = self.text.take();
        self.answer.block(text);
        if let Some(field) = field {
            self.answer.block(field);
            self.answer.event(CompletionEvent::Detail(AnswerDetail::Cited(sources)));
        }
    }

    fn read_usage(&mut self, usage: Option<&Value>) {
        if let Some(usage) = self.usage.read(usage) {
            self.answer.usage(usage);
        }
    }

    fn end(&mut self) {
        let Some(stop) = self.stop.take() else {
            return self.answer.interrupted("the stream ended without a stop reason");
        };
        // The provider ended the answer, so blocks that it forgot to stop are complete.
        for open in std::mem::take(&mut self.blocks).into_values() {
            self.block(open.finish());
        }
        self.end_text();
        if let Some(tokens) = self.usage.window_prompt() {
            self.answer.event(CompletionEvent::Detail(AnswerDetail::WindowPrompt(tokens)));
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
