//! The models of a session that is built.

use std::sync::Arc;

use throughline_agent::NextModel;
use throughline_completion::LanguageModel;
use throughline_conversation::TokenCounter;

use throughline_config::{Config, SessionSettings};
use throughline_connect::{ConnectedModel, ModelChoice, with_settings};
use throughline_stored::Result;

/// The model that is asked.
pub(super) enum ModelSource {
    Named(ModelChoice),
    Port(Arc<dyn LanguageModel>, Arc<dyn TokenCounter>),
}

impl Default for ModelSource {
    fn default() -> Self {
        Self::Named(ModelChoice::default())
    }
}

/// The models of a session.
pub(super) struct Models {
    pub(super) first: NextModel,
    pub(super) fallbacks: Vec<NextModel>,
    pub(super) notices: Vec<String>,
}

impl Models {
    /// Connects to the first of them that answers.
    pub(super) async fn connect(
        source: ModelSource,
        config: &Config,
        fallbacks: &[String],
        settings: &SessionSettings,
        max_output_tokens: Option<u64>,
    ) -> Result<Self> {
        match source {
            ModelSource::Port(model, counter) => {
                let info = model.info();
                let first = with_settings(model, counter, &info, settings, max_output_tokens);
                Ok(Self { first, fallbacks: Vec::new(), notices: Vec::new() })
            }
            ModelSource::Named(named) => {
                let choice = named.completed(&config.resolved);
                let (connected, instead) = ConnectedModel::first(&choice, fallbacks).await?;
                let (fallbacks, left_out) =
                    connected.fallbacks(&choice, fallbacks, settings, max_output_tokens).await;
                let notices = instead.into_iter().chain(left_out).chain(connected.row.note.clone());
                let first = connected.next(settings, max_output_tokens);
                Ok(Self { first, fallbacks, notices: notices.collect() })
            }
        }
    }
}
