//! The open session.

use std::sync::Arc;

use throughline_agent::CompactionProposal;
use throughline_commands::{CommandTarget, busy};
use throughline_connect::{ConnectedModel, model_table};
use throughline_continuity::{SessionDirectory, title_of};
use throughline_conversation::{ContentBlock, Seq, SessionId};
use throughline_session::{Session, SessionModels, SessionOptions, open};
use throughline_stored::{SessionStart, Storage};

use super::effort_levels::in_words;
use super::jobs::announce_ends;
use super::restored::{is_interrupted, restored, stored_results};
use super::screen::Screen;
use super::setup::Setup;

/// The session on the screen, and what the user has made ready for it.
pub(super) struct ScreenSession {
    pub(super) session: Session,
    /// Output of commands that the user ran since the last message. It is sent with the next one.
    pub(super) user_output: Vec<ContentBlock>,
    /// The compaction that is shown and not applied.
    pub(super) proposal: Option<CompactionProposal>,
}

impl ScreenSession {
    /// Opens a session with this model.
    pub(super) async fn open(
        setup: &Setup,
        connected: &ConnectedModel,
        start: SessionStart,
    ) -> anyhow::Result<Self> {
        let models = SessionModels::connected(connected.clone(), &setup.options.run, &setup.config);
        let (config, workspace) = (Arc::clone(&setup.config), setup.workspace.clone());
        let opened = open(SessionOptions {
            user: setup.user(),
            start,
            id_prefix: "chat",
            permissions: Some(Arc::clone(&setup.permissions)),
            servers: Some(Arc::clone(&setup.servers)),
            ..SessionOptions::new(config, setup.data.clone(), workspace, models)
        })
        .await;
        let server = || setup.options.run.model.server_options(&connected.row.info.origin());
        let session =
            opened.map_err(|error| busy(error, &setup.data, setup.options.workspace.as_deref(), server()))?;
        tokio::spawn(announce_ends(session.jobs.ends(), setup.screen.clone()));
        Ok(Self { session, user_output: Vec::new(), proposal: None })
    }

    /// Shows its figures, its newest messages and its notices.
    pub(super) async fn present(&self, setup: &Setup) {
        let screen = &setup.screen;
        let model = self.session.agent.model().clone();
        screen.set(|status| {
            status.begin(&self.session.info.id);
            status.title.clone_from(&self.session.info.title);
            status.answers(&model.provider, &model.name);
            status.effort = in_words(setup.model.thinking);
            status.measured(&self.session.agent);
        });
        let (view, id) = (self.session.agent.view(), &self.session.info.id);
        let stored = stored_results(view, setup.data.results().as_ref(), id).await;
        let earlier = restored(view, &stored, &setup.custom);
        if !earlier.is_empty() {
            screen.show(throughline_tui::Show::Restored(earlier));
        }
        if self.session.agent.exchange() > 0 {
            let upto = self.session.agent.view().last();
            tokio::spawn(add_earlier_cost(
                setup.data.clone(),
                self.session.info.id.clone(),
                upto,
                screen.clone(),
            ));
        }
        self.session.notices.iter().for_each(|text| screen.notice(text.clone()));
        let here = setup.workspace.display().to_string();
        if self.session.info.workspace != here {
            let (there, id) = (&self.session.info.workspace, &self.session.info.id);
            screen.notice(format!(
                "This session was started in {there} and continues in {here}. To continue there: throughline --workspace {there} --resume {id}"
            ));
        }
        if let Some(why) = self.session.agent.rebuilt() {
            screen.notice(format!("The session was rebuilt from its whole log: {why}."));
        }
        if self.is_interrupted() {
            screen.notice("The last turn was interrupted. /continue resumes it, or send a new message.");
        }
    }

    /// Returns true if the model still has to answer. After a crash a call may wait for its result.
    pub(super) fn is_interrupted(&self) -> bool {
        is_interrupted(self.session.agent.view())
    }

    /// Adds tools of MCP servers that started or changed. Waits for all servers before the first turn, because a later change
    /// of the tools makes the prompt cache cold.
    pub(super) async fn update_tools(&mut self, setup: &Setup) {
        if self.session.base_tools().is_none() {
            return;
        }
        let late = setup.servers.have_started();
        setup.start_servers().await;
        match self.session.update_server_tools().await {
            Ok(None) => {}
            Ok(Some(notices)) => {
                notices.into_iter().for_each(|text| setup.screen.notice(text));
                if late {
                    setup.screen.notice("The tools of MCP servers changed; /mcp lists them.");
                }
            }
            Err(error) => setup.screen.problem(throughline_text::error_chain(&error)),
        }
    }

    /// Shows how full the window is.
    pub(super) fn measure(&self, screen: &Screen) {
        screen.set(|status| status.measured(&self.session.agent));
    }

    /// This session as a target of the commands that are typed on the screen.
    pub(super) fn target(&self, data: &Storage) -> CommandTarget {
        command_target(data, &self.session.info.id)
    }

    /// Names a session without a title after a message.
    pub(super) async fn name(&mut self, message: &str, setup: &Setup) {
        if self.session.info.title.is_empty() {
            self.rename(&title_of(message), setup).await;
        }
    }

    /// Renames the session.
    pub(super) async fn rename(&mut self, title: &str, setup: &Setup) {
        match setup.data.store.sessions().rename(&self.session.info.id, title).await {
            Ok(_) => {
                title.clone_into(&mut self.session.info.title);
                setup.screen.set(|status| title.clone_into(&mut status.title));
            }
            Err(error) => setup.screen.problem(throughline_text::error_chain(&error)),
        }
    }

    /// Closes the session. A session without a message is removed.
    pub(super) async fn close(self, setup: &Setup) -> Option<SessionId> {
        match self.session.close().await {
            Ok(session) => session,
            Err(error) => {
                setup.screen.problem(throughline_text::error_chain(&error));
                None
            }
        }
    }
}

/// The target of commands that are typed on the screen.
pub(super) fn command_target(data: &Storage, session: &SessionId) -> CommandTarget {
    CommandTarget { on_screen: true, ..CommandTarget::new(data.clone(), session.clone()) }
}

/// Adds the cost of the session's earlier runs, up to this record, to its figures if they are still shown.
async fn add_earlier_cost(data: Storage, session: SessionId, upto: Seq, screen: Screen) {
    let Ok(table) = model_table() else { return };
    match data.session_cost(&session, upto, &table).await {
        Ok(cost) => screen.set(|status| {
            if status.session.as_ref() == Some(&session) {
                status.add_cost(&cost.own);
            }
        }),
        Err(error) => screen.problem(throughline_text::error_chain(&error)),
    }
}
