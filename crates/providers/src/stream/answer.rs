//! The events of one answer: exactly one end, nothing after it.

use serde_json::Value;
use throughline_completion::{CompletionEvent, ModelError, StopReason};
use throughline_conversation::{ContentBlock, Thinking, Usage};

use crate::errors::one_line::one_line;

/// The events of one piece of the stream.
pub type Decoded = Vec<Result<CompletionEvent, ModelError>>;

/// Collects events until the answer is over, which is the stop reason or an error, whichever comes first.
#[derive(Debug, Default)]
pub(crate) struct AnswerEvents {
    events: Decoded,
    over: bool,
    usage: Option<Usage>,
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

    /// A usage report; one that a server repeats with each piece is emitted once.
    pub(crate) fn usage(&mut self, usage: Usage) {
        if self.usage != Some(usage) {
            self.usage = Some(usage);
            self.event(CompletionEvent::Usage(usage));
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
        match serde_json::from_str(text) {
            Ok(value) => Some(value),
            Err(error) => {
                let found = one_line(text);
                self.interrupted(&format!("the stream holds no JSON ({error}): {found}"));
                None
            }
        }
    }
}
