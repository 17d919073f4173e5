//! A turn: the nine steps, again and again until the model has nothing more to call.

use throughline_completion::StopReason;

use crate::engine::{Engine, Wire};
use crate::error::TurnError;
use crate::steps::{
    Built, Next, Streamed, build_prompt, build_request, compact, force_compact, measure, persist,
    renew_prompt, run_tools, select_tools, stream_response,
};
use crate::{CompactError, compacting, input, recount};

/// How a turn ended.
#[derive(Debug)]
pub(crate) enum Ended {
    Finished { text: String, stop: StopReason },
    Cancelled,
}

/// Runs requests until the model ends its turn. The user may stop it at any wait, also while a summary is written.
pub(crate) async fn run(engine: &mut Engine, wire: &Wire<'_>) -> Result<Ended, TurnError> {
    let ended = match requests(engine, wire).await {
        Err(TurnError::Compaction(CompactError::Stopped)) => Ok(Ended::Cancelled),
        ended => ended,
    };
    if let Ok(Ended::Cancelled) = ended {
        input::note_stop(engine, wire);
    }
    ended
}

async fn requests(engine: &mut Engine, wire: &Wire<'_>) -> Result<Ended, TurnError> {
    let mut requests = 0;
    let most = engine.parts.settings.recovery.rebuild_attempts;
    let mut refits = RebuildAttempts(most);
    loop {
        if let Some(most) = engine.parts.settings.max_requests
            && requests >= most
        {
            return Err(TurnError::TooManyRequests(most));
        }
        let prompted = build_prompt(engine, wire).await;
        let sized = measure(prompted, engine, wire);
        let unblocked = force_compact(sized, engine, wire).await?;
        let fitted = compact(unblocked, engine, wire).await?;
        renew_prompt(engine, wire).await;
        let equipped = select_tools(fitted, engine, wire);
        let ready = match build_request(equipped, engine, wire)? {
            Built::Ready(ready) => ready,
            Built::TooLarge if refits.take() => continue,
            Built::TooLarge => {
                let smallest = engine.meter.from_raw(engine.view.tokens());
                let what = "system prompt and tools take the room".to_owned();
                return Err(compacting::does_not_fit(engine, smallest, what));
            }
        };
        recount::after_compaction(engine, wire, &ready.request, ready.raw).await;
        requests += 1;
        let responded = match stream_response(ready, engine, wire, refits.left()).await? {
            Streamed::Responded(responded) => responded,
            Streamed::Cancelled => return Ok(Ended::Cancelled),
            Streamed::Compacted => {
                refits.take();
                continue;
            }
            // Each time there are fewer pictures, or fewer models.
            Streamed::WithoutPictures | Streamed::Switched => continue,
        };
        refits = RebuildAttempts(most);
        let settled = run_tools(responded, engine, wire).await;
        match persist(settled, engine, wire).await {
            Next::Again if wire.cancel.is_cancelled() => return Ok(Ended::Cancelled),
            Next::Again => {}
            Next::Finished { text, stop } => return Ok(Ended::Finished { text, stop }),
        }
    }
}

/// Requests may be built anew once for each thing that can make one too large: tools that were promoted, and
/// a provider that counts more than we do. More would be a loop that pays and never ends.
#[derive(Debug)]
struct RebuildAttempts(u32);

impl RebuildAttempts {
    fn left(&self) -> bool {
        self.0 > 0
    }

    fn take(&mut self) -> bool {
        let left = self.left();
        self.0 = self.0.saturating_sub(1);
        left
    }
}
