//! A turn: requests and calls, repeated until the model has nothing more to call.

use throughline_completion::{ModelError, StopReason};
use throughline_conversation::{ModelUse, Role, Usage};
use throughline_engine::{
    Answered, CompactError, Event, Next, OrderError, PreparedRequest, Refused, TurnContext, TurnError,
};

use crate::ahead;
use crate::asking::{Sent, ask};
use crate::calls::{refuse_calls, run_calls};
use crate::counting::count_when_due;
use crate::ended_work::{Settled, add_ended, settle};
use crate::model_loop::ModelLoop;
use crate::turn_hooks;
use crate::user_messages::add_user_messages;

/// How a turn ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Finished { text: String, stop: StopReason },
    Cancelled,
}

/// Runs requests until the model ends its turn. The user may stop it at any wait, also while a summary is written.
pub(crate) async fn run(agent: &mut ModelLoop, turn: &TurnContext<'_>) -> Result<Ended, TurnError> {
    let ended = match request_loop(agent, turn).await {
        Err(TurnError::Compaction(CompactError::Stopped)) => Ok(Ended::Cancelled),
        ended => ended,
    };
    let ended = match ended {
        Ok(Ended::Cancelled) => Ok(cancelled(agent)),
        ended => ended,
    };
    if let Ok(Ended::Cancelled) = ended {
        agent.operation(turn).note_stop();
    }
    ended
}

/// The end of a turn that was cancelled: a hook may have ended it. Its answer is what the model said last, or the hook's reason.
fn cancelled(agent: &ModelLoop) -> Ended {
    let Some(why) = agent.hooks.as_ref().and_then(|hooks| hooks.take_stop()) else { return Ended::Cancelled };
    let newest = agent.engine.view().entries().iter().rfind(|entry| entry.message.role == Role::Assistant);
    let said = newest.map(|entry| entry.message.text()).filter(|text| !text.trim().is_empty());
    let stop = StopReason::Other(StopReason::STOPPED_BY_HOOK.to_owned());
    Ended::Finished { text: said.unwrap_or(why), stop }
}

async fn request_loop(agent: &mut ModelLoop, turn: &TurnContext<'_>) -> Result<Ended, TurnError> {
    let (mut requests, mut continued) = (0, false);
    if let Some(guard) = &agent.spending {
        guard.begin_turn();
    }
    loop {
        if let Some(most) = agent.engine.settings().max_requests
            && requests >= most
        {
            return Err(TurnError::TooManyRequests(most));
        }
        if let Some(requests) = agent.engine.stalled() {
            return Err(TurnError::NoProgress(requests));
        }
        check_spending(agent, Usage::default()).await?;
        if requests > 0 {
            add_user_messages(agent, turn).await?;
        }
        add_ended(agent, turn).await?;
        ahead::advance(agent, turn).await;
        let Some(mut prepared) = prepare(agent, turn).await? else { continue };
        if let Some(message) = turn_hooks::add_context(agent, turn).await {
            agent.operation(turn).withdraw_request(prepared.id)?;
            drop(prepared);
            agent.operation(turn).interject(message).await?;
            continue;
        }
        count_when_due(agent, &mut prepared, turn).await;
        if let Err(refused) = check_spending(agent, prepared.predicted).await {
            agent.operation(turn).withdraw_request(prepared.id)?;
            return Err(refused);
        }
        requests += 1;
        agent.operation(turn).report_sent(&prepared);
        match exchange(agent, turn, prepared).await? {
            Exchanged::Finished { text, stop } => {
                match settle(agent, turn).await {
                    Settled::Ended => continue,
                    Settled::Cancelled => return Ok(Ended::Cancelled),
                    Settled::Nothing => {}
                }
                match turn_hooks::continued(agent, &text, continued, turn).await {
                    Some(message) if !turn.cancel.is_cancelled() => {
                        agent.operation(turn).interject(message).await?;
                        continued = true;
                    }
                    _ => return Ok(Ended::Finished { text, stop }),
                }
            }
            Exchanged::Answered if turn.cancel.is_cancelled() => return Ok(Ended::Cancelled),
            Exchanged::Cancelled => return Ok(Ended::Cancelled),
            Exchanged::Answered | Exchanged::Recovered => {}
        }
    }
}

/// Fails if a request with this input may not be paid for. Without an input: if none may.
async fn check_spending(agent: &ModelLoop, expected: Usage) -> Result<(), TurnError> {
    match &agent.spending {
        Some(guard) => Ok(guard.allow(&agent.engine.model().origin(), expected).await?),
        None => Ok(()),
    }
}

/// The next request; `None` after a summary that no model of the agent writes.
async fn prepare(
    agent: &mut ModelLoop,
    turn: &TurnContext<'_>,
) -> Result<Option<PreparedRequest>, TurnError> {
    let mut operation = agent.operation(turn);
    match operation.next_request().await? {
        Next::Request(prepared) => Ok(Some(prepared)),
        Next::Summarize(wanted) => {
            operation.no_summary(wanted.id)?;
            Ok(None)
        }
    }
}

/// Outcome of sending a request.
enum Exchanged {
    /// The turn ends.
    Finished {
        text: String,
        stop: StopReason,
    },
    /// The model waits for the next request.
    Answered,
    Cancelled,
    /// The request was not answered: build another one.
    Recovered,
}

/// Steps 7 to 9: the answer, its tool calls and their results.
async fn exchange(
    agent: &mut ModelLoop,
    turn: &TurnContext<'_>,
    prepared: PreparedRequest,
) -> Result<Exchanged, TurnError> {
    let PreparedRequest { id, request, .. } = prepared;
    let (sent, mut lost) = ask(agent, &request, turn).await;
    let sent = unless_refused(agent, sent, &mut lost);
    // From here on the transcript must have one owner again, or the next append copies all of it.
    drop(request);
    let mut operation = agent.operation(turn);
    operation.record_lost(lost);
    let answered = match sent {
        Sent::Answer(answer) => operation.answer(id, *answer).await?,
        Sent::Cancelled(text) => {
            operation.cancelled(id, &text)?;
            return Ok(Exchanged::Cancelled);
        }
        Sent::Failed { error, shown } => {
            return match operation.refused(id, error, shown).await? {
                Refused::Rebuilt => Ok(Exchanged::Recovered),
                Refused::OtherModel(error) => fall_back(agent, turn, error, shown).await,
                Refused::Final(error) => Err(error),
            };
        }
    };
    let answered = match answered {
        Answered::Calls(calls) if may_run_calls(agent, turn).await => run_calls(agent, &calls, turn).await?,
        Answered::Calls(calls) => {
            let answered = refuse_calls(agent, &calls, turn).await?;
            match agent.engine.status().unwritten {
                0 => answered,
                unwritten => return Err(TurnError::Unsaved(unwritten)),
            }
        }
        answered => answered,
    };
    match answered {
        Answered::Finished { text, stop } if is_empty(agent, &text, &stop) => {
            let message = "the model gave empty answers".to_owned();
            fall_back(agent, turn, ModelError::Interrupted { message }, false)
                .await
                .or_else(|_| Ok(Exchanged::Finished { text, stop }))
        }
        Answered::Finished { text, stop } => Ok(Exchanged::Finished { text, stop }),
        Answered::Request => Ok(Exchanged::Answered),
        Answered::Calls(open) => {
            Err(OrderError::CallsOpen(open.into_iter().map(|call| call.id).collect()).into())
        }
    }
}

/// What was sent, but for an answer that the provider refuses: as long as there is a fallback, that is a failure.
fn unless_refused(agent: &ModelLoop, sent: Sent, lost: &mut ModelUse) -> Sent {
    match sent {
        Sent::Answer(answer) if answer.stop == StopReason::Refusal && !agent.fallbacks.is_empty() => {
            lost.add_request(answer.usage);
            let said = answer.details.refusal.and_then(|refusal| refusal.explanation);
            let message = said.unwrap_or_else(|| "the model refuses to answer".to_owned());
            let shown = !answer.message.text().is_empty();
            Sent::Failed { error: ModelError::Filtered { message }, shown }
        }
        sent => sent,
    }
}

/// Returns true if the turn ends with an empty answer that a fallback may replace.
fn is_empty(agent: &ModelLoop, text: &str, stop: &StopReason) -> bool {
    let waits = || agent.engine.view().entries().last().is_some_and(|last| last.message.role == Role::User);
    let is_end = matches!(stop, StopReason::EndTurn | StopReason::StopSequence);
    is_end && text.trim().is_empty() && !agent.fallbacks.is_empty() && waits()
}

/// Returns true if the log has everything up to the calls, or the settings do not ask for that. What is not written is tried
/// once more.
async fn may_run_calls(agent: &mut ModelLoop, turn: &TurnContext<'_>) -> bool {
    if !agent.calls_need_log || agent.engine.status().unwritten == 0 {
        return true;
    }
    agent.operation(turn).flush().await;
    agent.engine.status().unwritten == 0
}

/// Continues with the first fallback model that fits. Without one, what a content filter refuses ends the turn as a refused answer
/// does.
async fn fall_back(
    agent: &mut ModelLoop,
    turn: &TurnContext<'_>,
    error: ModelError,
    shown: bool,
) -> Result<Exchanged, TurnError> {
    let why = error.to_string();
    let filtered = matches!(error, ModelError::Filtered { .. });
    if shown && (filtered || !agent.fallbacks.is_empty()) {
        turn.sink.emit(Event::Withdrawn { why: why.clone() });
    }
    while let Some(next) = agent.fallbacks.pop_front() {
        let (model, profile) = next.into_parts();
        let mut operation = agent.operation(turn);
        if operation.fall_back(profile, &why).await.is_ok() {
            agent.model = model;
            return Ok(Exchanged::Recovered);
        }
    }
    match filtered {
        true => Ok(Exchanged::Finished { text: String::new(), stop: StopReason::Refusal }),
        false => Err(error.into()),
    }
}
