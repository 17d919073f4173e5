//! Questions to the session's own model behind the request that its cache has. They are no part of the conversation.

use futures_util::StreamExt as _;
use throughline_completion::{Assembly, CompletionRequest, EventStream, ModelError};
use throughline_conversation::{Message, ModelUse};
use throughline_tools::CancelFlag;

use crate::frame::RequestFrame;
use crate::session::Session;

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
    cancel: &CancelFlag,
) -> (Option<Result<String, ModelError>>, ModelUse) {
    let mut used = ModelUse::of(frame.model.origin());
    let opened = tokio::select! {
        biased;
        () = cancel.cancelled() => return (None, used),
        opened = frame.model.model.stream(request) => opened,
    };
    let stream = match opened {
        Ok(stream) => stream,
        // A rejected request used nothing.
        Err(error) => return (Some(Err(error)), used),
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
    let text = end.map(|end| end.and_then(|()| assembly.finish()).map(|(message, _, _)| message.text()));
    (text, used)
}

async fn read(mut stream: EventStream, assembly: &mut Assembly) -> Result<(), ModelError> {
    while let Some(event) = stream.next().await {
        assembly.push(event?);
    }
    Ok(())
}
