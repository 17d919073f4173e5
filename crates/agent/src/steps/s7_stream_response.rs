//! Step 7: the answer. The only step that may fail a turn.

mod asking;

use throughline_compaction::PictureFault;
use throughline_completion::{ModelError, StopReason};
use throughline_conversation::{ContentBlock, Message, MessageRecord, RecordBody, Source, View, formed};

use asking::{Sent, ask, withdraw};

use super::s6_build_request::Ready;
use crate::engine::{Engine, Wire};
use crate::error::TurnError;
use crate::{Event, compacting, pictures, switching};

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
    /// The provider does not take the request for its pictures; some are left out, so build another.
    WithoutPictures,
    /// The model cannot answer; another one goes on, so build the request for that.
    Switched,
    /// The caller cancelled; the text so far is in the log.
    Cancelled,
}

pub(crate) async fn stream_response(
    ready: Ready,
    engine: &mut Engine,
    wire: &Wire<'_>,
    may_compact: bool,
) -> Result<Streamed, TurnError> {
    let Ready { request, mut receipt, raw } = ready;
    let (answer, lost) = ask(engine, wire, &request).await;
    // From here on the transcript must have one owner again, or the next append copies all of it.
    drop(request);
    engine.spend(wire, lost);
    let (message, stop, usage) = match answer {
        Sent::Answer(answer) => answer,
        Sent::Cancelled(said) => {
            keep_said(engine, wire, &said);
            engine.notes.put_back(*receipt);
            return Ok(Streamed::Cancelled);
        }
        Sent::Failed { error, shown } => {
            engine.notes.put_back(*receipt);
            return after_error(engine, wire, Failure { error, shown, raw }, may_compact).await;
        }
    };
    wire.sink.emit(Event::Answered { usage, stop: stop.name().to_owned() });
    receipt.reported = usage;
    engine.progress.add(usage.as_ref());
    stop.name().clone_into(&mut receipt.stop);
    receipt.degraded = std::mem::take(&mut engine.notes.degraded);
    engine.fresh_turn = false;

    let kept = keeps(&message).then(|| fit_to_keep(message, &engine.view));
    let before = engine.view.tokens();
    if let Some(message) = &kept {
        let source = Source::Model(receipt.model.clone());
        let body = RecordBody::Message(MessageRecord { message: message.clone(), source, usage });
        engine.append(body).map_err(|error| ModelError::Other(Box::new(error)))?;
        engine.complaints.clear();
        engine.read_signals(wire, &message.text(), stop.is_cut_off());
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

/// Keeps what the model had said when it was stopped. Its thinking and its calls go: the one may not be sent back without
/// its end, the others were not begun.
fn keep_said(engine: &mut Engine, wire: &Wire<'_>, said: &str) {
    if said.trim().is_empty() {
        return;
    }
    let by = engine.by_model();
    engine.say(wire, Message::assistant(said.trim_end()), by);
    engine.read_signals(wire, said, true);
}

/// How the asking ended.
struct Failure {
    error: ModelError,
    shown: bool,
    raw: u64,
}

async fn after_error(
    engine: &mut Engine,
    wire: &Wire<'_>,
    Failure { error, shown, raw }: Failure,
    may_compact: bool,
) -> Result<Streamed, TurnError> {
    match error {
        ModelError::Overflow { message, limit } if may_compact => {
            withdraw(wire, shown, &message);
            compacting::after_overflow(engine, wire, raw, &message, limit).await?;
            Ok(Streamed::Compacted)
        }
        ModelError::TooLarge { message } => {
            if pictures::leave_out(engine, wire, PictureFault::TooMuch, &message).await {
                withdraw(wire, shown, &message);
                return Ok(Streamed::WithoutPictures);
            }
            if !may_compact {
                return Err(ModelError::TooLarge { message }.into());
            }
            withdraw(wire, shown, &message);
            compacting::after_too_large(engine, wire, &message).await?;
            Ok(Streamed::Compacted)
        }
        ModelError::PictureRefused { message } => {
            if !pictures::leave_out(engine, wire, PictureFault::NotTaken, &message).await {
                return Err(ModelError::PictureRefused { message }.into());
            }
            withdraw(wire, shown, &message);
            Ok(Streamed::WithoutPictures)
        }
        error if another_may_answer(&error) && !engine.parts.fallbacks.is_empty() => {
            withdraw(wire, shown, &error.to_string());
            go_on_with_another(engine, wire, error).await
        }
        error => Err(error.into()),
    }
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
    while let Some(mut next) = engine.parts.fallbacks.pop_front() {
        // It is the same turn, with what is left of its requests.
        next.settings.max_requests = engine.parts.settings.max_requests;
        match switching::switch(engine, wire, next, &why).await {
            Ok(()) => return Ok(Streamed::Switched),
            Err(unfit) => engine.degrade(wire, "fallback model", "the next one is tried", &unfit),
        }
    }
    Err(error.into())
}

/// The message as it can be sent back. Some servers count their calls anew in each answer: two calls of one id would make
/// every later request invalid, so the later one gets another. Some never tell the name of a call: it gets one that no
/// tool has, and the model is told so.
fn fit_to_keep(message: Message, view: &View) -> Message {
    let mut message = formed(&message).unwrap_or(message);
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
