//! Text and thinking of an answer on wires that have no blocks: only the order of the pieces tells them apart.

use throughline_conversation::{ContentBlock, Thinking};

use crate::stream::answer::AnswerEvents;

/// The piece of prose that is being written.
#[derive(Debug, Default)]
pub(crate) struct TextRun {
    thinks: bool,
    text: String,
    /// The signature of the thinking.
    signature: Option<&'static str>,
}

impl TextRun {
    /// Thinking from here on is signed with this.
    pub(crate) fn sign(&mut self, signature: &'static str) {
        self.signature = Some(signature);
    }

    /// More thinking. Text that came before it is whole.
    pub(crate) fn think(&mut self, more: &str, answer: &mut AnswerEvents) {
        if self.add(true, more, answer) {
            answer.thinking_delta(more);
        }
    }

    /// More text. Thinking that came before it is whole.
    pub(crate) fn say(&mut self, more: &str, answer: &mut AnswerEvents) {
        if self.add(false, more, answer) {
            answer.text_delta(more);
        }
    }

    /// Nothing more comes.
    pub(crate) fn finish(&mut self, answer: &mut AnswerEvents) {
        let text = std::mem::take(&mut self.text);
        answer.block(if self.thinks {
            let signature = self.signature.map(str::to_owned);
            ContentBlock::Thinking(Thinking { text, signature, redacted: None })
        } else {
            ContentBlock::Text { text }
        });
    }

    fn add(&mut self, thinks: bool, more: &str, answer: &mut AnswerEvents) -> bool {
        if more.is_empty() {
            return false;
        }
        if self.thinks != thinks {
            self.finish(answer);
            self.thinks = thinks;
        }
        self.text.push_str(more);
        true
    }
}
