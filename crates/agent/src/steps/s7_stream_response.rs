//! Step 7: the answer. The only step that may fail a turn.

use futures_util::StreamExt;
use throughline_completion::{
    Assembly, CompletionEvent, CompletionRequest, EventStream, ModelError, StopReason,
};
use throughline_conversation::{ContentBlock, Message, MessageRecord, RecordBody, Source, Usage};

use super::s6_build_request::Ready;
use crate::engine::{Engine, Wire};
use crate::error::TurnError;
use crate::retry::Backoff;
use crate::{Event, compacting};

/// The answer is in the log.
#[derive(Debug)]
pub(crate) struct Responded {
    /// What the model said; `None` when it said nothing that can be kept.
    pub(crate) message: Option<Message>,
    pub(crate) stop: StopReason,
}

/// What came of streaming.
#[derive(Debug)]
pub(crate) enum Streamed {
    /// An answer.
    Responded(Responded),
    /// The provider found the request too long; the view has shrunk, so build another.
    Compacted,
    /// The caller cancelled; nothing of the answer is kept.
    Cancelled,
}

pub(crate) async fn stream_response(
    ready: Ready,
    engine: &mut Engine,
    wire: &Wire<'_>,
    may_compact: bool,
) -> Result<Streamed, TurnError> {
    let Ready { request, mut receipt, raw } = ready;
    let answer = ask(engine, wire, &request).await;
    // From here on the transcript must have one owner again, or the next append copies all of it.
    drop(request);
    let (message, stop, usage) = match answer {
        Ok(Some(answer)) => answer,
        Ok(None) => return Ok(Streamed::Cancelled),
        Err(ModelError::Overflow { message, limit }) if may_compact => {
            compacting::after_overflow(engine, wire, raw, &message, limit).await?;
            return Ok(Streamed::Compacted);
        }
        Err(error) => return Err(error.into()),
    };
    wire.sink.emit(Event::Answered { usage, stop: stop.name().to_owned() });
    receipt.reported = usage;
    stop.name().clone_into(&mut receipt.stop);
    receipt.degraded = std::mem::take(&mut engine.notes.degraded);
    engine.fresh_turn = false;

    let kept = keeps(&message).then_some(message);
    let before = engine.view.tokens();
    if let Some(message) = &kept {
        let source = Source::Model(receipt.model.clone());
        let body = RecordBody::Message(MessageRecord { message: message.clone(), source, usage });
        engine.append(body).map_err(|error| ModelError::Other(Box::new(error)))?;
    } else {
        engine.decide("stream_response", "answer not kept", "it has no text and no tool call");
    }
    if let Some(usage) = &usage {
        let said = engine.view.tokens().saturating_sub(before);
        engine.meter.anchor(raw, raw.saturating_add(said), usage);
    }
    engine.journal.add(engine.exchange, RecordBody::Receipt(receipt));
    // The answer is durable before a tool runs: a crash inside a tool cannot lose it.
    engine.flush(wire).await;
    Ok(Streamed::Responded(Responded { message: kept, stop }))
}

type Answer = (Message, StopReason, Option<Usage>);

/// Sends the request, again where that may help and nothing was shown yet. `None`: cancelled.
async fn ask(
    engine: &Engine,
    wire: &Wire<'_>,
    request: &CompletionRequest,
) -> Result<Option<Answer>, ModelError> {
    let mut backoff = Backoff::new(engine.parts.settings.retry);
    loop {
        let error = match send(engine, wire, request).await {
            Sent::Answer(answer) => return Ok(Some(answer)),
            Sent::Cancelled => return Ok(None),
            Sent::Failed { error, shown: true } => return Err(error),
            Sent::Failed { error, shown: false } => error,
        };
        let Some(wait) = backoff.wait_after(&error) else { return Err(error) };
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        wire.sink.emit(Event::Retrying { cause: error.to_string(), wait_ms });
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = wire.cancel.cancelled() => return Ok(None),
        }
    }
}

enum Sent {
    Answer(Answer),
    Cancelled,
    Failed { error: ModelError, shown: bool },
}

async fn send(engine: &Engine, wire: &Wire<'_>, request: &CompletionRequest) -> Sent {
    let opened = tokio::select! {
        biased;
        () = wire.cancel.cancelled() => return Sent::Cancelled,
        opened = engine.parts.model.stream(request) => opened,
    };
    match opened {
        Ok(stream) => read(wire, stream).await,
        Err(error) => Sent::Failed { error, shown: false },
    }
}

async fn read(wire: &Wire<'_>, mut stream: EventStream) -> Sent {
    let mut assembly = Assembly::default();
    let mut shown = false;
    loop {
        let item = tokio::select! {
            biased;
            () = wire.cancel.cancelled() => return Sent::Cancelled,
            item = stream.next() => item,
        };
        match item {
            Some(Ok(event)) => {
                shown = true;
                show(wire, &event);
                assembly.push(event);
            }
            Some(Err(error)) => return Sent::Failed { error, shown },
            None => break,
        }
    }
    match assembly.finish() {
        Ok(answer) => Sent::Answer(answer),
        Err(error) => Sent::Failed { error, shown },
    }
}

fn show(wire: &Wire<'_>, event: &CompletionEvent) {
    match event {
        CompletionEvent::TextDelta(text) => wire.sink.emit(Event::Text(text.clone())),
        CompletionEvent::ThinkingDelta(text) => wire.sink.emit(Event::Thinking(text.clone())),
        _ => {}
    }
}

/// Whether a message says something that may be sent back: thinking alone may not.
fn keeps(message: &Message) -> bool {
    message.content.iter().any(|block| !matches!(block, ContentBlock::Thinking(_)))
}
