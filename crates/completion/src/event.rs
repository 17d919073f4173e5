//! The stream of events that a model answers with, and the message that they add up to.

use futures_core::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_conversation::{ContentBlock, Message, Role, Usage};

use crate::answer::Answer;
use crate::detail::{AnswerDetail, AnswerDetails};
use crate::error::ModelError;

/// A running answer. Dropping it cancels the request.
pub type EventStream = BoxStream<'static, Result<CompletionEvent, ModelError>>;

/// One event of an answer.
///
/// Deltas are for showing progress. The message consists of the [`CompletionEvent::Block`]s alone, so nothing
/// half-received is ever stored.
#[derive(Debug, Clone, PartialEq)]
pub enum CompletionEvent {
    /// More of the text that is being written.
    TextDelta(String),
    /// More of the thinking.
    ThinkingDelta(String),
    /// A block is complete.
    Block(ContentBlock),
    /// The provider's usage report. The last report counts.
    Usage(Usage),
    /// What the provider says about the answer. The last detail of a kind counts.
    Detail(AnswerDetail),
    /// The answer is complete.
    Finished(StopReason),
    /// An event that this version does not know; recorded in the log, never an error.
    Unknown(Value),
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The answer is complete.
    EndTurn,
    /// It waits for results of its calls.
    ToolUse,
    /// The answer reached the limit of output tokens.
    MaxTokens,
    /// It met a stop sequence.
    StopSequence,
    /// It refuses.
    Refusal,
    /// It pauses a long turn; sending the transcript again continues it.
    Pause,
    /// A reason that this version does not know.
    Other(String),
}

impl StopReason {
    /// Anthropic's word for an answer that filled the window. It comes as [`StopReason::Other`].
    pub const WINDOW_FULL: &str = "model_context_window_exceeded";

    /// The word for an answer that is a tool call as text. It comes as [`StopReason::Other`].
    pub const CALL_AS_TEXT: &str = "call_as_text";

    /// The word for a turn that a hook has ended. It comes as [`StopReason::Other`].
    pub const STOPPED_BY_HOOK: &str = "stopped_by_hook";

    /// The reason of this [name](Self::name).
    #[must_use]
    pub fn named(name: &str) -> Self {
        let known =
            [Self::EndTurn, Self::ToolUse, Self::MaxTokens, Self::StopSequence, Self::Refusal, Self::Pause];
        known.into_iter().find(|reason| reason.name() == name).unwrap_or_else(|| Self::Other(name.to_owned()))
    }

    /// Returns true if the answer was truncated by a limit.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        *self == Self::MaxTokens || self.name() == Self::WINDOW_FULL
    }

    /// The reason as a word for logs and receipts.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::EndTurn => "end_turn",
            Self::ToolUse => "tool_use",
            Self::MaxTokens => "max_tokens",
            Self::StopSequence => "stop_sequence",
            Self::Refusal => "refusal",
            Self::Pause => "pause",
            Self::Other(name) => name,
        }
    }
}

/// Adds events up to a message.
#[derive(Debug, Default)]
pub struct Assembly {
    blocks: Vec<ContentBlock>,
    usage: Option<Usage>,
    details: AnswerDetails,
    stop: Option<StopReason>,
}

impl Assembly {
    /// Takes the next event.
    pub fn push(&mut self, event: CompletionEvent) {
        match event {
            CompletionEvent::Block(block) => self.blocks.push(block),
            CompletionEvent::Usage(usage) => self.usage = Some(usage),
            CompletionEvent::Detail(detail) => self.details.add(detail),
            CompletionEvent::Finished(stop) => self.stop = Some(stop),
            CompletionEvent::TextDelta(_)
            | CompletionEvent::ThinkingDelta(_)
            | CompletionEvent::Unknown(_) => {}
        }
    }

    /// The usage reported so far.
    #[must_use]
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// The answer.
    ///
    /// Texts of white space alone are left out: no provider takes them back. So are the calls of an answer that the provider
    /// stopped as refused: its word is the last one. A message with nothing but items of the provider's own gets a text that names
    /// them. The message may have no block.
    ///
    /// # Errors
    /// [`ModelError::Interrupted`] when the stream ended without saying that the answer is complete.
    pub fn finish(self) -> Result<Answer, ModelError> {
        let Some(stop) = self.stop else {
            return Err(ModelError::Interrupted {
                message: "the stream ended without a stop reason".to_owned(),
            });
        };
        let says = |block: &ContentBlock| match block {
            ContentBlock::Text { text } => !text.trim().is_empty(),
            ContentBlock::ToolCall(_) => stop != StopReason::Refusal,
            _ => true,
        };
        let mut content: Vec<ContentBlock> = self.blocks.into_iter().filter(says).collect();
        content.extend(items_text(&content));
        let message = Message { role: Role::Assistant, content };
        Ok(Answer { message, stop, usage: self.usage, details: self.details })
    }
}

/// Names the items of a message that has nothing else to show; `None` for any other message. An encoder that sends the items
/// back leaves this text out.
#[must_use]
pub fn items_text(content: &[ContentBlock]) -> Option<ContentBlock> {
    let mut kinds = Vec::new();
    for block in content {
        let ContentBlock::Thinking(thinking) = block else { return None };
        let item = thinking.item();
        kinds.extend(item.as_ref().and_then(|item| item.get("type")?.as_str()).map(str::to_owned));
    }
    kinds.dedup();
    let text = format!("[the provider's own {} and no text]", kinds.join(", "));
    (!kinds.is_empty()).then_some(ContentBlock::Text { text })
}
