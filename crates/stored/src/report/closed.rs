//! The agent for a report on a session that no agent has open.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_agent::Agent;
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo};
use throughline_conversation::{ModelRecord, Receipt};
use throughline_policies::Estimator;

use super::assumed::{AssumedSettings, assumed};
use crate::error::Result;
use crate::handle::SessionHandle;

/// An agent that has the session open to measure it, by the newest request and the settings that the session would run with now. It
/// sends nothing and writes nothing.
pub(crate) async fn agent(
    handle: &SessionHandle,
    receipt: &Receipt,
    reader: Option<&ModelRecord>,
) -> Result<(Agent, AssumedSettings)> {
    let (window, reserved) = (receipt.window.total, receipt.window.reserved_output);
    let mut info = ModelInfo::with_window(receipt.model.clone(), window, reserved);
    let (settings, assumed) = assumed(handle).await?;
    let mut settings = settings.for_window(window, reserved);
    if let Some(reader) = reader {
        // What the session shows depends on the model that reads it.
        info.provider.clone_from(&reader.origin.provider);
        info.name.clone_from(&reader.origin.model);
        settings.foreign = reader.foreign;
    }
    let builder = Agent::builder(Arc::new(AbsentModel(info)), Estimator::Script.counter(), settings);
    let agent = handle.storage.attach(builder).open(handle.session.clone()).await?;
    Ok((agent, assumed))
}

/// Satisfies the builder of an agent: a report sends no request.
#[derive(Debug)]
struct AbsentModel(ModelInfo);

#[async_trait]
impl LanguageModel for AbsentModel {
    fn info(&self) -> ModelInfo {
        self.0.clone()
    }

    async fn stream(&self, _request: &CompletionRequest) -> Result<EventStream, ModelError> {
        Err(ModelError::Unavailable { message: "a report calls no model".to_owned(), retry_after_ms: None })
    }
}
