//! Step 7: the answer. The only step that may fail a turn.

mod asking;
mod reading;

use std::sync::Arc;

use throughline_completion::{ModelError, Prices, StopReason};
use throughline_conversation::{
    AnswerIdentity, ContentBlock, Message, MessageRecord, ModelUse, Receipt, RecordBody, Source, Usage,
    with_valid_calls,
};

use asking::{Answer, Sent, ask};

use super::s6_build_request::Ready;
use crate::active_model::ActiveModel;
use crate::continuity_ports::ContinuityPorts;
use crate::error::TurnError;
use crate::event::Event;
use crate::session::Session;
use crate::tail::Tail;
use crate::turn_context::TurnContext;
use crate::window::Window;

/// The answer is in the log.
#[derive(Debug)]
pub(crate) struct Responded {
    /// The model's message; `None` if it has no text and no tool call.
    pub(crate) message: Option<Message>,
    pub(crate) stop: StopReason,
    /// Use as the provider reported it for this one prompt; `None` too where it is a sum over several passes.
    pub(crate) reported: Option<Usage>,
}

/// Outcome of streaming.
#[derive(Debug)]
pub(crate) enum Streamed {
    /// An answer.
    Responded(Responded),
    /// The caller cancelled; the text so far is in the log.
    Cancelled,
    /// No answer, after all retries.
    Failed(Failure),
}

/// A request that was not answered.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: ModelError,
    /// A part of an answer was shown to the user.
    pub(crate) shown: bool,
    /// The counter's tokens of the request.
    pub(crate) raw: u64,
}

impl Failure {
    /// Reports that what was shown of the answer does not count.
    pub(crate) fn withdraw(&self, turn: &TurnContext<'_>, why: &str) {
        asking::withdraw(turn, self.shown, why);
    }
}

pub(crate) async fn stream_response(
    ready: Ready,
    session: &mut Session,
    window: &mut Window,
    tail: &mut Tail,
    model: &ActiveModel,
    continuity: &ContinuityPorts,
    turn: &TurnContext<'_>,
) -> Result<Streamed, TurnError> {
    let Ready { request, mut receipt, raw, tail_tokens } = ready;
    let (answer, lost) = ask(model, &session.id, &request, turn).await;
    // From here on the transcript must have one owner again, or the next append copies all of it.
    let system = Arc::clone(&request.system);
    drop(request);
    session.record_usage(turn, lost);
    let Answer { message, stop, usage, details } = match answer {
        Sent::Answer(answer) => *answer,
        Sent::Cancelled(text) => {
            session.pending.restore(*receipt);
            append_partial(session, tail, model, continuity, turn, &text);
            return Ok(Streamed::Cancelled);
        }
        Sent::Failed { error, shown } => {
            session.pending.restore(*receipt);
            return Ok(Streamed::Failed(Failure { error, shown, raw }));
        }
    };
    (receipt.reported, receipt.diagnosis) = (usage, details.cache);
    let prices = model.info.prices;
    report_answer(session, turn, &receipt, &stop, details.identity, prices);
    session.count_spending(&ModelUse::of_request(model.origin(), usage));
    receipt.window_prompt = details.window_prompt;
    session.refusal = details.refusal;
    session.progress.add(usage.as_ref());
    stop.name().clone_into(&mut receipt.stop);
    receipt.degraded = std::mem::take(&mut session.pending.degraded);
    session.note_needs(turn, &message, &system, &mut receipt, prices).await;
    session.note_answer(&receipt, prices);

    let message = has_content(&message).then(|| with_valid_calls(&message, &session.view));
    let before = session.view.tokens();
    if let Some(message) = &message {
        let source = Source::Model(receipt.model.clone());
        let body = RecordBody::Message(MessageRecord { message: message.clone(), source, usage });
        session.append(body).map_err(|error| ModelError::Other(Box::new(error)))?;
        let (text, cut) = (message.text(), stop.is_cut_off());
        tail.complaints = session.read_signals(turn, continuity.documents, &model.info.name, &text, cut);
    } else {
        session.record_decision("stream_response", "answer not kept", "it has no text and no tool call");
    }
    if let Some(usage) = &usage {
        let added = session.view.tokens().saturating_sub(before);
        window.anchor(raw, added, tail_tokens, &usage.with_prompt(details.window_prompt));
    }
    let reported = usage.filter(|_| details.window_prompt.is_none());
    session.journal.add(session.exchange, RecordBody::Receipt(receipt));
    // The answer is durable before a tool runs: a crash inside a tool cannot lose it.
    session.flush(turn).await;
    Ok(Streamed::Responded(Responded { message, stop, reported }))
}

/// Reports that a request was answered, whether it missed the cache, and once that its prompt has a higher price.
fn report_answer(
    session: &mut Session,
    turn: &TurnContext<'_>,
    receipt: &Receipt,
    stop: &StopReason,
    identity: AnswerIdentity,
    prices: Prices,
) {
    turn.sink.emit(Event::Answered { usage: receipt.reported, stop: stop.name().to_owned(), identity });
    if let Some(miss) = receipt.cache_miss() {
        turn.sink.emit(Event::CacheMissed(miss));
    }
    session.note_long_prompt(turn, prices, receipt.reported.map(|used| used.prompt()).unwrap_or_default());
}

/// Appends the text that the model had written when it was stopped. Drops unsigned thinking and tool calls that never
/// ran.
fn append_partial(
    session: &mut Session,
    tail: &mut Tail,
    model: &ActiveModel,
    continuity: &ContinuityPorts,
    turn: &TurnContext<'_>,
    text: &str,
) {
    if !text.trim().is_empty() {
        session.append_message(turn, Message::assistant(text.trim_end()), model.source());
        let complaints = session.read_signals(turn, continuity.documents, &model.info.name, text, true);
        tail.complaints.extend(complaints);
    }
}

/// Returns true if a message may be sent back. Thinking alone may not.
fn has_content(message: &Message) -> bool {
    message.content.iter().any(|block| !matches!(block, ContentBlock::Thinking(_)))
}
