//! The agent as its caller sees it.

mod adjust;
mod inspect;

use std::collections::VecDeque;
use std::sync::Arc;

use throughline_compaction::CompactResult;
use throughline_completion::{LanguageModel, ModelInfo, StopReason};
use throughline_continuity::{Unreadable, continue_note};
use throughline_conversation::{Message, Source, TokenCounter};
use throughline_documents::Handoff;
use throughline_tools::CancelFlag;

use crate::active_model::ActiveModel;
use crate::builder::AgentBuilder;
use crate::calibration::calibrated_refusal;
use crate::compact_error::CompactError;
use crate::compacting::Compaction;
use crate::continuity_ports::ContinuityPorts;
use crate::error::TurnError;
use crate::event::{Event, EventSink};
use crate::frame::{RequestFrame, components};
use crate::input;
use crate::listener::Listener;
use crate::prefix::Prefix;
use crate::session::Session;
use crate::settings::Settings;
use crate::steps::build_prompt;
use crate::switching::{NextModel, Switch, SwitchError};
use crate::tail::Tail;
use crate::toolbox::ToolBox;
use crate::turn::{Ended, run};
use crate::turn_context::TurnContext;
use crate::turn_outcome::TurnOutcome;
use crate::window::{RequestSize, Window};

/// One session and the model that answers in it.
///
/// Everything that changes the session takes `&mut self`: a compaction cannot run during a turn.
#[derive(Debug)]
pub struct Agent {
    pub(crate) session: Session,
    pub(crate) window: Window,
    pub(crate) prefix: Prefix,
    pub(crate) tools: ToolBox,
    pub(crate) tail: Tail,
    pub(crate) model: ActiveModel,
    pub(crate) continuity: ContinuityPorts,
    /// Models that take over when the current one cannot answer, in order.
    pub(crate) fallbacks: VecDeque<NextModel>,
    /// Why the view was rebuilt from the log instead of a snapshot.
    pub(crate) rebuilt: Option<String>,
    /// Records that were lost at the start.
    pub(crate) unreadable: Vec<Unreadable>,
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
    /// [`TurnError`]. The message is in the log in any case, unless it alone does not fit the window.
    pub async fn turn(
        &mut self,
        message: Message,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<TurnOutcome, TurnError> {
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        let message = input::cleaned(message);
        self.report_start(&turn, message.text());
        let outcome = self.answer(message, &turn).await;
        report_end(&turn, &outcome);
        outcome
    }

    async fn answer(&mut self, message: Message, turn: &TurnContext<'_>) -> Result<TurnOutcome, TurnError> {
        self.prepare_prompt(&message, turn).await;
        let message = input::make_room(message, &mut self.compaction(turn)).await?;
        let text = message.text();
        input::begin_turn(&mut self.session, turn, message);
        self.tail.recalled = self.continuity.recall(&mut self.session, turn, &text).await;
        input::finish_accepting(&mut self.session, &mut self.window, turn).await;
        self.work(turn).await
    }

    /// Builds the system prompt of a session that has none yet, so that the figures and the request that are shown before the
    /// first message have it. It is read again with that message, and stored with it.
    pub async fn prepare(&mut self, sink: &dyn EventSink) {
        let cancel = CancelFlag::default();
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel: &cancel };
        if self.prefix.system.is_empty() {
            let Self { session, window, prefix, tail, model, .. } = self;
            build_prompt(session, window, prefix, tail, model, &turn).await;
        }
    }

    /// Builds the system prompt of a session that has none yet, if the first message is longer than an answer may be: the prompt
    /// may decide whether it fits.
    async fn prepare_prompt(&mut self, message: &Message, turn: &TurnContext<'_>) {
        let tokens = self.window.meter.from_raw(self.session.counter.message(message));
        if self.prefix.system.is_empty() && tokens > self.window.reserved {
            let Self { session, window, prefix, tail, model, .. } = self;
            build_prompt(session, window, prefix, tail, model, turn).await;
        }
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
        self.session.close_open_calls(&turn);
        self.session.flush(&turn).await;
        if !self.session.view.violations().is_empty() {
            return Ok(None);
        }
        self.session.leave_hidden_group();
        if self.session.was_stopped() {
            // Without a note a stopped model would ask what to do instead of continuing.
            self.session.append_message(&turn, continue_note(), Source::Engine);
        }
        self.report_start(&turn, String::new());
        let outcome = self.work(&turn).await;
        report_end(&turn, &outcome);
        outcome.map(Some)
    }

    /// Compacts now.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact(&mut self, sink: &dyn EventSink) -> Result<CompactResult, CompactError> {
        self.compact_with(None, sink, &CancelFlag::default()).await
    }

    /// Compacts now, with instructions for the summary. They have no effect on summaries without a model. Any gain is enough:
    /// the user decides what a cold prompt cache is worth.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact_with(
        &mut self,
        instructions: Option<&str>,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<CompactResult, CompactError> {
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        let before = self.budget().window_figures().used.conversation;
        let result = self.compaction(&turn).on_request(instructions).await;
        let result = result.map_err(|error| calibrated_refusal(error, before))?;
        self.after_compaction(&turn).await;
        Ok(result)
    }

    /// Returns true if there are standing instructions for summaries and no model writes any.
    #[must_use]
    pub fn ignores_instructions(&self) -> bool {
        let compactor = &self.model.compactor;
        compactor.policy().instructions.is_some() && !compactor.asks_model()
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
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        let Self { session, window, prefix, tools, model, .. } = self;
        let switched = Switch { session, window, prefix, tools, model, turn: &turn }.on_request(next).await;
        self.session.flush(&turn).await;
        switched
    }

    /// The model that answers now.
    #[must_use]
    pub fn model(&self) -> &ModelInfo {
        &self.model.info
    }

    /// Writes pending records and saves a snapshot, so that the next start is fast.
    pub async fn close(mut self, sink: &dyn EventSink) {
        let cancel = CancelFlag::default();
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel: &cancel };
        let session = &mut self.session;
        self.continuity.checkpoint_when_due(session, true).await;
        session.flush(&turn).await;
        if session.journal.pending() == 0 && !session.view.entries().is_empty() {
            session.save_snapshot(&turn).await;
        }
    }

    /// The handoff of the session, for the next agent or session that continues it.
    pub async fn handoff(&self) -> Handoff {
        self.continuity.handoff(&self.session).await
    }

    /// The next request without its tail notes.
    pub(crate) fn size(&self) -> RequestSize {
        self.window.measure(components(&self.session, &self.prefix, &self.tools), 0)
    }

    pub(crate) fn frame(&self) -> RequestFrame<'_> {
        RequestFrame { prefix: &self.prefix, tools: &self.tools, model: &self.model }
    }

    pub(crate) fn compaction<'a>(&'a mut self, turn: &'a TurnContext<'a>) -> Compaction<'a> {
        let Self { session, window, prefix, tools, model, .. } = self;
        Compaction { session, window, frame: RequestFrame { prefix, tools, model }, turn }
    }

    fn report_start(&self, turn: &TurnContext<'_>, text: String) {
        turn.sink.emit(Event::TurnStarted { model: self.model.origin(), text });
    }

    async fn work(&mut self, turn: &TurnContext<'_>) -> Result<TurnOutcome, TurnError> {
        let ended = run(self, turn).await;
        self.continuity.record_end(&mut self.session, turn, ended.as_ref().err()).await;
        self.tail.end_resume();
        // What a failed turn recorded must not wait for the next one.
        self.session.flush(turn).await;
        let (text, stop, cancelled) = match ended? {
            Ended::Finished { text, stop } => (text, stop.name().to_owned(), false),
            Ended::Cancelled => (String::new(), "cancelled".to_owned(), true),
        };
        let refused = match stop == StopReason::Refusal.name() {
            true => Some(self.hide_refused(turn).await),
            false => None,
        };
        Ok(TurnOutcome { text, stop, cancelled, requests: self.session.request, refused })
    }
}

fn report_end(turn: &TurnContext<'_>, outcome: &Result<TurnOutcome, TurnError>) {
    turn.sink.emit(Event::TurnEnded {
        stop: outcome.as_ref().ok().map(|outcome| outcome.stop.clone()),
        error: outcome.as_ref().err().map(TurnError::kind),
    });
}
