//! Text and thinking of an answer on wires that have no blocks: only the order of the pieces tells them apart.

use throughline_conversation::{ContentBlock, Thinking};

use crate::answer::Answer;

/// The piece of prose that is being written.
#[derive(Debug, Default)]
pub(crate) struct Prose {
    thinks: bool,
    text: String,
}

impl Prose {
    /// More thinking. Text that came before it is whole.
    pub(crate) fn think(&mut self, more: &str, answer: &mut Answer) {
        if self.add(true, more, answer) {
            answer.thinking_delta(more);
        }
    }

    /// More text. Thinking that came before it is whole.
    pub(crate) fn say(&mut self, more: &str, answer: &mut Answer) {
        if self.add(false, more, answer) {
            answer.text_delta(more);
        }
    }

    /// Nothing more comes.
    pub(crate) fn finish(&mut self, answer: &mut Answer) {
        let text = std::mem::take(&mut self.text);
        answer.block(if self.thinks {
            ContentBlock::Thinking(Thinking { text, signature: None, redacted: None })
        } else {
            ContentBlock::Text { text }
        });
    }

    fn add(&mut self, thinks: bool, more: &str, answer: &mut Answer) -> bool {
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
