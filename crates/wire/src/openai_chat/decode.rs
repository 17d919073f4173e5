//! The stream that answers `POST /v1/chat/completions` (OpenAI API reference, "Chat completion chunk"), and what
//! servers that speak like it add to it.

mod calls;
mod details;
mod finish_reason;

use serde_json::{Value, json};
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Thinking};

use crate::errors;
use crate::openai::native::{DETAILS, REASONING, THINKING_PART};
use crate::openai::usage::read_usage;
use crate::stream::answer::{AnswerEvents, Decoded};
use crate::stream::answer_stream::{AnswerStream, Decode};
use crate::stream::prose::TextRun;
use crate::stream::sse::SseEvent;
use calls::Calls;
use details::Details;

/// Reads the chunks of one answer; of several choices the first.
///
/// Total: any chunk is accepted. Chunks of a form that is not known become
/// [`CompletionEvent::Unknown`](throughline_completion::CompletionEvent::Unknown); an error in the stream, or data
/// that is not JSON, ends the answer with an error. Calls come after the text. A call with arguments that are no
/// JSON object keeps its id and gets the input `{"invalid_json": "<text>"}`. Thinking is signed with the name of
/// the field that it came in, and the fields `reasoning_details`, and `extra_content` of a call, are thinking before the calls:
/// so all find their way back.
#[derive(Debug)]
struct Decoder {
    answer: AnswerEvents,
    prose: TextRun,
    details: Details,
    calls: Calls,
    /// Parts of the answer that no block can hold.
    items: Vec<Value>,
    refuses: bool,
    /// A part of the answer came as a delta.
    streams: bool,
    /// The server said that nothing more comes.
    done: bool,
    /// The last finish reason.
    reason: Option<String>,
}

impl AnswerStream {
    /// Of OpenAI's Chat Completions API.
    ///
    /// Calls that come without an id, or with one that an earlier call has, become `<id_prefix>call_<n>`, counted
    /// from 1: the prefix should be short and differ from answer to answer. `taken` are the ids of the calls before
    /// this answer.
    #[must_use]
    pub fn openai_chat(id_prefix: impl Into<String>, taken: impl IntoIterator<Item = String>) -> Self {
        Self::sse(Decoder::new(id_prefix.into(), taken))
    }
}

impl Decode<SseEvent> for Decoder {
    fn push(&mut self, event: SseEvent) -> Decoded {
        if event.data.trim() == "[DONE]" {
            self.done = true;
            self.end();
        } else if let Some(chunk) = self.answer.json(&event.data) {
            self.chunk(&event.event, chunk);
        }
        self.answer.take()
    }

    fn whole(&mut self, document: Value) -> Decoded {
        self.chunk("", document);
        self.end();
        self.answer.take()
    }

    fn finish(mut self: Box<Self>) -> Decoded {
        self.end();
        self.answer.take()
    }
}

impl Decoder {
    fn new(id_prefix: String, taken: impl IntoIterator<Item = String>) -> Self {
        Self {
            answer: AnswerEvents::default(),
            prose: TextRun::tagged(),
            details: Details::default(),
            calls: Calls::new(id_prefix, taken),
            items: Vec::new(),
            refuses: false,
            streams: false,
            done: false,
            reason: None,
        }
    }

    fn chunk(&mut self, name: &str, chunk: Value) {
        if name == "error" || errors::is_error(&chunk) {
            return self.answer.fail(errors::of_event(&chunk));
        }
        self.answer.identity(chunk.get("id"), chunk.get("model"));
        let usage = chunk.get("usage").filter(|usage| usage.is_object());
        let choices = chunk.get("choices").and_then(Value::as_array);
        if let Some(usage) = usage {
            self.answer.usage(read_usage(usage, "prompt", "completion"));
        }
        let mut known = true;
        for choice in choices.into_iter().flatten().filter(|choice| is_first(choice)) {
            if choice.get("error").is_some_and(|error| !error.is_null()) {
                return self.answer.fail(errors::of_event(choice));
            }
            known &= self.choice(choice);
        }
        if !known || (choices.is_none() && usage.is_none()) {
            self.answer.unknown(chunk);
        }
    }

    /// Returns true if everything in the choice is of a known form.
    fn choice(&mut self, choice: &Value) -> bool {
        let is_part = |name: &str| choice.get(name).filter(|part| part.is_object());
        self.streams |= is_part("delta").is_some();
        // Servers that do not stream send the whole message, some of them in an event; after deltas it only repeats them.
        let whole = || is_part("message").filter(|_| !self.streams);
        let delta = is_part("delta").or_else(whole).unwrap_or(&Value::Null);
        let field = |name: &str| delta.get(name).filter(|value| !value.is_null());
        let thought = REASONING.into_iter().filter_map(|name| Some((name, field(name)?)));
        let reasons = match thought.into_iter().find(|(_, more)| !more.as_str().is_some_and(str::is_empty)) {
            Some((name, more)) => {
                self.prose.sign(name);
                self.prose(Some(more), true)
            }
            None => true,
        };
        self.details.add(field(DETAILS).unwrap_or(&Value::Null));
        let says = self.prose(field("content"), false);
        let spoken = field("audio").and_then(|audio| audio.get("transcript"));
        let says = self.prose(spoken, false) && says;
        self.items.extend(field("images").and_then(Value::as_array).into_iter().flatten().cloned());
        let refusal = field("refusal");
        self.refuses |= refusal.and_then(Value::as_str).is_some_and(|text| !text.is_empty());
        let refuses = self.prose(refusal, false);
        for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.calls.add(piece);
        }
        // The older form, of one call. Some servers send it empty with each answer.
        if let Some(function) = field("function_call").filter(|function| says_something(function)) {
            self.calls.add(&json!({"index": 0, "function": function}));
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.reason = Some(reason.to_owned());
        }
        reasons && says && refuses
    }

    /// Takes more text or thinking: as a text, or as a list of parts (Mistral). Returns true if all of it is of a known form.
    fn prose(&mut self, more: Option<&Value>, thinks: bool) -> bool {
        match more {
            None => true,
            Some(Value::String(text)) if thinks => {
                self.prose.think(text, &mut self.answer);
                true
            }
            Some(Value::String(text)) => {
                self.prose.say(text, &mut self.answer);
                true
            }
            Some(Value::Array(parts)) => {
                let mut known = true;
                for part in parts {
                    known &= self.part(part, thinks);
                }
                known
            }
            Some(_) => false,
        }
    }

    fn part(&mut self, part: &Value, thinks: bool) -> bool {
        match part.get("type").and_then(Value::as_str) {
            Some("text") => self.prose(part.get("text"), thinks),
            Some("thinking") => {
                self.prose.sign(THINKING_PART);
                self.prose(part.get("thinking"), true)
            }
            // A picture, a sound, a source: no block of ours, and part of the answer.
            Some(_) => {
                self.items.push(part.clone());
                true
            }
            None => false,
        }
    }

    fn end(&mut self) {
        // Some servers give no reason, and mark the end all the same (Snowflake Cortex).
        let Some(reason) = self.reason.take().or(self.done.then(String::new)) else {
            return self.answer.interrupted("the stream ended without a finish reason");
        };
        let stop = match finish_reason::stop(&reason) {
            Ok(stop) => stop,
            Err(error) => return self.answer.fail(error),
        };
        self.prose.finish(&mut self.answer);
        self.details.finish(&mut self.answer);
        for item in std::mem::take(&mut self.items) {
            self.answer.block(ContentBlock::Thinking(Thinking::of_item(&item)));
        }
        let called = self.calls.finish(&mut self.answer);
        // Several servers say `stop` although they call a tool.
        let stop = match stop {
            StopReason::EndTurn | StopReason::ToolUse if self.refuses => StopReason::Refusal,
            StopReason::EndTurn if called => StopReason::ToolUse,
            stop => stop,
        };
        self.answer.finished(stop);
    }
}

/// Returns true if a piece of a call has a part of its name or of its arguments.
fn says_something(function: &Value) -> bool {
    let has = |name: &str| function.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    has("name") || has("arguments")
}

fn is_first(choice: &Value) -> bool {
    choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests;
