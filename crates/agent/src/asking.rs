//! Sending a request, with retries.

mod reading;
mod searches;

use throughline_completion::{Backoff, CompletionRequest};
use throughline_conversation::{ModelUse, Usage};
use throughline_engine::{Event, TurnContext};

use crate::model_loop::ModelLoop;
use reading::read;

pub(crate) use reading::Sent;

/// Sends the request, and retries where that may help. What was shown of an answer that broke off is withdrawn. Also
/// returns the usage of attempts without an answer, as far as the provider reported it.
pub(crate) async fn ask(
    agent: &ModelLoop,
    request: &CompletionRequest,
    turn: &TurnContext<'_>,
) -> (Sent, ModelUse) {
    let mut backoff = Backoff::new(agent.engine.settings().retry, agent.engine.session().as_str());
    let mut lost = ModelUse::of(agent.engine.model().origin());
    loop {
        let (sent, used) = send(agent, request, turn).await;
        if matches!(sent, Sent::Cancelled(_) | Sent::Failed { .. }) {
            match used {
                AttemptUsage::Nothing => {}
                AttemptUsage::Reported(usage) => lost.add(usage),
                AttemptUsage::Unreported => lost.add_unreported(),
            }
        }
        let Sent::Failed { error, shown } = &sent else { return (sent, lost) };
        if agent.engine.is_guessed_overflow(error) {
            return (sent, lost);
        }
        let Some(wait) = backoff.wait_after(error) else { return (sent, lost) };
        withdraw(turn, *shown, &error.to_string());
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        tracing::warn!(error = error.kind(), wait_ms, "a request is sent again");
        turn.sink.emit(Event::Retrying { cause: error.to_string(), wait_ms });
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = turn.cancel.cancelled() => return (Sent::Cancelled(String::new()), lost),
        }
    }
}

/// What one attempt used.
#[derive(Debug, Clone, Copy)]
pub(super) enum AttemptUsage {
    /// It was not sent, or rejected.
    Nothing,
    /// As the provider reported it.
    Reported(Usage),
    /// The provider worked on it and reported nothing: it is charged, and the amount is unknown.
    Unreported,
}

impl From<Option<Usage>> for AttemptUsage {
    fn from(usage: Option<Usage>) -> Self {
        usage.map_or(Self::Unreported, Self::Reported)
    }
}

/// Sends the request once.
async fn send(
    agent: &ModelLoop,
    request: &CompletionRequest,
    turn: &TurnContext<'_>,
) -> (Sent, AttemptUsage) {
    if turn.cancel.is_cancelled() {
        return (Sent::Cancelled(String::new()), AttemptUsage::Nothing);
    }
    let opened = tokio::select! {
        biased;
        // Some providers respond only after they have read the whole request.
        () = turn.cancel.cancelled() => return (Sent::Cancelled(String::new()), AttemptUsage::Unreported),
        opened = agent.model.stream(request) => opened,
    };
    match opened {
        Ok(stream) => read(stream, turn).await,
        Err(error) => (Sent::Failed { error, shown: false }, AttemptUsage::Nothing),
    }
}

/// Reports that what was shown of an answer does not count.
fn withdraw(turn: &TurnContext<'_>, shown: bool, why: &str) {
    if shown {
        turn.sink.emit(Event::Withdrawn { why: why.to_owned() });
    }
}
