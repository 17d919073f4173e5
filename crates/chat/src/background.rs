//! Input that needs no agent and is handled while a turn runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use throughline_commands::execute;
use throughline_commands::plugins::plugins_page;
use throughline_commands::settings::shown_in_session;
use throughline_commands::slash::{ScreenCommand, Slash, help, is_command, parse};
use throughline_continuity::SessionDirectory;
use throughline_conversation::SessionId;
use throughline_session::{BackgroundAgents, Instructions};
use throughline_stored::SessionWriter;
use throughline_text::error_chain;
use throughline_tools::Jobs;
use throughline_tui::{Act, Show};

use super::files::Files;
use super::live::command_target;
use super::setup::Setup;
use super::{session_list, status};
use crate::agents::agents_answer;
use crate::jobs::jobs_answer;
use crate::pages::{hooks_page, instructions_page, servers_page, styles_page};

pub(super) const NO_SESSION: &str = "There is no session yet.";

/// Handles input that needs no agent. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct BackgroundCommands {
    pub(super) setup: Setup,
    pub(super) files: Files,
    pub(super) session: Option<OpenSession>,
    /// Number of the newest request for a preview; older ones are dropped.
    pub(super) previews: Arc<AtomicU64>,
}

/// The open session, without its agent.
#[derive(Debug, Clone)]
pub(super) struct OpenSession {
    pub(super) id: SessionId,
    pub(super) instructions: Instructions,
    pub(super) jobs: Jobs,
    pub(super) agents: BackgroundAgents,
}

impl BackgroundCommands {
    /// Returns true if this input can be handled here.
    pub(super) fn accepts(&self, act: &Act) -> bool {
        match act {
            Act::NeedFiles(_)
            | Act::Preview { .. }
            | Act::Renamed { .. }
            | Act::NextMode
            | Act::Background => true,
            Act::Submit(line) => is_command(line) && parse(line).is_ok_and(|slash| slash.works_anytime()),
            _ => false,
        }
    }

    /// Handles the input in a task of its own.
    pub(super) fn spawn(&self, act: Act) {
        match act {
            // Handled at once, so that modes change in the order of the keys.
            Act::NextMode => self.setup.next_mode(),
            Act::Background => self.release(),
            act => {
                let newest = match &act {
                    Act::Preview { .. } => self.previews.fetch_add(1, Ordering::Relaxed) + 1,
                    Act::NeedFiles(_) => self.files.next_search(),
                    _ => 0,
                };
                let commands = self.clone();
                tokio::spawn(async move { commands.take(act, newest).await });
            }
        }
    }

    async fn take(&self, act: Act, newest: u64) {
        let screen = &self.setup.screen;
        match act {
            Act::NeedFiles(query) => {
                if let Some(paths) = self.files.matches(&query, newest).await {
                    screen.show(Show::Files { query, paths });
                }
            }
            Act::Preview { picker, row } if self.previews.load(Ordering::Relaxed) == newest => {
                let text = session_list::preview(&self.setup.data, &row).await;
                screen.show(Show::Preview { picker, row, text });
            }
            Act::Renamed { row, title, .. } => self.rename(&row, &title).await,
            Act::Submit(line) => {
                if let Ok(slash) = parse(&line) {
                    self.command(&slash).await;
                }
            }
            _ => {}
        }
    }

    /// Lets the command that the turn waits for run on in the background.
    fn release(&self) {
        if !self.session.as_ref().is_some_and(|open| open.jobs.release()) {
            self.setup.screen.notice("No command is running that could go to the background.");
        }
    }

    async fn rename(&self, row: &str, title: &str) {
        let Ok(session) = SessionId::new(row) else { return };
        let screen = &self.setup.screen;
        if let Err(error) = self.setup.data.store.sessions().rename(&session, title).await {
            screen.problem(error_chain(&error));
        } else if self.session.as_ref().is_some_and(|open| open.id == session) {
            screen.set(|status| title.clone_into(&mut status.title));
        }
    }

    /// Answers a command that only reads.
    pub(super) async fn command(&self, slash: &Slash) {
        let (screen, data) = (&self.setup.screen, &self.setup.data);
        if matches!(slash, Slash::Screen(ScreenCommand::Vim)) {
            screen.notice(match screen.toggle_vim() {
                true => "Vim's keys are on, for this session. Esc: normal mode; `ui.keys = \"vim\"` keeps them on.",
                false => "Vim's keys are off, for this session.",
            });
            return;
        }
        let answer = match (slash, &self.session) {
            (Slash::Help, _) => {
                let prompts = self.setup.custom.help();
                Ok(format!("{}\n{prompts}\n\n`?` in an empty input shows the keys.", help(true)))
            }
            (Slash::Screen(ScreenCommand::Sessions), _) => session_list::table(data).await,
            (Slash::Screen(ScreenCommand::Mcp { what: None }), _) => Ok(servers_page(&self.setup.servers)),
            (Slash::Screen(ScreenCommand::Plugin { what: None }), _) => {
                Ok(plugins_page(&self.setup.config.plugins, self.setup.custom.problems()))
            }
            (Slash::Screen(ScreenCommand::Hooks), _) => hooks_page(&self.setup.config),
            (Slash::Screen(ScreenCommand::Config { key, .. }), _) => {
                let (folder, data_dir) = (&self.setup.workspace, data.named.clone());
                shown_in_session(&self.setup.config, key.as_deref(), folder, data_dir)
            }
            (Slash::Screen(ScreenCommand::Memos { words }), _) => {
                status::memos(data, self.files.root(), &words.join(" ")).await
            }
            (Slash::Screen(ScreenCommand::Status), Some(open)) => {
                Ok(status::status(&self.setup, &open.id).await)
            }
            (Slash::Screen(ScreenCommand::Cost), _) => Ok(status::cost(&self.setup)),
            (Slash::Screen(ScreenCommand::Diff), _) => status::changes(self.files.root()).await,
            (Slash::Screen(ScreenCommand::Agents { what }), Some(open)) => {
                agents_answer(data, open, what.as_ref()).await
            }
            (Slash::Screen(ScreenCommand::Jobs { number, what }), Some(open)) => {
                jobs_answer(&open.jobs, *number, what.as_ref()).await
            }
            (Slash::Screen(ScreenCommand::Skills), Some(open)) => instructions_page(&open.instructions).await,
            (Slash::Screen(ScreenCommand::OutputStyle { .. }), Some(open)) => {
                Ok(styles_page(&open.instructions))
            }
            (Slash::Session(command), Some(open)) => {
                let target = command_target(data, &open.id);
                execute(&target, &mut SessionWriter::Handle, &command.command())
                    .await
                    .map(|answer| answer.text)
            }
            _ => Ok(NO_SESSION.to_owned()),
        };
        match answer {
            Ok(text) => screen.page("", &text),
            Err(error) => screen.problem(error_chain(error.as_ref())),
        }
    }
}
