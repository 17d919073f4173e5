//! The stream that answers `POST /v1/chat/completions` (OpenAI API reference, "Chat completion chunk"), and what
//! servers that speak like it add to it.

mod calls;
mod details;

use serde_json::Value;
use throughline_completion::StopReason;

use super::native::{DETAILS, REASONING};
use super::usage::read_usage;
use crate::answer::{Answer, Decoded};
use crate::fault;
use crate::prose::Prose;
use crate::sse::SseEvent;
use calls::Calls;
use details::Details;

/// Reads the chunks of one answer; of several choices the first.
///
/// Total: any chunk is taken. Chunks of a form that is not known become
/// [`CompletionEvent::Unknown`](throughline_completion::CompletionEvent::Unknown); an error in the stream, or data
/// that is no JSON, ends the answer with an error. Calls come behind the text. A call with arguments that are no
/// JSON object is kept under its id with the input `{"invalid_json": "<text>"}`. Thinking is signed with the name of
/// the field that it came in, and the fields `reasoning_details`, and `extra_content` of a call, are thinking before the calls:
/// so all find their way back.
#[derive(Debug)]
pub struct ChatDecoder {
    answer: Answer,
    prose: Prose,
    details: Details,
    calls: Calls,
    refuses: bool,
    stop: Option<StopReason>,
}

impl ChatDecoder {
    /// At the start of an answer. Calls that come without an id, or with one that was there before, become
    /// `<id_prefix>call_<n>`, counted from 1: the prefix should be short and differ from answer to answer.
    #[must_use]
    pub fn new(id_prefix: impl Into<String>) -> Self {
        Self {
            answer: Answer::default(),
            prose: Prose::default(),
            details: Details::default(),
            calls: Calls::new(id_prefix.into()),
            refuses: false,
            stop: None,
        }
    }

    /// The same, with ids that no call of this answer may have: those of the calls before it. A call with one of
    /// them gets another, as if it had come without.
    #[must_use]
    pub fn after(mut self, taken: impl IntoIterator<Item = String>) -> Self {
        self.calls.avoid(taken);
        self
    }

    /// Takes the next event of the stream. Behind the stop reason or an error comes nothing more.
    pub fn push(&mut self, event: &SseEvent) -> Decoded {
        if event.data.trim() == "[DONE]" {
            self.end();
        } else if let Some(chunk) = self.answer.json(&event.data) {
            self.chunk(&event.event, chunk);
        }
        self.answer.take()
    }

    /// The stream has ended. Without a finish reason before it the answer is
    /// [`ModelError::Interrupted`](throughline_completion::ModelError::Interrupted).
    #[must_use]
    pub fn finish(mut self) -> Decoded {
        self.end();
        self.answer.take()
    }

    fn chunk(&mut self, name: &str, chunk: Value) {
        if name == "error" || chunk.get("error").is_some_and(|error| !error.is_null()) {
            return self.answer.fail(fault::of_event(&chunk));
        }
        let usage = chunk.get("usage").filter(|usage| usage.is_object());
        let choices = chunk.get("choices").and_then(Value::as_array);
        if let Some(usage) = usage {
            self.answer.usage(read_usage(usage, "prompt", "completion"));
        }
        let known =
            choices.into_iter().flatten().filter(|choice| is_first(choice)).all(|choice| self.choice(choice));
        if !known || (choices.is_none() && usage.is_none()) {
            self.answer.unknown(chunk);
        }
    }

    /// Whether everything in the choice is of a known form.
    fn choice(&mut self, choice: &Value) -> bool {
        let delta = choice.get("delta").unwrap_or(&Value::Null);
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
        let refusal = field("refusal");
        self.refuses |= refusal.and_then(Value::as_str).is_some_and(|text| !text.is_empty());
        let refuses = self.prose(refusal, false);
        for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.calls.add(piece);
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.stop = Some(stop_reason(reason));
        }
        reasons && says && refuses
    }

    /// Takes more text or thinking: as a text, or as a list of parts (Mistral). Whether all of it is of a known form.
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
            Some("thinking") => self.prose(part.get("thinking"), true),
            _ => false,
        }
    }

    fn end(&mut self) {
        let Some(stop) = self.stop.take() else {
            return self.answer.interrupted("the stream ended without a finish reason");
        };
        self.prose.finish(&mut self.answer);
        self.details.finish(&mut self.answer);
        let called = self.calls.finish(&mut self.answer);
        // Several servers say `stop` although they call a tool.
        let stop = match stop {
            StopReason::EndTurn if called => StopReason::ToolUse,
            StopReason::EndTurn if self.refuses => StopReason::Refusal,
            stop => stop,
        };
        self.answer.finished(stop);
    }
}

fn is_first(choice: &Value) -> bool {
    choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0
}

fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "stop" => StopReason::EndTurn,
        "tool_calls" | "function_call" => StopReason::ToolUse,
        "length" => StopReason::MaxTokens,
        "content_filter" => StopReason::Refusal,
        other => StopReason::Other(other.to_owned()),
    }
}

#[cfg(test)]
mod tests;
