//! What the caller sets between turns.

use throughline_conversation::{
    CheckpointReason, Degradation, DocumentName, DocumentRecord, Seq, Source, ToolDefinition,
};

use crate::engine::ContextEngine;
use crate::engine_tools::{self, LeftOut};
use crate::event::Event;
use crate::operation::Operation;
use crate::progress::Phase;

impl Operation<'_> {
    /// Replaces a document on behalf of the user. It is shown from the next request on.
    pub async fn set_document(&mut self, name: DocumentName, text: &str) -> Seq {
        let Operation { engine, turn } = self;
        let record = DocumentRecord { name, text: text.to_owned(), by: Source::User };
        let seq = engine.state.session.write_document(turn, record);
        engine.state.session.flush(turn).await;
        seq
    }

    /// Records a checkpoint now.
    pub async fn checkpoint(&mut self, reason: CheckpointReason) {
        let Operation { engine, turn } = self;
        engine.state.continuity.checkpoint(&mut engine.state.session, reason).await;
        engine.state.session.flush(turn).await;
    }
}

impl ContextEngine {
    /// Sets the maximum number of requests of each following turn; `None` removes the limit.
    pub fn limit_requests(&mut self, most: Option<u64>) {
        self.state.model.settings.max_requests = most;
    }

    /// Replaces the tools from the next request on, for example when a tool server starts late or changes its tools. The
    /// descriptions that the model sees stay until the prompt cache is cold: a new tool can be found by a search at once,
    /// and a call of a removed one is answered with an error. A tool that cannot be offered is left out, as by
    /// [`tools`](crate::EngineBuilder::tools).
    pub fn set_tools(&mut self, tools: &[ToolDefinition]) {
        let catalogue = engine_tools::catalogue(&self.state.continuity, tools);
        self.state.tools.replace(catalogue.tools);
        self.report_left_out(catalogue.left_out);
    }

    /// Reports each tool that is not offered, once.
    pub(crate) fn report_left_out(&mut self, tools: Vec<LeftOut>) {
        for tool in tools.into_iter().filter(|tool| self.state.tools.note_left_out(&tool.name)) {
            let degradation = Degradation {
                subsystem: "tools".to_owned(),
                fallback: "the model is not given it".to_owned(),
                cause: tool.to_string(),
            };
            self.events.emit(Event::Degraded(degradation.clone()));
            self.state.session.note_degradation(degradation);
        }
    }

    /// Sets the phase of a long task that the following checkpoints record.
    pub fn set_phase(&mut self, phase: Phase) {
        self.state.session.progress_mut().phase = phase;
    }
}
