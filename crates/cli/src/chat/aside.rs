//! What the user may do beside the session: it needs no agent, so it is answered while a turn runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use throughline::{Instructions, SessionWriter};
use throughline_continuity::SessionDirectory;
use throughline_conversation::SessionId;
use throughline_text::error_chain;
use throughline_tui::{Act, Show};

use super::files::Files;
use super::live::command_target;
use super::session_list;
use super::setup::Setup;
use super::status;
use crate::execute::execute;
use crate::session::{instructions_page, servers_page};
use crate::slash::{ScreenCommand, Slash, help, is_command, parse};

pub(super) const NO_SESSION: &str = "There is no session yet.";

/// All that is needed beside the session. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Aside {
    pub(super) setup: Setup,
    pub(super) files: Files,
    pub(super) session: Option<Open>,
    /// Number of the newest wish for a preview: who goes through a list quickly waits for the last one only.
    pub(super) previews: Arc<AtomicU64>,
}

/// What is to be known of the session that is open.
#[derive(Debug, Clone)]
pub(super) struct Open {
    pub(super) id: SessionId,
    pub(super) instructions: Instructions,
}

impl Aside {
    /// Whether it can be done beside the session.
    pub(super) fn takes(&self, act: &Act) -> bool {
        match act {
            Act::NeedFiles(_) | Act::Preview { .. } | Act::Renamed { .. } | Act::NextMode => true,
            Act::Submit(line) => is_command(line) && parse(line).is_ok_and(|slash| slash.is_read_only()),
            _ => false,
        }
    }

    /// Does what can be done beside the session, without making anybody wait.
    pub(super) fn spawn(&self, act: Act) {
        match act {
            // Modes follow each other in the order of the keys.
            Act::NextMode => self.setup.next_mode(),
            act => {
                let newest = match &act {
                    Act::Preview { .. } => self.previews.fetch_add(1, Ordering::Relaxed) + 1,
                    _ => 0,
                };
                let aside = self.clone();
                tokio::spawn(async move { aside.take(act, newest).await });
            }
        }
    }

    async fn take(&self, act: Act, newest: u64) {
        let screen = &self.setup.screen;
        match act {
            Act::NeedFiles(typed) => screen.show(Show::Files(self.files.fitting(&typed).await)),
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

    async fn rename(&self, row: &str, title: &str) {
        let Ok(session) = SessionId::new(row) else { return };
        let screen = &self.setup.screen;
        if let Err(error) = self.setup.data.store.sessions().rename(&session, title).await {
            screen.problem(error_chain(&error));
        } else if self.session.as_ref().is_some_and(|open| open.id == session) {
            screen.set(|board| title.clone_into(&mut board.title));
        }
    }

    /// Answers a command that only looks.
    pub(super) async fn command(&self, slash: &Slash) {
        let (screen, data) = (&self.setup.screen, &self.setup.data);
        let shown = match (slash, &self.session) {
            (Slash::Help, _) => Ok(format!("{}\n\n`?` in an empty input shows the keys.", help(true))),
            (Slash::Screen(ScreenCommand::Sessions), _) => session_list::table(data).await,
            (Slash::Screen(ScreenCommand::Mcp), _) => Ok(servers_page(&self.setup.servers)),
            (Slash::Screen(ScreenCommand::Memos { words }), _) => {
                status::memos(data, self.files.root(), &words.join(" ")).await
            }
            (Slash::Screen(ScreenCommand::Status), Some(open)) => {
                Ok(status::status(&self.setup, &open.id).await)
            }
            (Slash::Screen(ScreenCommand::Skills), Some(open)) => instructions_page(&open.instructions).await,
            (Slash::Session(command), Some(open)) => {
                let target = command_target(data, &open.id);
                execute(&target, &mut SessionWriter::Handle, &command.command())
                    .await
                    .map(|answer| answer.text)
            }
            _ => Ok(NO_SESSION.to_owned()),
        };
        match shown {
            Ok(text) => screen.page("", &text),
            Err(error) => screen.problem(error_chain(error.as_ref())),
        }
    }
}
