//! The agent as its caller sees it.

use throughline_budget::ContextBudget;
use throughline_compaction::CompactResult;
use throughline_continuity::continue_note;
use throughline_conversation::{
    CheckpointReason, DocumentName, DocumentRecord, Message, Seq, SessionId, Source, View,
};
use throughline_documents::Handoff;
use throughline_tools::{CancelFlag, ToolRegistry};

use crate::compacting::CompactError;
use crate::engine::{Engine, Wire};
use crate::error::TurnError;
use crate::steps::renew_prompt;
use crate::turn::{Ended, run};
use crate::{AgentBuilder, EventSink, Role, compacting, input, tools};

/// One session with one model.
///
/// It takes `&mut self` for everything that changes the session: a compaction cannot run into a turn.
#[derive(Debug)]
pub struct Agent {
    pub(crate) engine: Engine,
    pub(crate) resumed: Option<String>,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnOutcome {
    /// The model's last text.
    pub text: String,
    /// Why the model stopped, for example `end_turn`; `cancelled` when the caller stopped it. It is the provider's own word
    /// where that is no known one, which may be any.
    pub stop: String,
    /// Whether the caller stopped it.
    pub cancelled: bool,
    /// Requests of the session so far.
    pub requests: u64,
}

impl Agent {
    /// Starts to put an agent together.
    #[must_use]
    pub fn builder(
        model: std::sync::Arc<dyn throughline_completion::LanguageModel>,
        counter: std::sync::Arc<dyn throughline_conversation::TokenCounter>,
        settings: crate::Settings,
    ) -> AgentBuilder {
        AgentBuilder::new(model, counter, settings)
    }

    /// Takes a message of the user and works until the model ends its turn.
    ///
    /// # Errors
    /// [`TurnError`]; the message is in the log all the same, unless it alone does not fit the window.
    pub async fn turn(
        &mut self,
        message: Message,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<TurnOutcome, TurnError> {
        let wire = Wire { sink, cancel };
        input::accept(&mut self.engine, &wire, message).await?;
        self.work(&wire).await
    }

    /// Goes on with a turn that was cut off or stopped: open calls are answered as cut off, then the model is asked
    /// again. `None`: there is nothing to go on with, the last word was the model's.
    ///
    /// # Errors
    /// [`TurnError`] as for a turn.
    pub async fn go_on(
        &mut self,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<Option<TurnOutcome>, TurnError> {
        let wire = Wire { sink, cancel };
        input::seal(&mut self.engine, &wire);
        self.engine.flush(&wire).await;
        if !self.engine.view.violations().is_empty() {
            return Ok(None);
        }
        self.engine.leave_hidden_group();
        if input::was_stopped(&self.engine) {
            // Who was stopped would rather ask what to do than go on.
            self.engine.say(&wire, continue_note(), Source::Engine);
        }
        self.work(&wire).await.map(Some)
    }

    /// Compacts now.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact(&mut self, sink: &dyn EventSink) -> Result<CompactResult, CompactError> {
        self.compact_with(None, sink, &CancelFlag::default()).await
    }

    /// Compacts now. The instructions go to whoever writes the summary; where it is made by rule, or none is needed, they
    /// change nothing.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact_with(
        &mut self,
        instructions: Option<&str>,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<CompactResult, CompactError> {
        let wire = Wire { sink, cancel };
        let result = compacting::asked_for(&mut self.engine, &wire, instructions).await?;
        // The log has the prompt of what was compacted, also when nothing more is asked in this run.
        renew_prompt(&mut self.engine, &wire).await;
        self.engine.flush(&wire).await;
        Ok(result)
    }

    /// Gives a document another text, by the user's hand. It counts from the next request on.
    pub async fn set_document(&mut self, name: DocumentName, text: &str, sink: &dyn EventSink) -> Seq {
        let cancel = CancelFlag::default();
        let wire = Wire { sink, cancel: &cancel };
        let record = DocumentRecord { name, text: text.to_owned(), by: Source::User };
        let seq = self.engine.write_document(&wire, record);
        self.engine.flush(&wire).await;
        seq
    }

    /// Writes what still waits and saves a snapshot, so that the next start is quick.
    pub async fn close(mut self, sink: &dyn EventSink) {
        let cancel = CancelFlag::default();
        let wire = Wire { sink, cancel: &cancel };
        self.engine.checkpoint_when_due(true).await;
        self.engine.flush(&wire).await;
        if self.engine.journal.waiting() == 0 && !self.engine.view.entries().is_empty() {
            self.engine.save_snapshot(&wire).await;
        }
    }

    /// Sets how many requests the next turns may take at most, each; `None`: no limit.
    pub fn limit_requests(&mut self, most: Option<u64>) {
        self.engine.parts.settings.max_requests = most;
    }

    /// Takes other tools from the next request on, for example when a server of tools came late or has others now. What
    /// the model is told of its tools stays until the prompt's cache is cold anyway: a new one can be found by a search
    /// at once, and a call to one that is gone is answered with an error.
    pub fn set_tools(&mut self, registry: ToolRegistry) {
        let parts = &mut self.engine.parts;
        parts.catalogue = tools::catalogue(&parts.keeping, &registry.definitions());
        parts.registry = std::sync::Arc::new(registry);
    }

    /// Sets what the checkpoints from here on tell of a long task.
    pub fn set_role(&mut self, role: Role) {
        self.engine.progress.role = role;
    }

    /// Puts a checkpoint into the log, with what waits before it.
    pub async fn checkpoint(&mut self, reason: CheckpointReason, sink: &dyn EventSink) {
        let cancel = CancelFlag::default();
        let wire = Wire { sink, cancel: &cancel };
        self.engine.checkpoint(reason).await;
        self.engine.flush(&wire).await;
    }

    /// Where the session stands, for those who go on with it.
    pub async fn handoff(&self) -> Handoff {
        self.engine.handoff().await
    }

    /// The session's name.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.engine.parts.session
    }

    /// What the model sees.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.engine.view
    }

    /// How full the window is now.
    #[must_use]
    pub fn budget(&self) -> ContextBudget {
        self.engine.measure().0
    }

    /// Whether no further message may be accepted before the view has shrunk.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.engine.measure().1.upper >= compacting::block_level(&self.engine)
    }

    /// Number of the newest exchange; 0 when the user has said nothing yet.
    #[must_use]
    pub fn exchange(&self) -> u64 {
        self.engine.exchange.0
    }

    /// Requests sent in this session, earlier runs included.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.engine.request
    }

    /// Why the snapshot was not used at the start and the view was rebuilt from the log, when that was so.
    #[must_use]
    pub fn rebuilt(&self) -> Option<&str> {
        self.resumed.as_deref()
    }

    async fn work(&mut self, wire: &Wire<'_>) -> Result<TurnOutcome, TurnError> {
        let ended = run(&mut self.engine, wire).await;
        self.engine.note_end(wire, ended.as_ref().err()).await;
        (self.engine.resumed, self.engine.resumed_from) = (None, None);
        // Notes of a failed turn must not wait for the next one.
        self.engine.flush(wire).await;
        let (text, stop, cancelled) = match ended? {
            Ended::Finished { text, stop } => (text, stop.name().to_owned(), false),
            Ended::Cancelled => (String::new(), "cancelled".to_owned(), true),
        };
        Ok(TurnOutcome { text, stop, cancelled, requests: self.engine.request })
    }
}
