//! The events of one answer: exactly one end, nothing after it.

use serde_json::Value;
use throughline_completion::{AnswerDetail, CompletionEvent, ModelError, StopReason};
use throughline_conversation::{AnswerIdentity, ContentBlock, Thinking, Usage};

use crate::errors::one_line;
use crate::stream::half_characters::HalfCharacters;

/// The events of one piece of the stream.
pub type Decoded = Vec<Result<CompletionEvent, ModelError>>;

/// Collects events until the answer is over, which is the stop reason or an error, whichever comes first.
#[derive(Debug, Default)]
pub(crate) struct AnswerEvents {
    events: Decoded,
    over: bool,
    usage: Option<Usage>,
    identity: AnswerIdentity,
    halves: HalfCharacters,
}

impl AnswerEvents {
    /// The events since the last call.
    pub(crate) fn take(&mut self) -> Decoded {
        std::mem::take(&mut self.events)
    }

    pub(crate) fn event(&mut self, event: CompletionEvent) {
        if !self.over {
            self.events.push(Ok(event));
        }
    }

    pub(crate) fn text_delta(&mut self, text: &str) {
        if !text.is_empty() {
            self.event(CompletionEvent::TextDelta(text.to_owned()));
        }
    }

    pub(crate) fn thinking_delta(&mut self, text: &str) {
        if !text.is_empty() {
            self.event(CompletionEvent::ThinkingDelta(text.to_owned()));
        }
    }

    pub(crate) fn unknown(&mut self, value: Value) {
        self.event(CompletionEvent::Unknown(value));
    }

    /// Adds a block, unless it is empty: no provider takes one back.
    pub(crate) fn block(&mut self, block: ContentBlock) {
        let has_content = match &block {
            ContentBlock::Text { text } => !text.is_empty(),
            ContentBlock::Thinking(Thinking { text, signature, redacted }) => {
                !text.is_empty() || signature.is_some() || redacted.is_some()
            }
            _ => true,
        };
        if has_content {
            self.event(CompletionEvent::Block(block));
        }
    }

    /// A usage report; one that a server repeats with each piece is emitted once. A zero does not replace a count, and a report
    /// without any token of the prompt does not count: each request has some, so the answer's cost is unknown.
    pub(crate) fn usage(&mut self, mut usage: Usage) {
        let known = self.usage.unwrap_or_default();
        if usage.prompt() == 0 {
            (usage.input, usage.cache_read, usage.cache_write) =
                (known.input, known.cache_read, known.cache_write);
        }
        if usage.output == 0 {
            usage.output = known.output;
        }
        if usage.prompt() > 0 && self.usage != Some(usage) {
            self.usage = Some(usage);
            self.event(CompletionEvent::Usage(usage));
        }
    }

    /// The provider's names of the answer and of its model; what a server repeats with each piece is emitted once.
    pub(crate) fn identity(&mut self, id: Option<&Value>, model: Option<&Value>) {
        let new = |known: &mut Option<String>, value: Option<&Value>| {
            let name = value.and_then(Value::as_str).filter(|name| known.as_deref() != Some(*name))?;
            *known = Some(name.to_owned());
            Some(name.to_owned())
        };
        let id = new(&mut self.identity.id, id).map(AnswerDetail::Id);
        let model = new(&mut self.identity.model, model).map(AnswerDetail::Model);
        for detail in id.into_iter().chain(model) {
            self.event(CompletionEvent::Detail(detail));
        }
    }

    pub(crate) fn finished(&mut self, stop: StopReason) {
        self.event(CompletionEvent::Finished(stop));
        self.over = true;
    }

    pub(crate) fn fail(&mut self, error: ModelError) {
        if !self.over {
            self.events.push(Err(error));
        }
        self.over = true;
    }

    /// The stream ended too early.
    pub(crate) fn interrupted(&mut self, message: &str) {
        self.fail(ModelError::Interrupted { message: message.to_owned() });
    }

    /// A piece that should be JSON. Anything else ends the answer: its content is lost.
    pub(crate) fn json(&mut self, text: &str) -> Option<Value> {
        if self.over {
            return None;
        }
        match serde_json::from_str(&self.halves.joined(text)) {
            Ok(value) => Some(value),
            Err(error) => {
                let found = one_line(text);
                self.interrupted(&format!("the stream holds no JSON ({error}): {found}"));
                None
            }
        }
    }
}
