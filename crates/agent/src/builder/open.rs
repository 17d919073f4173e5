//! Opening a session.

use std::sync::Arc;

use throughline_conversation::SessionId;
use throughline_engine::StartError;

use super::AgentBuilder;
use crate::agent::Agent;
use crate::ahead::AheadSummary;
use crate::listener::Listener;
use crate::model_loop::ModelLoop;

impl AgentBuilder {
    /// Opens a session: resumes it where its log ends, or starts it if the log is empty.
    ///
    /// # Errors
    /// [`StartError`] if the thresholds are impossible or the log cannot be read.
    pub async fn open(self, id: SessionId) -> Result<Agent, StartError> {
        let AgentBuilder {
            engine,
            model,
            registry,
            workspace,
            fallbacks,
            spending,
            calls_need_log,
            listeners,
            user_messages,
            background,
            hooks,
        } = self;
        let listener = Listener::of(listeners.as_deref(), &id);
        let engine = engine.tools(&registry.definitions()).open(id).await?;
        let registry = Arc::new(registry);
        let parts = ModelLoop {
            engine,
            model,
            registry,
            workspace,
            fallbacks,
            spending,
            calls_need_log,
            user_messages,
            background,
            hooks,
            without_count: None,
            ahead: AheadSummary::default(),
        };
        Ok(Agent { parts, listener })
    }
}
