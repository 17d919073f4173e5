//! Reading the stream of one attempt.

use futures_util::StreamExt;
use throughline_completion::{Answer, AnswerDetail, Assembly, CompletionEvent, EventStream, ModelError};
use throughline_conversation::ContentBlock;
use throughline_engine::{Event, TurnContext};

use super::AttemptUsage;
use super::searches::ShownSearches;

/// Outcome of sending a request.
pub(crate) enum Sent {
    Answer(Box<Answer>),
    /// With the text so far.
    Cancelled(String),
    Failed {
        error: ModelError,
        shown: bool,
    },
}

pub(super) async fn read(mut stream: EventStream, turn: &TurnContext<'_>) -> (Sent, AttemptUsage) {
    let (mut assembly, mut partial) = (Assembly::default(), PartialText::default());
    let (mut shown, mut begun) = (false, false);
    let mut searches = ShownSearches::default();
    loop {
        let item = tokio::select! {
            biased;
            () = turn.cancel.cancelled() => {
                searches.end(turn, "stopped");
                return (Sent::Cancelled(partial.text()), assembly.usage().into());
            }
            item = stream.next() => item,
        };
        match item {
            Some(Ok(CompletionEvent::Detail(AnswerDetail::News(text)))) => {
                turn.sink.emit(Event::Notice(text));
            }
            Some(Ok(event)) => {
                begun = true;
                shown |= show(turn, &event);
                searches.show(turn, &event);
                partial.push(&event);
                assembly.push(event);
            }
            Some(Err(error)) => {
                // An error before the first event counts as a rejection, except timeouts and interruptions.
                let silent = matches!(error, ModelError::Interrupted { .. } | ModelError::Silent { .. });
                let rejected = !begun && !silent;
                let used = if rejected { AttemptUsage::Nothing } else { assembly.usage().into() };
                searches.end(turn, "the answer broke off");
                return (Sent::Failed { error, shown }, used);
            }
            None => break,
        }
    }
    let used = assembly.usage().into();
    let sent = match assembly.finish() {
        Ok(answer) => Sent::Answer(Box::new(answer)),
        Err(error) => Sent::Failed { error, shown },
    };
    (sent, used)
}

/// Reports text and thinking. Returns true if there was something to see.
fn show(turn: &TurnContext<'_>, event: &CompletionEvent) -> bool {
    let (text, event) = match event {
        CompletionEvent::TextDelta(text) => (text, Event::Text(text.clone())),
        CompletionEvent::ThinkingDelta(text) => (text, Event::Thinking(text.clone())),
        _ => return false,
    };
    turn.sink.emit(event);
    !text.is_empty()
}

/// The text of an answer that is not complete.
#[derive(Debug, Default)]
struct PartialText {
    /// Complete blocks.
    blocks: Vec<String>,
    /// Deltas since the last complete block.
    open: String,
}

impl PartialText {
    fn push(&mut self, event: &CompletionEvent) {
        match event {
            CompletionEvent::TextDelta(text) => self.open.push_str(text),
            CompletionEvent::Block(ContentBlock::Text { text }) => {
                self.blocks.push(text.clone());
                self.open.clear();
            }
            _ => {}
        }
    }

    fn text(mut self) -> String {
        self.blocks.push(self.open);
        self.blocks.retain(|text| !text.trim().is_empty());
        self.blocks.join("\n\n")
    }
}
