//! Text and thinking of an answer on wires that have no blocks: only the order of the pieces tells them apart.

use throughline_conversation::{ContentBlock, Thinking};

use crate::stream::answer::AnswerEvents;
use crate::stream::think_tags::ThinkTags;

/// The piece of prose that is being written.
#[derive(Debug, Default)]
pub(crate) struct TextRun {
    thinks: bool,
    text: String,
    /// The signature of the thinking.
    signature: Option<&'static str>,
    /// Where a text may begin with thinking in tags.
    tags: Option<ThinkTags>,
}

impl TextRun {
    /// A run whose text may begin with thinking in tags.
    pub(crate) fn tagged() -> Self {
        Self { tags: Some(ThinkTags::default()), ..Self::default() }
    }

    /// Thinking from here on is signed with this.
    pub(crate) fn sign(&mut self, signature: &'static str) {
        self.signature = Some(signature);
    }

    /// More thinking. Text that came before it is whole.
    pub(crate) fn think(&mut self, more: &str, answer: &mut AnswerEvents) {
        self.add(true, more, answer);
    }

    /// More text. Thinking that came before it is whole.
    pub(crate) fn say(&mut self, more: &str, answer: &mut AnswerEvents) {
        let Some(tags) = &mut self.tags else { return self.add(false, more, answer) };
        for (thinks, piece) in tags.push(more) {
            self.add(thinks, &piece, answer);
        }
    }

    /// Nothing more comes.
    pub(crate) fn finish(&mut self, answer: &mut AnswerEvents) {
        if let Some((thinks, rest)) = self.tags.as_mut().map(ThinkTags::finish) {
            self.add(thinks, &rest, answer);
        }
        self.close(answer);
    }

    fn close(&mut self, answer: &mut AnswerEvents) {
        let text = std::mem::take(&mut self.text);
        answer.block(if self.thinks {
            let signature = self.signature.map(str::to_owned);
            ContentBlock::Thinking(Thinking { text, signature, redacted: None })
        } else {
            ContentBlock::Text { text }
        });
    }

    fn add(&mut self, thinks: bool, more: &str, answer: &mut AnswerEvents) {
        if more.is_empty() {
            return;
        }
        if self.thinks != thinks {
            self.close(answer);
            self.thinks = thinks;
        }
        self.text.push_str(more);
        if thinks { answer.thinking_delta(more) } else { answer.text_delta(more) }
    }
}
