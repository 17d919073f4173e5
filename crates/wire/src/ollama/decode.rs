//! The stream that answers `POST /api/chat` (Ollama documentation, "Generate a chat completion"): one JSON object
//! a line.

use serde_json::Value;
use throughline_completion::{CompletionEvent, StopReason};
use throughline_conversation::{ContentBlock, ToolCall, Usage};

use crate::errors;
use crate::figure;
use crate::stream::answer::{AnswerEvents, Decoded};
use crate::stream::answer_stream::{AnswerStream, Decode};
use crate::stream::call_ids::CallIds;
use crate::stream::prose::TextRun;

/// Reads the lines of one answer.
///
/// Total: any line is accepted. Lines of a form that is not known become [`CompletionEvent::Unknown`]; a line with an
/// `error`, or one that is no JSON, ends the answer with an error. Calls come behind the text.
#[derive(Debug)]
struct Decoder {
    answer: AnswerEvents,
    prose: TextRun,
    ids: CallIds,
    calls: Vec<ToolCall>,
}

impl AnswerStream {
    /// Of Ollama's chat API.
    ///
    /// The wire has no lasting ids for calls, so they are `<id_prefix>call_<n>`, counted from 1: the prefix should be
    /// short and differ from answer to answer.
    #[must_use]
    pub fn ollama(id_prefix: impl Into<String>) -> Self {
        Self::ndjson(Decoder::new(id_prefix.into()))
    }
}

impl Decode<String> for Decoder {
    fn push(&mut self, line: String) -> Decoded {
        if let Some(chunk) = self.answer.json(&line) {
            self.chunk(chunk);
        }
        self.answer.take()
    }

    fn whole(&mut self, document: Value) -> Decoded {
        self.chunk(document);
        self.answer.take()
    }

    fn finish(mut self: Box<Self>) -> Decoded {
        self.answer.interrupted("the stream ended without a line that says done");
        self.answer.take()
    }
}

impl Decoder {
    fn new(id_prefix: String) -> Self {
        Self {
            answer: AnswerEvents::default(),
            prose: TextRun::tagged(),
            ids: CallIds::new(id_prefix, []),
            calls: Vec::new(),
        }
    }

    fn chunk(&mut self, chunk: Value) {
        if errors::is_error(&chunk) {
            return self.answer.fail(errors::of_event(&chunk));
        }
        self.answer.identity(None, chunk.get("model"));
        let message = chunk.get("message").filter(|message| message.is_object());
        let done = chunk.get("done").and_then(Value::as_bool);
        if let Some(message) = message {
            let read = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
            self.prose.think(read("thinking"), &mut self.answer);
            self.prose.say(read("content"), &mut self.answer);
            for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
                self.call(call);
            }
        }
        if done == Some(true) {
            self.end(&chunk);
        } else if message.is_none() {
            self.answer.unknown(chunk);
        }
    }

    fn call(&mut self, call: &Value) {
        let name = call.pointer("/function/name").and_then(Value::as_str).unwrap_or_default();
        let arguments = call.pointer("/function/arguments").unwrap_or(&Value::Null);
        self.calls.extend(self.ids.calls("", name, arguments));
    }

    fn end(&mut self, chunk: &Value) {
        let called = !self.calls.is_empty();
        self.prose.finish(&mut self.answer);
        for call in std::mem::take(&mut self.calls) {
            self.answer.event(CompletionEvent::Block(ContentBlock::ToolCall(call)));
        }
        let figure = |name: &str| figure::field(chunk, name);
        // The figure of the prompt counts its cached tokens too (Ollama, `llm/llama_server.go`, promptEvalCount); with more cached
        // than read it cannot. Older servers leave it out when the prompt is wholly in their cache.
        let (read, cache_read) = (figure("prompt_eval_count"), figure("prompt_eval_cached_count"));
        let input = read.checked_sub(cache_read).unwrap_or(read);
        self.answer.usage(Usage { input, cache_read, output: figure("eval_count"), ..Usage::default() });
        // Older servers give no reason.
        let reason = chunk.get("done_reason").and_then(Value::as_str).unwrap_or("stop");
        self.answer.finished(match reason {
            "stop" | "" if called => StopReason::ToolUse,
            // The last two are no ends of an answer: the model was loaded or unloaded.
            "stop" | "" | "load" | "unload" => StopReason::EndTurn,
            "length" => StopReason::MaxTokens,
            other => StopReason::Other(other.to_owned()),
        });
    }
}

#[cfg(test)]
mod tests;
