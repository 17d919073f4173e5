//! The agent as its caller sees it.

mod adjust;
mod change;
mod compact;
mod inspect;

use std::sync::Arc;

use throughline_completion::LanguageModel;
use throughline_conversation::{Message, TokenCounter};
use throughline_engine::{Event, EventSink, Settings, SwitchError, TurnContext, TurnError};
use throughline_tools::CancelFlag;

use crate::ahead;
use crate::builder::AgentBuilder;
use crate::listener::Listener;
use crate::model_loop::ModelLoop;
use crate::next_model::NextModel;
use crate::turn::{Ended, run};
use crate::turn_hooks::{hooked, report};
use crate::turn_outcome::TurnOutcome;

/// One session and the model that answers in it: the loop around a [`ContextEngine`](throughline_engine::ContextEngine).
///
/// Everything that changes the session takes `&mut self`: a compaction cannot run during a turn.
#[derive(Debug)]
pub struct Agent {
    pub(crate) parts: ModelLoop,
    pub(crate) listener: Listener,
}

impl Agent {
    /// Starts to build an agent.
    #[must_use]
    pub fn builder(
        model: Arc<dyn LanguageModel>,
        counter: Arc<dyn TokenCounter>,
        settings: Settings,
    ) -> AgentBuilder {
        AgentBuilder::new(model, counter, settings)
    }

    /// Takes a message of the user and works until the model ends its turn.
    ///
    /// # Errors
    /// [`TurnError`]. The message is in the log, unless it alone does not fit the window, a hook declines it, or it says nothing. For
    /// the last two no turn begins.
    pub async fn turn(
        &mut self,
        message: Message,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<TurnOutcome, TurnError> {
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        let message = hooked(&mut self.parts, message, &turn).await?;
        let mut operation = self.parts.engine.operation(sink, cancel);
        let outcome = match operation.user(message).await {
            Ok(()) => self.work(&turn).await,
            Err(TurnError::EmptyMessage) => return Err(TurnError::EmptyMessage),
            Err(error) => {
                operation.end_turn(None, Some(&error)).await;
                Err(error)
            }
        };
        report_end(&turn, &outcome);
        outcome
    }

    /// Builds the system prompt of a session that has none yet, so that the figures and the request that are shown before the
    /// first message have it. It is read again with that message, and stored with it.
    pub async fn prepare(&mut self, sink: &dyn EventSink) {
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        self.parts.engine.operation(&sink, &cancel).prepare_system().await;
    }

    /// Continues a turn that was cut off or stopped: open calls are answered as cut off, then the model is asked again.
    /// Returns `None` if there is nothing to continue, because the last message is the model's.
    ///
    /// # Errors
    /// [`TurnError`] as for a turn.
    pub async fn continue_turn(
        &mut self,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<Option<TurnOutcome>, TurnError> {
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        if !self.parts.engine.operation(sink, cancel).resume_turn().await {
            return Ok(None);
        }
        let model = self.parts.engine.model().origin();
        turn.sink.emit(Event::TurnStarted { model, text: String::new() });
        let outcome = self.work(&turn).await;
        report_end(&turn, &outcome);
        outcome.map(Some)
    }

    /// Switches to another model.
    ///
    /// If the session does not fit the new window, the current model compacts it first. Messages of another provider are
    /// shown to the new model as text; the log keeps their own form, which is shown again after a switch back. The user
    /// may stop the switch while the summary is written.
    ///
    /// # Errors
    /// [`SwitchError`]; then the model stays, and nothing is compacted.
    pub async fn switch_model(
        &mut self,
        next: NextModel,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<(), SwitchError> {
        let sink = self.listener.with(sink);
        let (model, profile) = next.into_parts();
        self.parts.engine.operation(&sink, cancel).switch_model(profile).await?;
        self.parts.model = model;
        Ok(())
    }

    /// Writes pending records and saves a snapshot, so that the next start is fast.
    pub async fn close(mut self, sink: &dyn EventSink) {
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        ahead::stop(&mut self.parts, &TurnContext { sink: &sink, cancel: &cancel }).await;
        self.parts.engine.operation(&sink, &cancel).close().await;
    }

    async fn work(&mut self, turn: &TurnContext<'_>) -> Result<TurnOutcome, TurnError> {
        let ended = run(&mut self.parts, turn).await;
        report(&mut self.parts, turn);
        let stop = match &ended {
            Ok(Ended::Finished { stop, .. }) => Some(stop),
            _ => None,
        };
        let mut operation = self.parts.engine.operation(turn.sink, turn.cancel);
        let refused = operation.end_turn(stop, ended.as_ref().err()).await;
        let (text, stop, cancelled) = match ended? {
            Ended::Finished { text, stop } => (text, stop.name().to_owned(), false),
            Ended::Cancelled => (String::new(), "cancelled".to_owned(), true),
        };
        Ok(TurnOutcome { text, stop, cancelled, requests: self.parts.engine.requests(), refused })
    }
}

fn report_end(turn: &TurnContext<'_>, outcome: &Result<TurnOutcome, TurnError>) {
    turn.sink.emit(Event::TurnEnded {
        stop: outcome.as_ref().ok().map(|outcome| outcome.stop.clone()),
        error: outcome.as_ref().err().map(TurnError::kind),
    });
}
