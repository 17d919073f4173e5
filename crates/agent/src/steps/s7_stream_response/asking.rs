//! Asking the model: tries, and what comes of one.

use futures_util::StreamExt;
use throughline_completion::{
    Assembly, Backoff, CompletionEvent, CompletionRequest, EventStream, ModelError, StopReason,
};
use throughline_conversation::{ContentBlock, Message, ModelUse, Usage};

use crate::Event;
use crate::engine::{Engine, Wire};

/// Sends the request, again where that may help. What was shown of an answer that broke off is withdrawn. Gives also what
/// tries used from which nothing came, as far as the provider told.
pub(super) async fn ask(engine: &Engine, wire: &Wire<'_>, request: &CompletionRequest) -> (Sent, ModelUse) {
    let mut backoff = Backoff::new(engine.parts.settings.retry, engine.parts.session.as_str());
    let mut lost = ModelUse::of(engine.origin());
    loop {
        let (sent, used) = send(engine, wire, request).await;
        if matches!(sent, Sent::Cancelled(_) | Sent::Failed { .. }) {
            match used {
                Used::Nothing => {}
                Used::Told(usage) => lost.add(usage),
                Used::Untold => lost.add_unreported(),
            }
        }
        let Sent::Failed { error, shown } = &sent else { return (sent, lost) };
        let Some(wait) = backoff.wait_after(error) else { return (sent, lost) };
        withdraw(wire, *shown, &error.to_string());
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        wire.sink.emit(Event::Retrying { cause: error.to_string(), wait_ms });
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = wire.cancel.cancelled() => return (Sent::Cancelled(String::new()), lost),
        }
    }
}

/// What came of sending a request.
pub(super) enum Sent {
    /// The message, why the model stopped, and what the provider reported.
    Answer((Message, StopReason, Option<Usage>)),
    /// With the text so far.
    Cancelled(String),
    Failed {
        error: ModelError,
        shown: bool,
    },
}

/// What a try used.
#[derive(Debug, Clone, Copy)]
enum Used {
    /// It was not sent, or not taken.
    Nothing,
    /// What the provider reported.
    Told(Usage),
    /// The provider worked on it and reported nothing: it has to be paid, and nobody knows how much.
    Untold,
}

impl From<Option<Usage>> for Used {
    fn from(told: Option<Usage>) -> Self {
        told.map_or(Self::Untold, Self::Told)
    }
}

/// Sends the request once. Gives also what it used.
async fn send(engine: &Engine, wire: &Wire<'_>, request: &CompletionRequest) -> (Sent, Used) {
    if wire.cancel.is_cancelled() {
        return (Sent::Cancelled(String::new()), Used::Nothing);
    }
    let opened = tokio::select! {
        biased;
        // Some providers answer with their first word only, when all of the request has been read.
        () = wire.cancel.cancelled() => return (Sent::Cancelled(String::new()), Used::Untold),
        opened = engine.parts.model.stream(request) => opened,
    };
    match opened {
        Ok(stream) => read(wire, stream).await,
        Err(error) => (Sent::Failed { error, shown: false }, Used::Nothing),
    }
}

async fn read(wire: &Wire<'_>, mut stream: EventStream) -> (Sent, Used) {
    let (mut assembly, mut said) = (Assembly::default(), Said::default());
    let (mut shown, mut begun) = (false, false);
    loop {
        let item = tokio::select! {
            biased;
            () = wire.cancel.cancelled() => return (Sent::Cancelled(said.text()), assembly.usage().into()),
            item = stream.next() => item,
        };
        match item {
            Some(Ok(event)) => {
                begun = true;
                shown |= show(wire, &event);
                said.take(&event);
                assembly.push(event);
            }
            Some(Err(error)) => {
                // An error in the place of the first event is a refusal that came late; a silence is none.
                let silent = matches!(error, ModelError::Interrupted { .. } | ModelError::Silent { .. });
                let refused = !begun && !silent;
                let used = if refused { Used::Nothing } else { assembly.usage().into() };
                return (Sent::Failed { error, shown }, used);
            }
            None => break,
        }
    }
    let used = assembly.usage().into();
    let sent = match assembly.finish() {
        Ok(answer) => Sent::Answer(answer),
        Err(error) => Sent::Failed { error, shown },
    };
    (sent, used)
}

/// Gives whether there was something to be seen. Figures come before the first word, and a call is shown when it is run.
fn show(wire: &Wire<'_>, event: &CompletionEvent) -> bool {
    let (text, event) = match event {
        CompletionEvent::TextDelta(text) => (text, Event::Text(text.clone())),
        CompletionEvent::ThinkingDelta(text) => (text, Event::Thinking(text.clone())),
        _ => return false,
    };
    wire.sink.emit(event);
    !text.is_empty()
}

/// The text of an answer that comes in.
#[derive(Debug, Default)]
struct Said {
    /// Whole blocks.
    blocks: Vec<String>,
    /// What came since.
    open: String,
}

impl Said {
    fn take(&mut self, event: &CompletionEvent) {
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

/// Says that what was shown of an answer does not count.
pub(super) fn withdraw(wire: &Wire<'_>, shown: bool, why: &str) {
    if shown {
        wire.sink.emit(Event::Withdrawn { why: why.to_owned() });
    }
}
