//! The stream that answers `:streamGenerateContent?alt=sse` (Gemini API reference, "GenerateContentResponse").

mod searches;

use serde_json::Value;
use throughline_completion::{AnswerDetail, CompletionEvent, StopReason};
use throughline_conversation::{ContentBlock, Thinking, Usage};

use super::{errors as ends, signature};
use crate::errors;
use crate::figure;
use crate::stream::answer::{AnswerEvents, Decoded};
use crate::stream::answer_stream::{AnswerStream, Decode};
use crate::stream::call_ids::CallIds;
use crate::stream::prose::TextRun;
use crate::stream::sse::SseEvent;
use searches::Searches;

/// Facts of a candidate that no block can hold.
const FACTS: &[&str] = &["groundingMetadata", "citationMetadata", "urlContextMetadata"];

/// Reads the chunks of one answer; of several candidates the first.
///
/// Total: any chunk is accepted. Chunks of a form that is not known become
/// [`CompletionEvent::Unknown`](throughline_completion::CompletionEvent::Unknown); an error in the stream, or data that is not JSON, ends the answer with an error. A
/// signature is a block next to that of its part. Parts of the provider's own tools, and sources, are
/// stored as items of the provider.
#[derive(Debug)]
struct Decoder {
    /// The chunks are in the envelope of Code Assist.
    wrapped: bool,
    answer: AnswerEvents,
    prose: TextRun,
    /// The signature of the text that is being written.
    signed: Option<String>,
    ids: CallIds,
    called: bool,
    /// The finish reason, and the words that came with it.
    stop: Option<(String, String)>,
    /// The prompt was blocked.
    blocked: bool,
    /// What the candidate says about its sources; the last report of a kind is the whole one.
    facts: Vec<(&'static str, Value)>,
    searches: Searches,
    /// The last usage report.
    usage: Option<Usage>,
}

impl AnswerStream {
    /// Of the Gemini API.
    ///
    /// Calls that come without an id, or with one that an earlier call has, become `<id_prefix>call_<n>`, counted
    /// from 1: the prefix should be short and differ from answer to answer. `taken` are the ids of the calls before
    /// this answer.
    #[must_use]
    pub fn gemini(id_prefix: impl Into<String>, taken: impl IntoIterator<Item = String>) -> Self {
        Self::sse(Decoder::new(false, CallIds::new(id_prefix.into(), taken)))
    }

    /// Of Gemini Code Assist: the same chunks, each as the field `response` of an envelope.
    #[must_use]
    pub fn gemini_gca(id_prefix: impl Into<String>, taken: impl IntoIterator<Item = String>) -> Self {
        Self::sse(Decoder::new(true, CallIds::new(id_prefix.into(), taken)))
    }
}

impl Decode<SseEvent> for Decoder {
    fn push(&mut self, event: SseEvent) -> Decoded {
        if let Some(chunk) = self.answer.json(&event.data) {
            self.envelope(chunk);
        }
        self.answer.take()
    }

    fn whole(&mut self, document: Value) -> Decoded {
        self.envelope(document);
        self.end();
        self.answer.take()
    }

    fn finish(mut self: Box<Self>) -> Decoded {
        self.end();
        self.answer.take()
    }
}

impl Decoder {
    fn new(wrapped: bool, ids: CallIds) -> Self {
        Self {
            wrapped,
            answer: AnswerEvents::default(),
            prose: TextRun::default(),
            signed: None,
            ids,
            called: false,
            stop: None,
            blocked: false,
            facts: Vec::new(),
            searches: Searches::default(),
            usage: None,
        }
    }

    fn envelope(&mut self, mut chunk: Value) {
        if errors::is_error(&chunk) {
            self.answer.fail(errors::of_event(&chunk));
        } else if !self.wrapped {
            self.chunk(chunk);
        } else if let Some(response) = chunk.get_mut("response").map(Value::take) {
            self.chunk(response);
        } else {
            self.answer.unknown(chunk);
        }
    }

    fn chunk(&mut self, chunk: Value) {
        self.answer.identity(chunk.get("responseId"), chunk.get("modelVersion"));
        let usage = chunk.get("usageMetadata").filter(|usage| usage.is_object());
        if let Some(usage) = usage {
            let usage = read_usage(usage);
            self.usage = Some(usage);
            self.answer.usage(usage);
        }
        let model = chunk.get("modelVersion").and_then(Value::as_str);
        self.searches.charged_by_answer |= model.is_some_and(|model| !signature::is_required(model));
        let block = chunk.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
        if let Some(reason) = block {
            self.blocked = true;
            let said = chunk.pointer("/promptFeedback/blockReasonMessage").and_then(Value::as_str);
            let said = said.unwrap_or("the prompt is blocked");
            self.answer.event(ends::refusal(reason, said));
        }
        let candidates = chunk.get("candidates").and_then(Value::as_array);
        let first = candidates.into_iter().flatten().find(|candidate| is_first(candidate));
        let known = first.is_none_or(|candidate| self.candidate(candidate));
        if !known || (candidates.is_none() && usage.is_none() && block.is_none()) {
            self.answer.unknown(chunk);
        }
    }

    /// Returns true if everything in the candidate is of a known form.
    fn candidate(&mut self, candidate: &Value) -> bool {
        let mut known = true;
        let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            known &= self.part(part);
        }
        for name in FACTS {
            if let Some(fact) =
                candidate.get(name).filter(|fact| fact.as_object().is_some_and(|fact| !fact.is_empty()))
            {
                self.facts.retain(|(known, _)| known != name);
                self.facts.push((name, fact.clone()));
            }
        }
        if let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) {
            let message = candidate.get("finishMessage").and_then(Value::as_str).unwrap_or_default();
            self.stop = Some((reason.to_owned(), message.to_owned()));
        }
        known
    }

    fn part(&mut self, part: &Value) -> bool {
        let signed = part.get(signature::FIELD).and_then(Value::as_str).filter(|signed| !signed.is_empty());
        let thought = part.get("thought").and_then(Value::as_bool) == Some(true);
        if let Some(call) = part.get("functionCall") {
            self.sign(signed);
            self.call(call);
        } else if let Some(text) = part.get("text").and_then(Value::as_str) {
            match (thought, signed) {
                (true, None) => {
                    if self.signed.is_some() {
                        self.end_part();
                    }
                    self.prose.think(text, &mut self.answer);
                }
                (true, Some(signed)) => self.signed_thought(text, signed),
                (false, None) => self.prose.say(text, &mut self.answer),
                (false, Some(signed)) => self.signed_text(text, signed),
            }
        } else if part.as_object().is_some_and(|fields| !fields.is_empty()) {
            // Of the provider's own tools, or newer than this reader: part of the answer, and no block of ours.
            self.end_part();
            let block = match self.searches.read(part) {
                Some(search) => {
                    let block = Thinking::of_search(part, &search);
                    self.answer.event(CompletionEvent::Detail(AnswerDetail::Search(search)));
                    block
                }
                None => Thinking::of_item(part),
            };
            self.answer.block(ContentBlock::Thinking(block));
        } else {
            return part.is_object();
        }
        true
    }

    /// The signature of the part that follows.
    fn sign(&mut self, signed: Option<&str>) {
        self.end_part();
        if let Some(signed) = signed {
            self.answer.block(signature::block(signed));
        }
    }

    /// Ends the text or the thinking that is being written, with its signature.
    fn end_part(&mut self) {
        self.prose.finish(&mut self.answer);
        if let Some(signed) = self.signed.take() {
            self.answer.block(signature::of_text(&signed));
        }
    }

    fn signed_text(&mut self, text: &str, signed: &str) {
        if text.trim().is_empty() {
            // Nothing but a signature; white space is no part that the API takes.
            return self.sign(Some(signed));
        }
        if self.signed.is_some() {
            self.end_part();
        }
        // A stream signs the first or the last piece of a text, which is one part where the answer does not stream.
        self.prose.say(text, &mut self.answer);
        self.signed = Some(signed.to_owned());
    }

    fn signed_thought(&mut self, text: &str, signed: &str) {
        self.end_part();
        self.answer.thinking_delta(text);
        self.answer.block(signature::thought(text.to_owned(), signed));
    }

    fn call(&mut self, call: &Value) {
        let read = |name: &str| call.get(name).and_then(Value::as_str).unwrap_or_default();
        let arguments = call.get("args").unwrap_or(&Value::Null);
        self.called = true;
        for call in self.ids.calls(read("id"), read("name"), arguments) {
            self.answer.block(ContentBlock::ToolCall(call));
        }
    }

    fn end(&mut self) {
        let Some((reason, message)) = self.stop.take() else {
            if self.blocked {
                return self.answer.finished(StopReason::Refusal);
            }
            return self.answer.interrupted("the stream ended without a finish reason");
        };
        self.end_part();
        self.end_searches();
        for (name, fact) in std::mem::take(&mut self.facts) {
            let item = Value::Object([(name.to_owned(), fact)].into_iter().collect());
            self.answer.block(ContentBlock::Thinking(Thinking::of_item(&item)));
        }
        match ends::stop(&reason, self.called, &message) {
            Ok(stop) => {
                if stop == StopReason::Refusal {
                    self.answer.event(ends::refusal(&reason, &message));
                }
                self.answer.finished(stop);
            }
            Err(error) => self.answer.fail(error),
        }
    }
}

impl Decoder {
    /// Reports the searches that only the sources tell of, what the answer cites, and how many searches are charged.
    fn end_searches(&mut self) {
        let grounding =
            self.facts.iter().find(|(name, _)| *name == "groundingMetadata").map(|(_, fact)| fact);
        let grounded = self.searches.end(grounding);
        for search in grounded.searches {
            self.answer.event(CompletionEvent::Detail(AnswerDetail::Search(search)));
        }
        if !grounded.cited.is_empty() {
            self.answer.event(CompletionEvent::Detail(AnswerDetail::Cited(grounded.cited)));
        }
        if let Some(usage) = self.usage.filter(|_| grounded.charged > 0) {
            self.answer.usage(Usage { searches: grounded.charged, ..usage });
        }
    }
}

fn is_first(candidate: &Value) -> bool {
    candidate.get("index").and_then(Value::as_u64).unwrap_or(0) == 0
}

/// The figures so far: each report counts from the beginning of the answer. The tokens of the prompt count the cached ones
/// too. What the provider's own tools read is no part of the prompt and is left out.
fn read_usage(usage: &Value) -> Usage {
    let figure = |name: &str| figure::field(usage, name);
    let prompt = figure("promptTokenCount");
    let cache_read = figure("cachedContentTokenCount").min(prompt);
    let output = figure("candidatesTokenCount").saturating_add(figure("thoughtsTokenCount"));
    Usage { input: prompt - cache_read, cache_read, cache_write: 0, output, searches: 0 }
}

#[cfg(test)]
mod tests;
