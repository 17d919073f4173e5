//! The session that is open.

use std::sync::Arc;

use throughline::{ConnectedModel, Instructions, Opening, SessionStart, Storage, TITLE_CHARS, model_table};
use throughline_agent::Agent;
use throughline_continuity::MessageLog;
use throughline_continuity::{Part, SessionDirectory, SessionInfo};
use throughline_conversation::{Seq, SessionId};
use throughline_store::SessionLock;
use throughline_tools::ToolRegistry;

use super::restored::restored;
use super::screen::Screen;
use super::setup::Setup;
use super::watched::watched;
use crate::cost::cost_of;
use crate::session::busy;
use crate::target::CommandTarget;
use crate::terminal::headline;

/// An open session: while it lives, no other process writes to it.
pub(super) struct Live {
    pub(super) agent: Agent,
    pub(super) _lock: SessionLock,
    pub(super) info: SessionInfo,
    pub(super) instructions: Instructions,
    /// Its tools without those of MCP servers, when servers bring it some.
    pub(super) own_tools: Option<ToolRegistry>,
    /// What the user should know of it.
    pub(super) notes: Vec<String>,
}

impl Live {
    /// Opens a session with this model.
    pub(super) async fn open(
        setup: &Setup,
        connected: &ConnectedModel,
        start: SessionStart,
    ) -> anyhow::Result<Self> {
        let names = setup.config.fallbacks(&setup.args.fallback);
        let (fallbacks, left_out) =
            connected.fallbacks(&setup.model, &names, &setup.choice, setup.args.max_tokens).await;
        left_out.into_iter().for_each(|text| setup.screen.notice(text));
        let opening = Opening {
            config: &setup.config,
            settings: &setup.choice,
            storage: &setup.data,
            workspace: &setup.workspace,
            model: connected.next(&setup.choice, setup.args.max_tokens),
            fallbacks,
            permissions: Arc::clone(&setup.permissions),
            approver: setup.approver(),
            servers: Arc::clone(&setup.servers),
            tools: setup.args.tools.set(),
            observer: &|tools| watched(tools, &setup.screen),
            start,
            id_prefix: "chat",
            title: "",
            is_task: false,
            max_requests: None,
        };
        let opened = throughline::open(opening).await;
        let opened = opened.map_err(|error| busy(error, &setup.data, setup.args.workspace.as_deref()))?;
        Ok(Self {
            agent: opened.agent,
            _lock: opened.lock,
            info: opened.info,
            instructions: opened.instructions,
            own_tools: opened.own_tools,
            notes: opened.notices,
        })
    }

    /// Shows what there is of it: figures, and what was said last.
    pub(super) fn present(&self, setup: &Setup) {
        let screen = &setup.screen;
        let model = self.agent.model().clone();
        let window = self.agent.budget().window_figures();
        screen.set(|board| {
            board.begin(&self.info.id);
            board.title.clone_from(&self.info.title);
            board.answers(&model.provider, &model.name);
            board.window(window);
        });
        let earlier = restored(self.agent.view());
        if !earlier.is_empty() {
            screen.show(throughline_tui::Show::Restored(earlier));
        }
        if self.agent.exchange() > 0 {
            let upto = self.agent.view().last();
            tokio::spawn(cost_before(setup.data.clone(), (self.info.id.clone(), upto), screen.clone()));
        }
        self.notes.iter().for_each(|text| screen.notice(text.clone()));
        let here = setup.workspace.display().to_string();
        if self.info.workspace != here {
            let (there, id) = (&self.info.workspace, &self.info.id);
            screen.notice(format!(
                "This session was in {there}; from now on it works in {here}. To go on there: throughline --workspace {there} --resume {id}"
            ));
        }
        if let Some(why) = self.agent.rebuilt() {
            screen.notice(format!("The session was read from its whole log: {why}."));
        }
        if self.is_cut_off() {
            screen.notice("The last turn was cut off: /continue goes on with it, or say something new.");
        }
    }

    /// Whether the model still has to answer.
    pub(super) fn is_cut_off(&self) -> bool {
        let view = self.agent.view();
        !view.entries().is_empty() && view.violations().is_empty()
    }

    /// Takes up tools that MCP servers have brought since. Before the first turn it waits for them, as what the model is
    /// told of its tools stays for long.
    pub(super) async fn take_up_tools(&mut self, setup: &Setup) {
        let Some(own) = &self.own_tools else { return };
        let late = setup.servers.have_started();
        setup.start_servers().await;
        if !setup.servers.have_changed() {
            return;
        }
        match setup.tools(own) {
            Ok(tools) => {
                self.agent.set_tools(tools);
                if late {
                    setup.screen.notice("MCP servers have other tools now; /mcp lists them.");
                }
            }
            Err(error) => setup.screen.problem(throughline_text::error_chain(&error)),
        }
    }

    /// Shows how full the window is now.
    pub(super) fn measure(&self, screen: &Screen) {
        let window = self.agent.budget().window_figures();
        screen.set(|board| board.window(window));
    }

    /// This session as a target of the commands that are typed on the screen.
    pub(super) fn target(&self, data: &Storage) -> CommandTarget {
        command_target(data, &self.info.id)
    }

    /// Names the session by the first thing that is said in it.
    pub(super) async fn name(&mut self, said: &str, setup: &Setup) {
        if self.info.title.is_empty() {
            self.rename(&headline(said, TITLE_CHARS), setup).await;
        }
    }

    /// Gives the session another title.
    pub(super) async fn rename(&mut self, title: &str, setup: &Setup) {
        match setup.data.store.sessions().rename(&self.info.id, title).await {
            Ok(_) => {
                title.clone_into(&mut self.info.title);
                setup.screen.set(|board| title.clone_into(&mut board.title));
            }
            Err(error) => setup.screen.problem(throughline_text::error_chain(&error)),
        }
    }

    /// Writes what waits and gives the session back. One in which nothing was said leaves no trace.
    pub(super) async fn close(self, setup: &Setup) -> Option<SessionId> {
        let Self { agent, info, _lock, .. } = self;
        if agent.exchange() == 0 {
            drop(agent);
            if let Err(error) = setup.data.store.sessions().remove(&info.id).await {
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

/// Adds what the session has used in earlier runs, up to this record, to its figures, if they are still shown.
async fn cost_before(data: Storage, (session, upto): (SessionId, Seq), screen: Screen) {
    let Ok(table) = model_table() else { return };
    match data.store.message_log().read(&session, Seq(0), Part::All).await {
        Ok(records) => {
            let before = records.iter().take_while(|record| record.seq <= upto);
            let cost = cost_of(before.map(|record| &record.body), &table);
            screen.set(|board| {
                if board.session.as_ref() == Some(&session) {
                    board.add_cost(&cost);
                }
            });
        }
        Err(error) => screen.problem(throughline_text::error_chain(&error)),
    }
}
