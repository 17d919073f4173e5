//! What the user may do beside the session: it needs no agent, so it is answered while a turn runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use throughline_continuity::SessionDirectory;
use throughline_conversation::SessionId;
use throughline_text::error_chain;
use throughline_tui::{Act, Show};

use super::files::Files;
use super::live::desk;
use super::picking;
use super::setup::Setup;
use super::status;
use crate::ask::{self, Ask};
use crate::desk::Hand;
use crate::documents::DocumentAsk;
use crate::instructions::Instructions;
use crate::slash::{OnScreen, Slash, help, is_command, parse};

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
            Act::Submit(line) => is_command(line) && parse(line).is_ok_and(|slash| is_reading(&slash)),
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
                let text = picking::preview(&self.setup.data, &row).await;
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
            (Slash::Screen(OnScreen::Sessions), _) => picking::table(data).await,
            (Slash::Screen(OnScreen::Mcp), _) => Ok(self.setup.servers.page()),
            (Slash::Screen(OnScreen::Memos(words)), _) => {
                status::memos(data, self.files.root(), words.as_deref()).await
            }
            (Slash::Screen(OnScreen::Status), Some(open)) => Ok(status::status(&self.setup, &open.id).await),
            (Slash::Screen(OnScreen::Skills), Some(open)) => open.instructions.page().await,
            (Slash::Ask(ask), Some(open)) => {
                let desk = desk(data, &open.id);
                ask::answer(&desk, &mut Hand::Own, ask).await.map(|answer| answer.text)
            }
            _ => Ok(NO_SESSION.to_owned()),
        };
        match shown {
            Ok(text) => screen.page("", &text),
            Err(error) => screen.problem(error_chain(error.as_ref())),
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
        Slash::Help
        | Slash::Screen(
            OnScreen::Sessions | OnScreen::Memos(_) | OnScreen::Status | OnScreen::Skills | OnScreen::Mcp,
        ) => true,
        Slash::Compact { .. } | Slash::Screen(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slash::COMMANDS;

    #[test]
    fn what_may_be_typed_at_any_time_needs_no_agent() {
        for command in COMMANDS.iter().filter(|command| command.anytime) {
            let slash = parse(command.name).expect("it is a command");
            assert!(is_reading(&slash), "{}", command.name);
            // What the screen lets through by its first words has to be one of these, too.
            for words in
                command.arguments.trim_matches(['[', ']']).split(" | ").filter(|words| !words.is_empty())
            {
                let line = format!("{} {}", command.name, words.replace('N', "1").replace("GID", "1"));
                let slash = parse(&line).expect("it is a command");
                assert!(is_reading(&slash), "{line}");
            }
        }
    }
}
