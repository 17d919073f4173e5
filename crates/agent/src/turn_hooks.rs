//! What is asked at the boundaries of a turn.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::{Message, ModelUse, View};
use throughline_engine::{Event, TurnContext, TurnError};
use throughline_tools::CancelFlag;

use crate::model_loop::ModelLoop;

/// Is asked at the boundaries of a turn: at a message, at a compaction, and at its end.
///
/// # Contract
/// - MUST return when the flag is raised.
/// - MUST return each notice, each use and each context once.
///
/// # When it fails
/// It says so in a notice, and answers as if it had nothing to say.
#[async_trait]
pub trait TurnHooks: Debug + Send + Sync {
    /// A message of the user, before the session has it. It may add to the message.
    ///
    /// # Errors
    /// Why the message is not taken, for the user.
    async fn prompt(&self, message: Message, cancel: &CancelFlag) -> Result<Message, String>;

    /// The model ends its turn with this text. A message lets it continue; the turn ends without one. `again`: it has continued
    /// for such a message in this turn already.
    async fn ending(&self, text: &str, again: bool, cancel: &CancelFlag) -> Option<Message>;

    /// The user asks for a compaction, with these instructions for the summary. Returns the instructions to use.
    ///
    /// # Errors
    /// Why it is not made, for the user.
    async fn compacting(
        &self,
        instructions: Option<&str>,
        cancel: &CancelFlag,
    ) -> Result<Option<String>, String>;

    /// Called at each boundary with the current view: compactions since the last call are answered here.
    async fn compacted(&self, view: &View, cancel: &CancelFlag);

    /// Takes what is added before the model's next request.
    fn context(&self) -> Option<Message>;

    /// Takes why a hook has ended the turn, once it has raised the flag of the turn.
    fn take_stop(&self) -> Option<String>;

    /// Takes what the hooks have to report.
    fn report(&self) -> HookReport;
}

/// What hooks have to report besides their answers.
#[derive(Debug, Default)]
pub struct HookReport {
    /// Sentences for the user.
    pub notices: Vec<String>,
    /// What models have used that judged for hooks.
    pub used: Vec<ModelUse>,
}

const _: Option<&dyn TurnHooks> = None;

/// The message as the hooks let it into the session.
///
/// # Errors
/// [`TurnError::Declined`].
pub(crate) async fn hooked(
    agent: &mut ModelLoop,
    message: Message,
    turn: &TurnContext<'_>,
) -> Result<Message, TurnError> {
    let Some(hooks) = &agent.hooks else { return Ok(message) };
    let taken = hooks.prompt(message, turn.cancel).await;
    report(agent, turn);
    taken.map_err(TurnError::Declined)
}

/// Adds to the turn what the hooks say after a compaction. Returns true if there is something: the request is built again.
pub(crate) async fn add_context(agent: &mut ModelLoop, turn: &TurnContext<'_>) -> Option<Message> {
    let hooks = agent.hooks.as_ref()?;
    hooks.compacted(agent.engine.view(), turn.cancel).await;
    report(agent, turn);
    agent.hooks.as_ref()?.context()
}

/// The message with which the model continues instead of ending its turn.
pub(crate) async fn continued(
    agent: &mut ModelLoop,
    text: &str,
    again: bool,
    turn: &TurnContext<'_>,
) -> Option<Message> {
    let message = agent.hooks.as_ref()?.ending(text, again, turn.cancel).await;
    report(agent, turn);
    message
}

/// Tells the user what the hooks have to say, and records what they cost.
pub(crate) fn report(agent: &mut ModelLoop, turn: &TurnContext<'_>) {
    let Some(hooks) = &agent.hooks else { return };
    let HookReport { notices, used } = hooks.report();
    notices.into_iter().for_each(|text| turn.sink.emit(Event::Notice(text)));
    let mut operation = agent.operation(turn);
    used.into_iter().for_each(|used| operation.record_use(used));
}
