//! Questions to the session's own model behind the request that its cache has. They are no part of the conversation.

use futures_util::StreamExt as _;
use throughline_compaction::RequestObserver;
use throughline_completion::{Assembly, CompletionRequest, EventStream, ModelError};
use throughline_conversation::{Message, ModelUse, Purpose, SideAnswer, SideOutcome};

use crate::frame::RequestFrame;
use crate::session::Session;
use crate::side_events::SideEvents;
use crate::turn_context::TurnContext;

/// The next request of the session with a question behind it, marked where the provider has it in its cache.
pub(crate) fn side_request(session: &Session, frame: RequestFrame<'_>, question: &str) -> CompletionRequest {
    let mut request = frame.next_request(session);
    if session.view.violations().is_empty() {
        request.tail.push(question.to_owned());
    } else {
        // The last message is the model's: the question has to be a message of its own.
        request.transcript = request.transcript.followed_by(Message::user(question));
    }
    let mut planner = frame.prefix.planner.clone();
    request.breakpoints = frame.prefix.plan(&mut planner, session, frame.tools, frame.model);
    request
}

/// Sends the request. Returns the text of the answer, `None` if it was stopped, and the usage.
pub(crate) async fn ask(
    frame: RequestFrame<'_>,
    request: &CompletionRequest,
    purpose: Purpose,
    turn: &TurnContext<'_>,
) -> (Option<Result<String, ModelError>>, ModelUse) {
    let events = SideEvents::of(turn);
    let cancel = turn.cancel;
    let mut used = ModelUse::of(frame.model.origin());
    events.asked(frame.model.side_request(purpose));
    let opened = tokio::select! {
        biased;
        () = cancel.cancelled() => return (None, used),
        opened = frame.model.model.stream(request) => opened,
    };
    let stream = match opened {
        Ok(stream) => stream,
        // A rejected request used nothing.
        Err(error) => {
            events.ended(SideAnswer::without_usage(SideOutcome::Failed(error.kind())));
            return (Some(Err(error)), used);
        }
    };
    let mut assembly = Assembly::default();
    let end = tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        end = read(stream, &mut assembly) => Some(end),
    };
    match assembly.usage() {
        Some(usage) => used.add(usage),
        None => used.add_unreported(),
    }
    let (usage, identity) = (assembly.usage(), assembly.take_details().identity);
    let answer = end.map(|end| end.and_then(|()| assembly.finish()));
    let outcome = match &answer {
        None => SideOutcome::Stopped,
        Some(Err(error)) => SideOutcome::Failed(error.kind()),
        Some(Ok((_, stop, _))) => SideOutcome::Answered { stop: Some(stop.name().to_owned()), identity },
    };
    events.ended(SideAnswer { outcome, usage });
    (answer.map(|answer| answer.map(|(message, _, _)| message.text())), used)
}

async fn read(mut stream: EventStream, assembly: &mut Assembly) -> Result<(), ModelError> {
    while let Some(event) = stream.next().await {
        assembly.push(event?);
    }
    Ok(())
}
