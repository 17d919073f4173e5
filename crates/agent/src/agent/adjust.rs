//! What the caller sets between turns.

use std::sync::Arc;

use throughline_conversation::{CheckpointReason, DocumentName, DocumentRecord, Seq, Source};
use throughline_tools::{CancelFlag, ToolRegistry};

use crate::agent::Agent;
use crate::engine_tools;
use crate::event::EventSink;
use crate::progress::Phase;
use crate::turn_context::TurnContext;

impl Agent {
    /// Replaces a document on behalf of the user. It is shown from the next request on.
    pub async fn set_document(&mut self, name: DocumentName, text: &str, sink: &dyn EventSink) -> Seq {
        let cancel = CancelFlag::default();
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel: &cancel };
        let record = DocumentRecord { name, text: text.to_owned(), by: Source::User };
        let seq = self.session.write_document(&turn, record);
        self.session.flush(&turn).await;
        seq
    }

    /// Sets the maximum number of requests of each following turn; `None` removes the limit.
    pub fn limit_requests(&mut self, most: Option<u64>) {
        self.model.settings.max_requests = most;
    }

    /// Replaces the tools from the next request on, for example when a tool server starts late or changes its tools. The
    /// descriptions that the model sees stay until the prompt cache is cold: a new tool can be found by a search at once,
    /// and a call of a removed one is answered with an error.
    pub fn set_tools(&mut self, registry: ToolRegistry) {
        self.tools.catalogue = engine_tools::catalogue(&self.continuity, &registry.definitions());
        self.tools.registry = Arc::new(registry);
    }

    /// Sets the phase of a long task that the following checkpoints record.
    pub fn set_phase(&mut self, phase: Phase) {
        self.session.progress.phase = phase;
    }

    /// Records a checkpoint now.
    pub async fn checkpoint(&mut self, reason: CheckpointReason, sink: &dyn EventSink) {
        let cancel = CancelFlag::default();
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel: &cancel };
        self.continuity.checkpoint(&mut self.session, reason).await;
        self.session.flush(&turn).await;
    }
}
