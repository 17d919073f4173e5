//! What the caller sets between turns.

use std::sync::Arc;

use throughline_conversation::{CheckpointReason, DocumentName, Seq};
use throughline_engine::{EventSink, Phase};
use throughline_tools::{CancelFlag, ToolRegistry};

use crate::agent::Agent;

impl Agent {
    /// Replaces a document on behalf of the user. It is shown from the next request on.
    pub async fn set_document(&mut self, name: DocumentName, text: &str, sink: &dyn EventSink) -> Seq {
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        self.parts.engine.operation(&sink, &cancel).set_document(name, text).await
    }

    /// Sets the maximum number of requests of each following turn; `None` removes the limit.
    pub fn limit_requests(&mut self, most: Option<u64>) {
        self.parts.engine.limit_requests(most);
    }

    /// Replaces the tools from the next request on, for example when a tool server starts late or changes its tools. The
    /// descriptions that the model sees stay until the prompt cache is cold: a new tool can be found by a search at once,
    /// and a call of a removed one is answered with an error.
    pub fn set_tools(&mut self, registry: ToolRegistry) {
        self.parts.engine.set_tools(&registry.definitions());
        self.parts.registry = Arc::new(registry);
    }

    /// Sets the phase of a long task that the following checkpoints record.
    pub fn set_phase(&mut self, phase: Phase) {
        self.parts.engine.set_phase(phase);
    }

    /// Records a checkpoint now.
    pub async fn checkpoint(&mut self, reason: CheckpointReason, sink: &dyn EventSink) {
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        self.parts.engine.operation(&sink, &cancel).checkpoint(reason).await;
    }
}
