//! Step 7: the answer. The only step that may fail a turn.

use futures_util::StreamExt;
use throughline_completion::{
    Assembly, CompletionEvent, CompletionRequest, EventStream, ModelError, StopReason,
};
use throughline_conversation::{ContentBlock, Message, MessageRecord, RecordBody, Source, Usage, View};

use super::s6_build_request::Ready;
use crate::engine::{Engine, Wire};
use crate::error::TurnError;
use crate::retry::Backoff;
use crate::{Event, compacting, switching};

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
    /// The model cannot answer; another one goes on, so build the request for that.
    Switched,
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
    if !matches!(answer, Sent::Answer(_)) {
        engine.notes.put_back((*receipt).clone());
    }
    let (message, stop, usage) = match answer {
        Sent::Answer(answer) => answer,
        Sent::Cancelled => return Ok(Streamed::Cancelled),
        Sent::Failed { error: ModelError::Overflow { message, limit }, shown } if may_compact => {
            if shown {
                wire.sink.emit(Event::Withdrawn { why: message.clone() });
            }
            compacting::after_overflow(engine, wire, raw, &message, limit).await?;
            return Ok(Streamed::Compacted);
        }
        Sent::Failed { error, shown: false } if another_may_answer(&error) => {
            return go_on_with_another(engine, wire, error).await;
        }
        Sent::Failed { error, .. } => return Err(error.into()),
    };
    wire.sink.emit(Event::Answered { usage, stop: stop.name().to_owned() });
    receipt.reported = usage;
    engine.progress.add(usage.as_ref());
    stop.name().clone_into(&mut receipt.stop);
    receipt.degraded = std::mem::take(&mut engine.notes.degraded);
    engine.fresh_turn = false;

    let kept = keeps(&message).then(|| with_own_ids(message, &engine.view));
    let before = engine.view.tokens();
    if let Some(message) = &kept {
        let source = Source::Model(receipt.model.clone());
        let body = RecordBody::Message(MessageRecord { message: message.clone(), source, usage });
        engine.append(body).map_err(|error| ModelError::Other(Box::new(error)))?;
        engine.complaints.clear();
        engine.read_signals(wire, &message.text(), is_cut_off(&stop));
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

/// Whether the answer ends where there was no more room for it. The second is Anthropic's word for a full window.
fn is_cut_off(stop: &StopReason) -> bool {
    *stop == StopReason::MaxTokens || stop.name() == "model_context_window_exceeded"
}

/// Whether the fault is the model's or its provider's, and not the request's.
fn another_may_answer(error: &ModelError) -> bool {
    let cannot = matches!(error, ModelError::Unauthorized { .. } | ModelError::UnknownModel { .. });
    error.is_transient() || cannot
}

async fn go_on_with_another(
    engine: &mut Engine,
    wire: &Wire<'_>,
    error: ModelError,
) -> Result<Streamed, TurnError> {
    let why = error.to_string();
    while let Some(next) = engine.parts.fallbacks.pop_front() {
        match switching::switch(engine, wire, next, &why).await {
            Ok(()) => return Ok(Streamed::Switched),
            Err(unfit) => engine.degrade(wire, "fallback model", "the next one is tried", &unfit),
        }
    }
    Err(error.into())
}

/// Sends the request, again where that may help and nothing was shown yet.
async fn ask(engine: &Engine, wire: &Wire<'_>, request: &CompletionRequest) -> Sent {
    let mut backoff = Backoff::new(engine.parts.settings.retry, engine.parts.session.as_str());
    loop {
        let sent = send(engine, wire, request).await;
        let Sent::Failed { error, shown: false } = &sent else { return sent };
        let Some(wait) = backoff.wait_after(error) else { return sent };
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        wire.sink.emit(Event::Retrying { cause: error.to_string(), wait_ms });
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = wire.cancel.cancelled() => return Sent::Cancelled,
        }
    }
}

type Answer = (Message, StopReason, Option<Usage>);

/// What came of sending a request.
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
                shown |= show(wire, &event);
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

/// Some servers count their calls anew in each answer. Two calls of one id would make every later request invalid, so
/// the later one gets another.
fn with_own_ids(mut message: Message, view: &View) -> Message {
    let mut own: Vec<String> = Vec::new();
    for block in &mut message.content {
        let ContentBlock::ToolCall(call) = block else { continue };
        let taken = |id: &String| view.has_call(id) || own.contains(id);
        if call.id.is_empty() || taken(&call.id) {
            let stem = if call.id.is_empty() { "call" } else { call.id.as_str() };
            let free = (2_u64..).map(|number| format!("{stem}-{number}")).find(|id| !taken(id));
            call.id = free.unwrap_or_default();
        }
        own.push(call.id.clone());
    }
    message
}

/// Whether a message says something that may be sent back: thinking alone may not.
fn keeps(message: &Message) -> bool {
    message.content.iter().any(|block| !matches!(block, ContentBlock::Thinking(_)))
}
