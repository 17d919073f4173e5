//! A response as an answer.

pub(crate) mod shape;

use serde_json::Value;
use throughline_completion::Answer;

use crate::error::WireError;
use crate::stream::AnswerStream;
use crate::wire::Wire;
use crate::{anthropic, errors, gemini, ollama, openai_chat, openai_responses};
use shape::Part;

/// Reads an answer in the form of a provider.
///
/// Calls that come without an id get one that no other answer of this process has. A server that counts its ids from the start in
/// each answer needs [`AnswerStream::after`], which knows the ids of the request.
///
/// ```
/// use serde_json::json;
/// use throughline_completion::{Answer, StopReason};
/// use throughline_wire::{Wire, WireAnswer as _};
///
/// let body = json!({
///     "content": [{"type": "text", "text": "Hello."}],
///     "stop_reason": "end_turn",
///     "usage": {"input_tokens": 7, "output_tokens": 3},
/// });
/// let answer = Answer::from_wire(Wire::Anthropic, &body)?;
/// assert_eq!(answer.message.text(), "Hello.");
/// assert_eq!(answer.stop, StopReason::EndTurn);
///
/// let error = Answer::from_wire(Wire::Anthropic, &json!({"content": [{"type": "text"}]})).unwrap_err();
/// assert_eq!(error.to_string(), "this is no answer of Anthropic's Messages API: content[0].text is missing");
/// # Ok::<(), throughline_wire::WireError>(())
/// ```
pub trait WireAnswer: Sized {
    /// The answer of a response that came whole, as [`WireRequest::body`](crate::WireRequest::body) asks for it.
    ///
    /// # Errors
    /// [`WireError::Shape`] names the first part that the API does not send so. [`WireError::Model`] is the error that the
    /// provider reports in place of an answer.
    fn from_wire(wire: Wire, body: &Value) -> Result<Self, WireError>;

    /// The answer of a stream that has ended, from all its bytes. [`AnswerStream`] reads one while it comes in.
    ///
    /// # Errors
    /// [`WireError::Model`]: the error that the provider reports, or
    /// [`Interrupted`](throughline_completion::ModelError::Interrupted) for a stream that broke off.
    fn from_stream(wire: Wire, bytes: &[u8]) -> Result<Self, WireError>;
}

impl WireAnswer for Answer {
    fn from_wire(wire: Wire, body: &Value) -> Result<Self, WireError> {
        if errors::is_error(body) {
            return Err(errors::of_event(body).into());
        }
        let part = Part::of_body(body);
        let checked = match wire {
            Wire::Anthropic => anthropic::check_answer(&part),
            Wire::OpenAiChat => openai_chat::check_answer(&part),
            Wire::OpenAiResponses => openai_responses::check_answer(&part),
            Wire::Gemini => gemini::check_answer(&part),
            Wire::Ollama => ollama::check_answer(&part),
        };
        if let Err(misfit) = checked {
            return Err(WireError::Shape { wire, place: misfit.place, fault: misfit.fault });
        }
        Ok(Self::from_events(AnswerStream::new(wire).whole(body.clone()))?)
    }

    fn from_stream(wire: Wire, bytes: &[u8]) -> Result<Self, WireError> {
        let mut stream = AnswerStream::new(wire);
        let mut events = stream.push(bytes);
        events.extend(stream.finish());
        Ok(Self::from_events(events)?)
    }
}

#[cfg(test)]
mod tests;
