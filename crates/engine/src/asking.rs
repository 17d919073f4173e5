//! The next request, from the system prompt to the check that a provider accepts it.

use std::sync::Arc;

use throughline_compaction::Prose;
use throughline_completion::CompletionRequest;
use throughline_conversation::{ModelUse, Role, Usage, View};

use crate::adapting::adapt_when_due;
use crate::caller_summaries::SideRequest;
use crate::compact_error::CompactError;
use crate::compacting::FIXED_PARTS;
use crate::decision::is_blocked;
use crate::engine_error::{EngineError, OrderError};
use crate::error::TurnError;
use crate::event::Event;
use crate::open_work::OpenRequest;
use crate::operation::Operation;
use crate::prefix::CacheState;
use crate::request_id::RequestId;
use crate::stage::{Stage, Suspended};
use crate::steps::{
    Built, Measured, Ready, Unblocked, build_prompt, build_request, compact, force_compact, measure,
    renew_prompt, select_tools,
};

/// What the caller does next.
#[derive(Debug)]
pub enum Next {
    /// It sends a request to the session's model.
    Request(PreparedRequest),
    /// It asks a model of its choice for a summary, and gives it back. Only where the engine was built
    /// [by the caller's summaries](crate::EngineBuilder::summaries_by_caller).
    Summarize(SideRequest),
}

/// A valid request. It is open until its answer, its failure or its cancellation is handed back.
#[derive(Debug)]
pub struct PreparedRequest {
    /// Its number.
    pub id: RequestId,
    /// What is sent. Drop it before the answer is handed back: while it lives, an append copies all messages.
    pub request: CompletionRequest,
    /// Predicted cache usage.
    pub predicted: Usage,
}

impl Operation<'_> {
    /// Steps 1 to 6: the request that the model answers next.
    ///
    /// # Errors
    /// [`OrderError`] if a request, a summary or a call is open; [`TurnError`] if the session cannot be made to fit.
    pub async fn next_request(&mut self) -> Result<Next, EngineError> {
        self.finish_own_calls().await;
        let suspended = self.begin_request()?;
        self.engine.state.session.begin_shown_group(&self.turn);
        let before = self.engine.state.prefix.cache_state();
        if let Some(caller) = &self.engine.state.model.caller {
            caller.begin(suspended.is_some());
        }
        let built = self.build(suspended, before).await;
        let wanted = self.engine.state.model.caller.as_ref().and_then(|caller| caller.end());
        match (built, wanted) {
            (Err(TurnError::Compaction(CompactError::SummaryWanted)), Some(wanted)) => {
                Ok(Next::Summarize(wanted))
            }
            (built, _) => Ok(Next::Request(built?)),
        }
    }

    /// Checks that nothing is open.
    pub(crate) fn check_idle(&self) -> Result<(), OrderError> {
        if let Some(id) = self.engine.state.model.caller.as_ref().and_then(|caller| caller.open_id()) {
            return Err(OrderError::SummaryOpen(id));
        }
        match &self.engine.stage {
            Stage::Idle => match self.engine.view().open_calls() {
                [] => Ok(()),
                open => Err(OrderError::CallsOpen(open.to_vec())),
            },
            stage => Err(stage.order_error()),
        }
    }

    /// Checks that a request may be built. Returns the step that a summary suspended.
    fn begin_request(&mut self) -> Result<Option<Suspended>, OrderError> {
        let engine = &mut *self.engine;
        if let Some(id) = engine.state.model.caller.as_ref().and_then(|caller| caller.open_id()) {
            return Err(OrderError::SummaryOpen(id));
        }
        match std::mem::take(&mut engine.stage) {
            Stage::Idle if is_answered(engine.state.session.view()) => Err(OrderError::NothingToAnswer),
            Stage::Idle => Ok(None),
            Stage::Summarizing(suspended) => Ok(Some(suspended)),
            stage => {
                let error = stage.order_error();
                engine.stage = stage;
                Err(error)
            }
        }
    }

    async fn build(
        &mut self,
        suspended: Option<Suspended>,
        before: CacheState,
    ) -> Result<PreparedRequest, TurnError> {
        let mut suspended = suspended;
        loop {
            match self.prepare(suspended.take()).await? {
                Built::Ready(ready) => return Ok(self.open(ready, before)),
                Built::TooLarge if self.engine.rebuilds.take() => {}
                Built::TooLarge => {
                    let smallest = self.engine.state.session.view().tokens();
                    return Err(self.step().compaction().does_not_fit(smallest, FIXED_PARTS.to_owned()));
                }
            }
        }
    }

    async fn prepare(&mut self, suspended: Option<Suspended>) -> Result<Built, TurnError> {
        let unblocked = match suspended {
            Some(Suspended::Compacting(unblocked)) => unblocked,
            Some(Suspended::Forcing(measured)) => self.force(measured).await?,
            None => {
                let prompted = build_prompt(&mut self.step()).await;
                let measured = measure(prompted, &mut self.step());
                adapt_when_due(&measured.size, &mut self.step()).await;
                self.force(measured).await?
            }
        };
        let waiting = self.engine.state.model.caller.is_some().then(|| unblocked.clone());
        let fitted = match compact(unblocked, &mut self.step().compaction()).await {
            Err(error) => return Err(self.suspended(error, waiting.map(Suspended::Compacting))),
            Ok(fitted) => fitted,
        };
        renew_prompt(&mut self.step()).await;
        let equipped = select_tools(fitted, &mut self.step());
        build_request(equipped, &mut self.step())
    }

    async fn force(&mut self, mut measured: Measured) -> Result<Unblocked, TurnError> {
        // Nothing is cached behind the cut that follows. The tools may have been selected for a larger window.
        if is_blocked(&measured.size, self.engine.state.window.limits())
            && self.engine.state.plan_tools_again()
        {
            measured.size = self.step().compaction().size();
        }
        let waiting = self.engine.state.model.caller.is_some().then(|| measured.clone());
        match force_compact(measured, &mut self.step().compaction()).await {
            Err(error) => Err(self.suspended(error, waiting.map(Suspended::Forcing))),
            unblocked => unblocked,
        }
    }

    /// Notes the step that continues once the summary has come, if that is what is missing.
    fn suspended(&mut self, error: TurnError, step: Option<Suspended>) -> TurnError {
        if let (TurnError::Compaction(CompactError::SummaryWanted), Some(step)) = (&error, step) {
            self.engine.stage = Stage::Summarizing(step);
        }
        error
    }

    fn open(&mut self, ready: Ready, before: CacheState) -> PreparedRequest {
        let Ready { request, receipt, raw, tail_tokens } = ready;
        let (id, predicted) = (RequestId(receipt.request), receipt.predicted);
        let system = Arc::clone(&request.system);
        let open = OpenRequest { id, receipt, raw, tail_tokens, system, before };
        self.engine.stage = Stage::Asked(Box::new(open));
        PreparedRequest { id, request, predicted }
    }

    /// Reports that a request is sent.
    pub fn report_sent(&mut self, prepared: &PreparedRequest) {
        self.turn.sink.emit(Event::Sent {
            request: prepared.id.0,
            messages: prepared.request.transcript.len(),
            predicted: prepared.predicted,
            server: self.engine.state.model.server.clone(),
        });
    }

    /// Gives the summary that [`Next::Summarize`] asks for, and what it has used. The next request uses it if the messages are
    /// still the same. `model` is recorded as its author.
    ///
    /// # Errors
    /// [`OrderError::UnknownSummary`] if it is not asked for.
    pub fn summary(
        &mut self,
        id: u64,
        text: impl Into<String>,
        used: Option<ModelUse>,
        model: impl Into<String>,
    ) -> Result<(), OrderError> {
        self.give_summary(id, Some(Prose::by_model(text, model)))?;
        if let Some(used) = used {
            self.engine.state.session.record_usage(&self.turn, used);
        }
        Ok(())
    }

    /// Declines a summary: it is extracted from the messages.
    ///
    /// # Errors
    /// [`OrderError::UnknownSummary`] if it is not asked for.
    pub fn no_summary(&mut self, id: u64) -> Result<(), OrderError> {
        self.give_summary(id, None)
    }

    fn give_summary(&mut self, id: u64, prose: Option<Prose>) -> Result<(), OrderError> {
        match &self.engine.state.model.caller {
            Some(caller) => caller.give(id, prose),
            None => Err(OrderError::UnknownSummary(id)),
        }
    }

    /// Closes a request that is not sent. What its receipt had taken goes to the next one.
    ///
    /// # Errors
    /// [`OrderError`] if it is not open.
    pub fn withdraw_request(&mut self, id: RequestId) -> Result<(), OrderError> {
        let open = self.take_request(id)?;
        self.engine.state.session.restore_receipt(*open.receipt);
        self.engine.state.prefix.restore_cache_state(open.before);
        Ok(())
    }

    /// Checks that this request is open.
    pub(crate) fn check_request(&self, id: RequestId) -> Result<(), OrderError> {
        match &self.engine.stage {
            Stage::Asked(open) if open.id == id => Ok(()),
            Stage::Asked(open) => Err(OrderError::OtherRequest { open: open.id, given: id }),
            _ => Err(OrderError::NoRequest),
        }
    }

    pub(crate) fn take_request(&mut self, id: RequestId) -> Result<OpenRequest, OrderError> {
        self.check_request(id)?;
        match std::mem::take(&mut self.engine.stage) {
            Stage::Asked(open) => Ok(*open),
            _ => Err(OrderError::NoRequest),
        }
    }
}

/// Returns true if the model has said the last word, or the session is empty.
fn is_answered(view: &View) -> bool {
    view.entries().last().is_none_or(|last| last.message.role == Role::Assistant)
}

impl Stage {
    /// Why no request can be built.
    fn order_error(&self) -> OrderError {
        match self {
            Self::Asked(open) => OrderError::RequestOpen(open.id),
            Self::Calling(calls) => OrderError::CallsOpen(calls.open_ids()),
            Self::Idle | Self::Summarizing(_) => OrderError::NoRequest,
        }
    }
}
