//! What a session needs before it is entered.

use std::sync::Arc;

use throughline_agent::NextModel;
use throughline_compaction::ModelSummaries;
use throughline_config::SessionSettings;
use throughline_permission::Permissions;
use throughline_stored::{Error, Result, settings_for};
use throughline_tools::CommandRunner;

use crate::options::SessionOptions;
use crate::permissions::permissions;
use crate::servers::Servers;
use crate::tools::{ToolSet, runner};

/// What is made ready before the session is entered: nothing of it is written.
pub(super) struct Parts {
    pub(super) settings: SessionSettings,
    pub(super) model: NextModel,
    pub(super) fallbacks: Vec<NextModel>,
    pub(super) permissions: Arc<Permissions>,
    pub(super) servers: Arc<Servers>,
    pub(super) runner: CommandRunner,
    pub(super) notices: Vec<String>,
}

impl Parts {
    pub(super) async fn of(options: &SessionOptions) -> Result<Self> {
        let SessionOptions { config, storage, workspace, models, .. } = options;
        let data = storage.folder.root();
        let permissions = match &options.permissions {
            Some(shared) => Arc::clone(shared),
            None => Arc::new(permissions(config, data, workspace, options.user.attendance()).await?),
        };
        let mut notices = Vec::new();
        let servers = match &options.servers {
            Some(shared) => Arc::clone(shared),
            None => {
                let asks = options.user.elicitor().is_some();
                let servers =
                    Servers::waited_for(config, data, workspace, options.more_servers.clone(), asks);
                if models.options.tools == ToolSet::All {
                    notices.extend(servers.start().await);
                }
                Arc::new(servers)
            }
        };
        let settings = settings_for(storage, &SessionSettings::of(&config.resolved), &options.start).await?;
        let (mut fallbacks, left_out) = models.fallbacks(config, &settings).await;
        notices.extend(left_out);
        let mut model = models.first(&settings);
        if let Some(own) = &options.settings {
            model.settings = own.clone();
        }
        if options.summarizer.is_some() {
            model.summarizer.clone_from(&options.summarizer);
            // Its price is the caller's own.
            model.settings.compaction.model_summaries = ModelSummaries::Always;
        }
        let most = models.options.max_requests;
        model.settings.max_requests = most;
        fallbacks.iter_mut().for_each(|next| next.settings.max_requests = most);
        let (config, workspace, fixed) = (Arc::clone(config), workspace.clone(), options.fixed_files.clone());
        let runner = tokio::task::spawn_blocking(move || runner(&config, &workspace, &fixed)).await;
        let runner = runner.map_err(|error| Error::Other(error.into()))?;
        Ok(Self { settings, model, fallbacks, permissions, servers, runner, notices })
    }
}
