//! Step 7, after the model has answered: the answer, what it used and its receipt, for the log.

use throughline_completion::{Answer, ModelError, Prices, StopReason};
use throughline_conversation::{
    AnswerIdentity, Message, MessageRecord, ModelUse, Origin, Receipt, RecordBody, Role, SectionText, Seq,
    Source, Usage,
};

use crate::error::TurnError;
use crate::event::{Event, LearnedLimit};
use crate::open_work::OpenRequest;
use crate::prefix::Prefix;
use crate::session::{Session, is_impossible_report};
use crate::state::EngineState;
use crate::step_context::StepContext;
use crate::toolbox::ToolBox;
use crate::turn_context::TurnContext;
use crate::window::Window;

/// Maximum number of cited pages of an answer that are listed.
const MOST_CITED: usize = 20;

/// The answer is recorded.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// The model's message and its record; `None` if it has no text and no tool call.
    pub(crate) message: Option<(Seq, Message)>,
    pub(crate) stop: StopReason,
}

/// Records an answer, behind [`Session::follow_needs`]. The caller writes it, with what else belongs to it. It does not wait: a
/// caller that drops the future has the answer in the session or the request open.
pub(crate) fn record_answer(
    open: OpenRequest,
    answer: Answer,
    step: &mut StepContext<'_>,
) -> Result<Recorded, TurnError> {
    let StepContext { state, turn } = step;
    let EngineState { session, window, prefix, tools, tail, model, continuity, .. } = &mut **state;
    if let Some(learned) = window.confirm_guess() {
        turn.sink.emit(model.learned(LearnedLimit::Window(learned)));
    }
    let OpenRequest { mut receipt, raw, tail_tokens, system, .. } = open;
    let Answer { message, stop, usage, details } = answer;
    // The charge of several passes may be larger than any prompt.
    let is_one_pass = details.window_prompt.is_none();
    let is_believed = |usage: &Usage| !is_one_pass || !is_impossible_report(raw, model.info.window, usage);
    if let Some(wrong) = usage.as_ref().filter(|usage| !is_believed(usage)) {
        session.note_impossible_report(turn, wrong, window.meter().from_raw(raw));
    }
    let usage = usage.filter(is_believed);
    (receipt.reported, receipt.diagnosis) = (usage, details.cache);
    (receipt.searches, receipt.cited) = (details.searches, details.cited);
    receipt.cited.truncate(MOST_CITED);
    if !receipt.cited.is_empty() {
        turn.sink.emit(Event::Cited(receipt.cited.clone()));
    }
    let prices = model.info.prices;
    report_answer(session, turn, &receipt, &stop, details.identity, prices);
    session.count_spending(&ModelUse::of_request(model.origin(), usage));
    receipt.window_prompt = details.window_prompt;
    receipt.short_report = doubt(session, window, turn, tools, &receipt, &system, raw);
    session.note_refusal(details.refusal);
    session.progress_mut().add(usage.as_ref());
    note_pace(session, prefix, &model.origin(), usage);
    stop.name().clone_into(&mut receipt.stop);
    receipt.degraded = session.take_degradations();
    session.note_needs(&message, &system, &mut receipt, prices);
    session.note_answer(&receipt, prices);

    // Whatever role the caller has given it, it is the model's.
    let message = session.with_own_ids(&Message { role: Role::Assistant, ..message });
    let message = Some(message).filter(|message| !message.content.is_empty());
    let (before, mut place) = (session.view().tokens(), Seq(0));
    if let Some(message) = &message {
        let source = Source::Model(receipt.model.clone());
        place = append(session, MessageRecord { message: message.clone(), source, usage })?;
        let (text, cut) = (message.text(), stop.is_cut_off());
        tail.complain(session.read_signals(turn, continuity.documents, &model.info.name, &text, cut));
    } else {
        session.record_decision("stream_response", "answer not kept", "it has no text and no tool call");
    }
    let added = session.view().tokens().saturating_sub(before);
    if let Some(usage) = usage.as_ref().filter(|_| !receipt.short_report) {
        window.anchor(raw, added, tail_tokens, &usage.with_prompt(details.window_prompt));
    }
    // A sum over several passes says nothing about this one prompt. What the provider has left out of it is not in the cache either.
    let reported: Option<Usage> = usage.filter(|_| details.window_prompt.is_none());
    session.record(RecordBody::Receipt(receipt));
    reported.iter().for_each(|reported| prefix.learn(reported));
    Ok(Recorded { message: message.map(|message| (place, message)), stop })
}

/// Notes how fast the model wrote the answer, where that is known.
fn note_pace(session: &mut Session, prefix: &Prefix, origin: &Origin, usage: Option<Usage>) {
    if let (Some(sent), Some(usage)) = (prefix.sent_at(), usage) {
        let ms = session.now().0.saturating_sub(sent.0).max(0).unsigned_abs();
        session.note_pace(origin, ms, usage.output);
    }
}

/// Appends a message and gives its place.
fn append(session: &mut Session, message: MessageRecord) -> Result<Seq, TurnError> {
    session.append(RecordBody::Message(message)).map_err(|error| ModelError::Other(Box::new(error)))?;
    Ok(session.view().last())
}

/// Returns true if the prompt that the provider reported is too short to be the request, and says so.
fn doubt(
    session: &mut Session,
    window: &mut Window,
    turn: &TurnContext<'_>,
    tools: &ToolBox,
    receipt: &Receipt,
    system: &[SectionText],
    raw: u64,
) -> bool {
    let Some(usage) = &receipt.reported else { return false };
    let reported = usage.with_prompt(receipt.window_prompt).prompt();
    let sent = || session.sent_prompt(receipt, system, tools.active(), raw, tools.tokens());
    let Some(why) = window.doubt(raw, receipt.epoch, reported, sent) else { return false };
    let meter = window.meter();
    session.note_short_report(turn, why, reported, meter.from_raw(raw), meter.from_raw(tools.tokens()));
    true
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
