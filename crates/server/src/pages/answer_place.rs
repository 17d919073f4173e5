//! Where the answer to a request stands.

use axum::response::{IntoResponse as _, Redirect, Response};

use crate::answer::Failure;
use crate::inspector::{Conversation, SaidKind};
use crate::transcripts::TranscriptPart;

/// The way to the answer to a request, in the conversation.
pub(super) fn answer_of(part: &TranscriptPart, number: u64, address: &str) -> Result<Response, Failure> {
    let conversation = Conversation::of(&part.log, &[], &part.points);
    let is_asked =
        |kind: &SaidKind<'_>| matches!(kind, SaidKind::Answer(_, Some(point)) if point.request == number);
    if !conversation.items.iter().any(|item| is_asked(&item.kind)) {
        let last = part.points.len();
        let why = format!("the transcript has no request {number}; its requests are 1 to {last}");
        return Err(Failure::missing(why));
    }
    let place = format!("{address}/conversation?request={number}#request-{number}");
    Ok(Redirect::to(&place).into_response())
}
