//! Switching an open session to another model.

use std::sync::Arc;

use throughline_agent::{EventSink, SwitchError};
use throughline_completion::LanguageModel;
use throughline_config::Config;
use throughline_connect::ConnectedModel;
use throughline_stored::{Attempt as _, Result};
use throughline_tools::CancelFlag;

use crate::models::SessionModels;
use crate::session::Session;

impl Session {
    /// Switches to another model, as `provider/model`, that is reached as the options and the settings say. Raising the flag
    /// stops it.
    ///
    /// # Errors
    /// The model cannot be asked, or the session cannot be made to fit its window. Then the model stays.
    pub async fn switch_model(
        &mut self,
        name: &str,
        models: &SessionModels,
        config: &Config,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<()> {
        let choice = models.options.model.completed(config).with_model(name);
        let connected = tokio::select! {
            connected = ConnectedModel::connect(&choice) => connected?,
            () = cancel.cancelled() => return Err(SwitchError::Stopped).attempt(|| not_switched(name)),
        };
        let next = connected.next(&self.settings, models.options.max_output_tokens);
        let model = Arc::clone(&next.model);
        self.agent.switch_model(next, sink, cancel).await.attempt(|| not_switched(name))?;
        self.judge_by(model);
        Ok(())
    }
}

impl Session {
    /// Lets another model judge for hooks, behind a switch that the caller has made.
    pub fn judge_by(&self, model: Arc<dyn LanguageModel>) {
        if let Some(hooks) = &self.around.hooks {
            hooks.judge_by(model);
        }
    }
}

fn not_switched(name: &str) -> String {
    format!("the model is not switched to {name}")
}
