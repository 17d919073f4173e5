//! What the user says while a turn runs.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::Message;
use throughline_engine::{EngineError, Event, TurnContext, TurnError};

use crate::model_loop::ModelLoop;
use crate::turn_hooks::hooked;

/// Has the messages that the user sends while a turn runs. They are asked for at each boundary: behind the results of an answer's
/// calls, before the next request.
///
/// # Contract
/// - MUST return each message once, the oldest first. What it returned is the model's.
/// - MUST NOT wait for the user.
#[async_trait]
pub trait UserMessages: Debug + Send + Sync {
    /// Takes the messages since the last call.
    async fn take(&self) -> Vec<Message>;
}

const _: Option<&dyn UserMessages> = None;

/// Adds to the turn what the user said meanwhile.
///
/// # Errors
/// [`TurnError::DoesNotFit`] for a message that can never fit. The others are added all the same.
pub(crate) async fn add_user_messages(
    agent: &mut ModelLoop,
    turn: &TurnContext<'_>,
) -> Result<(), TurnError> {
    let Some(messages) = agent.user_messages.clone() else { return Ok(()) };
    let mut failed = None;
    for message in messages.take().await {
        let message = match hooked(agent, message, turn).await {
            Ok(message) => message,
            Err(declined) => {
                turn.sink.emit(Event::Notice(declined.to_string()));
                continue;
            }
        };
        match agent.operation(turn).interject(message).await {
            // One that says nothing does not end the turn.
            Ok(()) | Err(EngineError::Turn(TurnError::EmptyMessage)) => {}
            Err(error) => drop(failed.get_or_insert(error)),
        }
    }
    failed.map_or(Ok(()), |error| Err(error.into()))
}
