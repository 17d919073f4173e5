//! The open session.

use std::sync::Arc;

use throughline::{
    Attendance, ConnectedModel, Instructions, Opening, SessionSettings, SessionStart, Storage, cost_of,
    model_table, settings_for,
};
use throughline_agent::{Agent, CompactionProposal};
use throughline_commands::{CommandTarget, busy};
use throughline_continuity::{SessionDirectory, SessionInfo, title_of};
use throughline_conversation::{ContentBlock, Seq, SessionId};
use throughline_store::SessionLock;
use throughline_tools::ToolRegistry;

use super::observed_tools::observed_tools;
use super::restored::{is_interrupted, restored};
use super::screen::Screen;
use super::setup::Setup;

/// An open session: while it lives, no other process writes to it.
pub(super) struct LiveSession {
    pub(super) agent: Agent,
    pub(super) _lock: SessionLock,
    pub(super) info: SessionInfo,
    pub(super) instructions: Instructions,
    /// Its tools without those of MCP servers, if any servers are configured.
    pub(super) own_tools: Option<ToolRegistry>,
    /// Output of commands that the user ran since the last message. It is sent with the next one.
    pub(super) user_output: Vec<ContentBlock>,
    /// The compaction that is shown and not applied.
    pub(super) proposal: Option<CompactionProposal>,
    /// Notices about it.
    pub(super) notes: Vec<String>,
    /// Its policy and the overrides.
    pub(super) settings: SessionSettings,
}

impl LiveSession {
    /// Opens a session with this model.
    pub(super) async fn open(
        setup: &Setup,
        connected: &ConnectedModel,
        start: SessionStart,
    ) -> anyhow::Result<Self> {
        let settings = settings_for(&setup.data, &setup.choice, &start).await?;
        let names = setup.config.fallbacks(&setup.options.run.fallbacks);
        let (fallbacks, left_out) =
            connected.fallbacks(&setup.model, &names, &settings, setup.options.run.max_output_tokens).await;
        left_out.into_iter().for_each(|text| setup.screen.notice(text));
        let opening = Opening {
            config: &setup.config,
            settings: &settings,
            storage: &setup.data,
            workspace: &setup.workspace,
            model: connected.next(&settings, setup.options.run.max_output_tokens),
            fallbacks,
            permissions: Arc::clone(&setup.permissions),
            approver: setup.approver(),
            servers: Arc::clone(&setup.servers),
            tools: setup.options.run.tools,
            observer: &|tools| observed_tools(tools, &setup.screen),
            start,
            id_prefix: "chat",
            title: "",
            is_task: false,
            max_requests: None,
            attendance: Attendance::Attended,
            listeners: setup.listeners.clone(),
        };
        let opened = throughline::open(opening).await;
        let opened = opened.map_err(|error| busy(error, &setup.data, setup.options.workspace.as_deref()))?;
        Ok(Self {
            agent: opened.agent,
            _lock: opened.lock,
            info: opened.info,
            instructions: opened.instructions,
            own_tools: opened.own_tools,
            user_output: Vec::new(),
            proposal: None,
            notes: opened.notices,
            settings,
        })
    }

    /// Shows its figures, its newest messages and its notices.
    pub(super) fn present(&self, setup: &Setup) {
        let screen = &setup.screen;
        let model = self.agent.model().clone();
        screen.set(|status| {
            status.begin(&self.info.id);
            status.title.clone_from(&self.info.title);
            status.answers(&model.provider, &model.name);
            status.measured(&self.agent);
        });
        let earlier = restored(self.agent.view());
        if !earlier.is_empty() {
            screen.show(throughline_tui::Show::Restored(earlier));
        }
        if self.agent.exchange() > 0 {
            let upto = self.agent.view().last();
            tokio::spawn(add_earlier_cost(setup.data.clone(), self.info.id.clone(), upto, screen.clone()));
        }
        self.notes.iter().for_each(|text| screen.notice(text.clone()));
        let here = setup.workspace.display().to_string();
        if self.info.workspace != here {
            let (there, id) = (&self.info.workspace, &self.info.id);
            screen.notice(format!(
                "This session was started in {there} and continues in {here}. To continue there: throughline --workspace {there} --resume {id}"
            ));
        }
        if let Some(why) = self.agent.rebuilt() {
            screen.notice(format!("The session was rebuilt from its whole log: {why}."));
        }
        if self.is_interrupted() {
            screen.notice("The last turn was interrupted. /continue resumes it, or send a new message.");
        }
    }

    /// Returns true if the model still has to answer. After a crash a call may wait for its result.
    pub(super) fn is_interrupted(&self) -> bool {
        is_interrupted(self.agent.view())
    }

    /// Adds tools of MCP servers that started or changed. Waits for all servers before the first turn, because a later change
    /// of the tools makes the prompt cache cold.
    pub(super) async fn update_tools(&mut self, setup: &Setup) {
        let Some(own) = &self.own_tools else { return };
        let late = setup.servers.have_started();
        setup.start_servers().await;
        if !setup.servers.have_changed() {
            return;
        }
        for text in setup.servers.review(&setup.permissions).await {
            setup.screen.notice(text);
        }
        match setup.tools(own) {
            Ok(tools) => {
                self.agent.set_tools(tools);
                if late {
                    setup.screen.notice("The tools of MCP servers changed; /mcp lists them.");
                }
            }
            Err(error) => setup.screen.problem(throughline_text::error_chain(&error)),
        }
    }

    /// Shows how full the window is.
    pub(super) fn measure(&self, screen: &Screen) {
        screen.set(|status| status.measured(&self.agent));
    }

    /// This session as a target of the commands that are typed on the screen.
    pub(super) fn target(&self, data: &Storage) -> CommandTarget {
        command_target(data, &self.info.id)
    }

    /// Names a session without a title after a message.
    pub(super) async fn name(&mut self, message: &str, setup: &Setup) {
        if self.info.title.is_empty() {
            self.rename(&title_of(message), setup).await;
        }
    }

    /// Renames the session.
    pub(super) async fn rename(&mut self, title: &str, setup: &Setup) {
        match setup.data.store.sessions().rename(&self.info.id, title).await {
            Ok(_) => {
                title.clone_into(&mut self.info.title);
                setup.screen.set(|status| title.clone_into(&mut status.title));
            }
            Err(error) => setup.screen.problem(throughline_text::error_chain(&error)),
        }
    }

    /// Writes pending records and closes the session. A session without a message is removed.
    pub(super) async fn close(self, setup: &Setup) -> Option<SessionId> {
        let Self { agent, info, _lock: lock, .. } = self;
        if agent.exchange() == 0 {
            drop(agent);
            if let Err(error) = setup.data.discard(&info.id, lock).await {
                setup.screen.problem(throughline_text::error_chain(&error));
            }
            return None;
        }
        agent.close(&setup.screen).await;
        Some(info.id)
    }
}

/// The target of commands that are typed on the screen.
pub(super) fn command_target(data: &Storage, session: &SessionId) -> CommandTarget {
    CommandTarget { on_screen: true, ..CommandTarget::new(data.clone(), session.clone()) }
}

/// Adds the cost of the session's earlier runs, up to this record, to its figures if they are still shown.
async fn add_earlier_cost(data: Storage, session: SessionId, upto: Seq, screen: Screen) {
    let Ok(table) = model_table() else { return };
    match data.usage_records(&session).await {
        Ok(records) => {
            let before = records.iter().take_while(|record| record.seq <= upto);
            let cost = cost_of(before.map(|record| &record.body), &table);
            screen.set(|status| {
                if status.session.as_ref() == Some(&session) {
                    status.add_cost(&cost);
                }
            });
        }
        Err(error) => screen.problem(throughline_text::error_chain(&error)),
    }
}
