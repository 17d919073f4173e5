//! What the user may do beside the session: it needs no agent, so it is answered while a turn runs.

use throughline_continuity::SessionDirectory;
use throughline_conversation::{SessionId, error_chain};
use throughline_tui::{Act, Show};

use super::files::Files;
use super::live::desk;
use super::picking;
use super::screen::Screen;
use super::status;
use crate::ask::{self, Ask};
use crate::compose::Data;
use crate::desk::Hand;
use crate::documents::DocumentAsk;
use crate::slash::{OnScreen, Slash, help, is_command, parse};

/// All that is needed beside the session. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Aside {
    pub(super) screen: Screen,
    pub(super) data: Data,
    pub(super) files: Files,
    pub(super) session: Option<SessionId>,
}

impl Aside {
    /// Whether it can be done beside the session.
    pub(super) fn takes(&self, act: &Act) -> bool {
        match act {
            Act::NeedFiles(_) | Act::Preview { .. } | Act::Renamed { .. } => true,
            Act::Submit(line) => is_command(line) && parse(line).is_ok_and(|slash| is_reading(&slash)),
            _ => false,
        }
    }

    /// Does what can be done beside the session.
    pub(super) async fn take(&self, act: Act) {
        match act {
            Act::NeedFiles(typed) => self.screen.show(Show::Files(self.files.fitting(&typed).await)),
            Act::Preview { picker, row } => {
                let text = picking::preview(&self.data, &row).await;
                self.screen.show(Show::Preview { picker, row, text });
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
        if let Err(error) = self.data.store.sessions().rename(&session, title).await {
            self.screen.problem(error_chain(&error));
        } else if self.session.as_ref() == Some(&session) {
            self.screen.set(|board| title.clone_into(&mut board.title));
        }
    }

    async fn command(&self, slash: &Slash) {
        let shown = match (slash, &self.session) {
            (Slash::Help, _) => Ok(format!("{}\n\n`?` in an empty input shows the keys.", help(true))),
            (Slash::Screen(OnScreen::Sessions), _) => picking::table(&self.data).await,
            (Slash::Screen(OnScreen::Memos(words)), _) => {
                status::memos(&self.data, self.files.root(), words.as_deref()).await
            }
            (Slash::Ask(ask), Some(session)) => {
                let desk = desk(&self.data, session);
                ask::answer(&desk, &mut Hand::Own, ask).await.map(|answer| answer.text)
            }
            _ => Ok("There is no session yet.".to_owned()),
        };
        match shown {
            Ok(text) => self.screen.page("", &text),
            Err(error) => self.screen.problem(error_chain(error.as_ref())),
        }
    }
}

/// Whether a command only looks at what is stored.
fn is_reading(slash: &Slash) -> bool {
    let looks = |ask: &Ask| match ask {
        Ask::Report
        | Ask::List { .. }
        | Ask::Show { .. }
        | Ask::Assembled { .. }
        | Ask::Diff { .. }
        | Ask::Summaries
        | Ask::Handoff
        | Ask::Checkpoints
        | Ask::Checkpoint { .. } => true,
        Ask::Document { what, .. } => matches!(what, DocumentAsk::Show | DocumentAsk::History { .. }),
        Ask::Change(_) | Ask::Remove { .. } | Ask::Rebuild => false,
    };
    match slash {
        Slash::Ask(ask) => looks(ask),
        Slash::Help | Slash::Screen(OnScreen::Sessions | OnScreen::Memos(_)) => true,
        Slash::Compact { .. } | Slash::Screen(_) => false,
    }
}
