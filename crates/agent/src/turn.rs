//! A turn: the nine steps, repeated until the model has nothing more to call.

use throughline_completion::StopReason;
use throughline_conversation::Usage;

use crate::adapting::adapt_when_due;
use crate::agent::Agent;
use crate::compact_error::CompactError;
use crate::compacting::{Compaction, FIXED_PARTS};
use crate::engine_tools::ToolScope;
use crate::error::TurnError;
use crate::event::Event;
use crate::frame::RequestFrame;
use crate::recount;
use crate::recovery::{Recovery, recover};
use crate::steps::{
    Built, Next, Ready, Streamed, build_prompt, build_request, compact, force_compact, measure, persist,
    renew_prompt, run_tools, select_tools, stream_response,
};
use crate::switching::Switch;
use crate::turn_context::TurnContext;

/// How a turn ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Finished { text: String, stop: StopReason },
    Cancelled,
}

/// Runs requests until the model ends its turn. The user may stop it at any wait, also while a summary is written.
pub(crate) async fn run(agent: &mut Agent, turn: &TurnContext<'_>) -> Result<Ended, TurnError> {
    let ended = match requests(agent, turn).await {
        Err(TurnError::Compaction(CompactError::Stopped)) => Ok(Ended::Cancelled),
        ended => ended,
    };
    if let Ok(Ended::Cancelled) = ended {
        agent.session.note_stop(turn);
    }
    ended
}

async fn requests(agent: &mut Agent, turn: &TurnContext<'_>) -> Result<Ended, TurnError> {
    let mut requests = 0;
    if let Some(guard) = &agent.session.spending {
        guard.begin_turn();
    }
    let mut rebuilds = RebuildAttempts::of(agent);
    loop {
        if let Some(most) = agent.model.settings.max_requests
            && requests >= most
        {
            return Err(TurnError::TooManyRequests(most));
        }
        check_spending(agent, Usage::default()).await?;
        let before = agent.prefix.cache_state();
        let ready = match prepare(agent, turn).await? {
            Built::Ready(ready) => ready,
            Built::TooLarge if rebuilds.take() => continue,
            Built::TooLarge => {
                let smallest = agent.session.view.tokens();
                return Err(agent.compaction(turn).does_not_fit(smallest, FIXED_PARTS.to_owned()));
            }
        };
        if let Err(refused) = check_spending(agent, ready.receipt.predicted).await {
            agent.session.pending.restore(*ready.receipt);
            agent.prefix.restore_cache_state(before);
            return Err(refused);
        }
        requests += 1;
        turn.sink.emit(ready.sent(&agent.model));
        match exchange(agent, turn, ready, &mut rebuilds).await? {
            Exchanged::Answered(Next::Finished { text, stop }) => return Ok(Ended::Finished { text, stop }),
            Exchanged::Answered(Next::Again) if turn.cancel.is_cancelled() => return Ok(Ended::Cancelled),
            Exchanged::Cancelled => return Ok(Ended::Cancelled),
            Exchanged::Answered(Next::Again) => rebuilds = RebuildAttempts::of(agent),
            Exchanged::Recovered => {}
        }
    }
}

/// Fails if a request with this input may not be paid for. Without an input: if none may.
async fn check_spending(agent: &Agent, expected: Usage) -> Result<(), TurnError> {
    match &agent.session.spending {
        Some(guard) => Ok(guard.allow(&agent.model.origin(), expected).await?),
        None => Ok(()),
    }
}

/// Steps 1 to 6: a request that is ready to be sent.
async fn prepare(agent: &mut Agent, turn: &TurnContext<'_>) -> Result<Built, TurnError> {
    let Agent { session, window, prefix, tools, tail, model, .. } = agent;
    let prompted = build_prompt(session, window, prefix, tail, model, turn).await;
    let measured = measure(prompted, session, window, prefix, tools, turn);
    adapt_when_due(&measured.size, session, window, prefix, tools, model, turn).await;
    let frame = RequestFrame { prefix, tools, model };
    let mut compaction = Compaction { session, window, frame, turn };
    let unblocked = force_compact(measured, &mut compaction).await?;
    let fitted = compact(unblocked, &mut compaction).await?;
    renew_prompt(session, window, prefix, model, turn).await;
    let equipped = select_tools(fitted, session, window, prefix, tools, turn);
    let mut built = build_request(equipped, session, window, prefix, tools, model, turn)?;
    if let Built::Ready(ready) = &mut built {
        recount::after_compaction(ready, session, window, model, turn).await;
    }
    Ok(built)
}

/// Outcome of sending a request.
enum Exchanged {
    Answered(Next),
    Cancelled,
    /// The request was not answered: build another one.
    Recovered,
}

/// Steps 7 to 9: the answer, its tool calls and their results.
async fn exchange(
    agent: &mut Agent,
    turn: &TurnContext<'_>,
    ready: Ready,
    rebuilds: &mut RebuildAttempts,
) -> Result<Exchanged, TurnError> {
    let Agent { session, window, prefix, tools, tail, model, continuity, fallbacks, .. } = agent;
    let responded = match stream_response(ready, session, window, tail, model, continuity, turn).await? {
        Streamed::Responded(responded) => responded,
        Streamed::Cancelled => {
            turn.sink.emit(Event::NotAnswered { error: None });
            return Ok(Exchanged::Cancelled);
        }
        Streamed::Failed(failure) => {
            turn.sink.emit(Event::NotAnswered { error: Some(failure.error.kind()) });
            let frame = RequestFrame { prefix, tools, model };
            let mut compaction = Compaction { session, window, frame, turn };
            match recover(failure, rebuilds.left(), &mut compaction).await? {
                Recovery::Compacted => rebuilds.spend(),
                // Each time there are fewer pictures, or fewer models.
                Recovery::WithoutPictures => {}
                Recovery::AnotherModel(failure) => {
                    let mut switch = Switch { session, window, prefix, tools, model, turn };
                    switch.fall_back(fallbacks, failure).await?;
                }
            }
            return Ok(Exchanged::Recovered);
        }
    };
    if let Some(reported) = &responded.reported {
        prefix.predictor.learn(reported);
    }
    let mut scope = ToolScope { session, window, prefix, tools, model, continuity, turn };
    let settled = run_tools(responded, &mut scope).await;
    if let Some(results) = &settled.results {
        let tokens = RequestFrame { prefix, tools, model }.size(session, window).used();
        session.note_read_backs(results, model.info.prices, tokens);
    }
    Ok(Exchanged::Answered(persist(settled, session, continuity, turn).await))
}

/// How often the request may still be rebuilt. Without a limit, a request that stays too large would be paid for again and
/// again.
#[derive(Debug)]
struct RebuildAttempts(u32);

impl RebuildAttempts {
    fn of(agent: &Agent) -> Self {
        Self(agent.model.settings.recovery.rebuild_attempts)
    }

    fn left(&self) -> bool {
        self.0 > 0
    }

    fn spend(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }

    /// Spends an attempt. Returns false if none is left.
    fn take(&mut self) -> bool {
        let left = self.left();
        self.spend();
        left
    }
}
