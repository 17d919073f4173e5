//! The stream that answers `POST /v1/responses` (OpenAI API reference, "Streaming events").

mod item;
mod searches;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use throughline_completion::{AnswerDetail, CompletionEvent, StopReason};
use throughline_conversation::{CacheDiagnosis, ContentBlock, Usage};

use crate::errors;
use crate::openai::usage::read_usage;
use crate::stream::answer::{AnswerEvents, Decoded};
use crate::stream::answer_stream::{AnswerStream, Decode};
use crate::stream::call_ids::CallIds;
use crate::stream::sse::SseEvent;
use item::Item;

/// Events that say nothing that another event does not say too.
const SILENT: &[&str] = &[
    "response.created",
    "response.queued",
    "response.in_progress",
    "response.content_part.added",
    "response.content_part.done",
    "response.output_text.done",
    "response.output_text.annotation.added",
    "response.refusal.done",
    "response.function_call_arguments.done",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_part.done",
    "response.reasoning_summary_text.done",
    "response.reasoning_text.done",
    "keepalive",
];

/// Reads the events of one answer.
///
/// Total: any event is accepted. Unknown events and items become
/// [`CompletionEvent::Unknown`](throughline_completion::CompletionEvent::Unknown); a failed response, or data that
/// is no JSON, ends the answer with an error. A call with arguments that are no JSON object keeps its id
/// and gets the input `{"invalid_json": "<text>"}`.
///
/// A reasoning item becomes [`Thinking`](throughline_conversation::Thinking): the parts of its summary (or of its
/// content, when it has no summary) are the text, with blank lines between them; its id is the signature and its
/// encrypted content the redacted content. In this form [`encode`](super::encode) sends it back.
#[derive(Debug, Default)]
struct Decoder {
    answer: AnswerEvents,
    items: BTreeMap<u64, Item>,
    ids: CallIds,
    called: bool,
    /// Searches that are charged.
    searches: u64,
    refuses: bool,
    /// The last word about the response as a whole was that it waits.
    queued: bool,
}

impl AnswerStream {
    /// Of OpenAI's Responses API.
    ///
    /// Calls that come without an id, or with one that an earlier call has, become `<id_prefix>call_<n>`, counted
    /// from 1: the prefix should be short and differ from answer to answer. `taken` are the ids of the calls before
    /// this answer.
    #[must_use]
    pub fn openai_responses(id_prefix: impl Into<String>, taken: impl IntoIterator<Item = String>) -> Self {
        Self::sse(Decoder { ids: CallIds::new(id_prefix.into(), taken), ..Decoder::default() })
    }
}

impl Decode<SseEvent> for Decoder {
    fn push(&mut self, event: SseEvent) -> Decoded {
        // Some servers end the stream as the older API does.
        if event.data.trim() != "[DONE]"
            && let Some(data) = self.answer.json(&event.data)
        {
            let name = data.get("type").and_then(Value::as_str).unwrap_or(&event.event).to_owned();
            self.event(&name, data);
        }
        self.answer.take()
    }

    fn whole(&mut self, document: Value) -> Decoded {
        if document.get("output").is_some_and(Value::is_array) {
            let status = document.get("status").and_then(Value::as_str).unwrap_or_default();
            let name = match status {
                "incomplete" | "failed" | "cancelled" | "queued" | "in_progress" => {
                    format!("response.{status}")
                }
                // Whatever else servers call an answer that is there.
                _ => "response.completed".to_owned(),
            };
            self.event(&name, json!({"type": name, "response": document}));
        }
        self.answer.take()
    }

    fn finish(mut self: Box<Self>) -> Decoded {
        self.answer.interrupted(match self.queued {
            true => "the server queued the answer and did not send it",
            false => "the stream ended without a completed response",
        });
        self.answer.take()
    }
}

impl Decoder {
    fn event(&mut self, name: &str, data: Value) {
        let more = data.get("delta").and_then(Value::as_str).unwrap_or_default();
        self.queued = name == "response.queued" || (self.queued && name != "response.in_progress");
        match name {
            "response.output_item.added" => self.item(&data).begin(data.get("item")),
            "response.output_item.done" => {
                let item = self.item(&data);
                item.replace(data.get("item"));
                item.done = true;
                self.emit_done();
            }
            "response.output_text.delta" | "response.refusal.delta" => {
                self.item(&data).text.push_str(more);
                self.refuses |= name == "response.refusal.delta";
                self.answer.text_delta(more);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                let part = data.get("summary_index").or_else(|| data.get("content_index"));
                let glue = self.item(&data).think(part.and_then(Value::as_u64), more);
                self.answer.thinking_delta(&format!("{glue}{more}"));
            }
            "response.function_call_arguments.delta" => self.item(&data).arguments.push_str(more),
            "response.completed" | "response.incomplete" | "response.done" if !has_failed(&data) => {
                self.end(&data);
            }
            "response.completed" | "response.incomplete" | "response.done" | "response.failed" => {
                self.answer.fail(errors::of_event(data.get("response").unwrap_or(&Value::Null)));
            }
            "response.cancelled" => self.answer.interrupted("the response was cancelled"),
            // In the reference its fields stand at the top; servers put them into `error` too.
            "error" => self.answer.fail(errors::of_event(&data)),
            _ if SILENT.contains(&name) => {}
            // Progress of the provider's own tool, whose item comes whole.
            _ if self.items.get(&place(&data)).is_some_and(Item::is_of_provider) => {}
            _ if data.get("error").is_some_and(Value::is_object) => {
                self.answer.fail(errors::of_event(&data));
            }
            _ => self.answer.unknown(data),
        }
    }

    fn item(&mut self, data: &Value) -> &mut Item {
        self.items.entry(place(data)).or_default()
    }

    /// Emits the items that are done, up to the first that is not: some servers finish them in another order than that
    /// of the answer.
    fn emit_done(&mut self) {
        let done = self.items.iter().take_while(|(_, item)| item.done);
        let places: Vec<u64> = done.map(|(place, _)| *place).collect();
        for place in places {
            self.emit(place);
        }
    }

    /// Emits the item at this index as a block, once.
    fn emit(&mut self, place: u64) {
        let Some(item) = self.items.get_mut(&place) else { return };
        if std::mem::replace(&mut item.given, true) {
            return;
        }
        self.refuses |= item.refuses();
        self.searches += u64::from(item.is_charged_search());
        let cited = item.cited();
        if let Some(search) = item.search() {
            self.answer.event(CompletionEvent::Detail(AnswerDetail::Search(search)));
        }
        if let Some(head) = item.head() {
            self.answer.block(head);
        }
        if let Some((id, name, arguments)) = item.call() {
            self.called = true;
            for call in self.ids.calls(id, name, &arguments) {
                self.answer.block(ContentBlock::ToolCall(call));
            }
            return;
        }
        if item.is_foreign_call() {
            self.called = true;
            let unknown = item.item();
            return self.answer.unknown(unknown);
        }
        match item.block() {
            Ok(block) => {
                // A server that sends whole items only has shown nothing of them yet.
                match &block {
                    ContentBlock::Text { text } if item.text.is_empty() => self.answer.text_delta(text),
                    ContentBlock::Thinking(thinking)
                        if item.thinking.is_empty() && !item.is_of_provider() =>
                    {
                        self.answer.thinking_delta(&thinking.text);
                    }
                    _ => {}
                }
                self.answer.block(block);
            }
            Err(unknown) => self.answer.unknown(unknown),
        }
        if !cited.is_empty() {
            self.answer.event(CompletionEvent::Detail(AnswerDetail::Cited(cited)));
        }
    }

    /// The name of the response, and why the cache was not reused.
    fn diagnosis(&mut self, response: &Value) {
        self.answer.identity(response.get("id"), response.get("model"));
        if let Some(reason) = response.pointer("/prompt_cache_diagnostics/reason").and_then(Value::as_str) {
            let missed =
                response.pointer("/prompt_cache_diagnostics/cache_missed_tokens").and_then(Value::as_u64);
            let diagnosis = CacheDiagnosis { reason: reason.to_owned(), missed_tokens: missed };
            self.answer.event(CompletionEvent::Detail(AnswerDetail::Cache(diagnosis)));
        }
    }

    fn end(&mut self, data: &Value) {
        let response = data.get("response").unwrap_or(&Value::Null);
        // Items without an event of their own that they are done are in the whole response.
        let output = response.get("output").and_then(Value::as_array).into_iter().flatten();
        for (place, item) in (0..).zip(output) {
            let open = self.items.entry(place).or_default();
            if !open.given && !open.done {
                open.replace(Some(item));
            }
        }
        let places: Vec<u64> = self.items.keys().copied().collect();
        for place in places {
            self.emit(place);
        }
        self.diagnosis(response);
        if let Some(usage) = response.get("usage").filter(|usage| usage.is_object()) {
            let usage = read_usage(usage, "input", "output");
            self.answer.usage(Usage { searches: self.searches, ..usage });
        }
        let reason = response.pointer("/incomplete_details/reason").and_then(Value::as_str);
        self.answer.finished(match reason {
            Some("max_output_tokens") => StopReason::MaxTokens,
            Some("content_filter") => StopReason::Refusal,
            Some(other) => StopReason::Other(other.to_owned()),
            None if data.get("type").and_then(Value::as_str) == Some("response.incomplete") => {
                StopReason::MaxTokens
            }
            None if self.refuses => StopReason::Refusal,
            None if self.called => StopReason::ToolUse,
            None => StopReason::EndTurn,
        });
    }
}

/// Returns true if the response that an event closes has failed, whatever the event's name.
fn has_failed(data: &Value) -> bool {
    let status = data.pointer("/response/status").and_then(Value::as_str);
    status == Some("failed") && data.pointer("/response/error").is_some_and(Value::is_object)
}

fn place(data: &Value) -> u64 {
    data.get("output_index").and_then(Value::as_u64).unwrap_or(0)
}

#[cfg(test)]
mod tests;
