//! What every session of this program run is opened with.

use std::path::PathBuf;
use std::sync::Arc;

use throughline::{
    Attendance, Config, ModelChoice, Servers, SessionSettings, Storage, model_table, permissions, workspace,
};
use throughline_permission::{Approver, Mode, Permissions, guarded};
use throughline_providers::models::ModelTable;
use throughline_tools::{RegistryError, ToolRegistry};

use super::approver::ScreenApprover;
use super::inputs::Inputs;
use super::screen::Screen;
use super::trusting::trusted;
use super::watched::watched;
use crate::session::args::SessionArgs;

/// Arguments, settings and stores: what outlives a session.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) args: SessionArgs,
    /// The model that is asked, completed by the settings.
    pub(super) model: ModelChoice,
    pub(super) config: Arc<Config>,
    pub(super) choice: SessionSettings,
    pub(super) data: Storage,
    pub(super) workspace: PathBuf,
    /// They outlive a session: the mode that the user chose holds for the next one.
    pub(super) permissions: Arc<Permissions>,
    /// Whether the settings begin with the mode that asks nothing.
    pub(super) yolo: bool,
    /// They outlive a session, too: starting one takes time.
    pub(super) servers: Arc<Servers>,
    pub(super) inputs: Inputs,
    pub(super) screen: Screen,
}

impl Setup {
    pub(super) async fn load(
        args: SessionArgs,
        data_dir: Option<PathBuf>,
        screen: Screen,
    ) -> anyhow::Result<Self> {
        let config =
            trusted(args.settings(data_dir.clone())?, || args.settings(data_dir.clone()), data_dir.clone())?;
        let model = config.model(&args.model.choice());
        let choice = SessionSettings::of(&config.resolved);
        let workspace = workspace(args.workspace.as_deref())?;
        let table: ModelTable = model_table()?;
        screen.board().price_by(table);
        let data = Storage::open(data_dir).await?;
        let permissions = permissions(&config, data.folder.root(), &workspace, Attendance::Attended).await?;
        screen.board().mode = permissions.mode().to_string();
        let yolo = permissions.mode() == Mode::Yolo;
        let (config, permissions) = (Arc::new(config), Arc::new(permissions));
        let servers = Arc::new(Servers::of(&config, data.folder.root(), &workspace, Attendance::Attended));
        let inputs = Inputs::new(data.folder.root(), &workspace);
        Ok(Self { args, model, config, choice, data, workspace, permissions, yolo, servers, inputs, screen })
    }

    /// Waits until the servers have told their tools, or for as long as that may take.
    pub(super) async fn start_servers(&self) {
        self.servers.start().await.into_iter().for_each(|text| self.screen.notice(text));
    }

    /// Tools of a session as they are now: its own, and those of the servers.
    pub(super) fn tools(&self, own: &ToolRegistry) -> Result<ToolRegistry, RegistryError> {
        let mut tools = own.clone();
        self.servers.add(&mut tools).into_iter().for_each(|note| self.screen.notice(note));
        guarded(&watched(&tools, &self.screen)?, &self.permissions, &self.approver())
    }

    pub(super) fn approver(&self) -> Arc<dyn Approver> {
        Arc::new(ScreenApprover(self.screen.clone()))
    }
}
