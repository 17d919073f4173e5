//! Commands that are typed on the screen.

use throughline_text::error_chain;
use throughline_tools::CancelFlag;
use throughline_tui::{Show, TurnState};
use tokio::sync::oneshot;

use super::aside::NO_SESSION;
use super::driver::{Driver, Flow};
use super::signals::Lent;
use super::turn::{Work, attended};
use crate::ask::{self, Ask};
use crate::context::by_agent;
use crate::desk::Hand;
use crate::documents::DocumentAsk;
use crate::session::{Start, refusal};
use crate::slash::{OnScreen, Slash, parse};

impl Driver {
    /// Does what a command says. A bad one is told, and changes nothing.
    pub(super) async fn command(&mut self, line: &str) -> Flow {
        let slash = match parse(line) {
            Ok(slash) => slash,
            Err(error) => {
                self.setup.screen.problem(error.to_string());
                return Flow::Stay;
            }
        };
        match self.execute(slash).await {
            Ok(flow) => flow,
            Err(error) => {
                self.setup.screen.problem(refusal(&error));
                Flow::Stay
            }
        }
    }

    async fn execute(&mut self, slash: Slash) -> anyhow::Result<Flow> {
        match slash {
            Slash::Help => self.aside().command(&slash).await,
            Slash::Compact { instructions } => return self.compact(instructions.as_deref()).await,
            Slash::Ask(Ask::Rebuild) => return Ok(self.rebuild().await),
            Slash::Ask(ask) => self.ask(&ask).await?,
            Slash::Screen(command) => return self.on_screen(command).await,
        }
        Ok(Flow::Stay)
    }

    async fn on_screen(&mut self, command: OnScreen) -> anyhow::Result<Flow> {
        let screen = self.setup.screen.clone();
        match command {
            OnScreen::Quit => return Ok(Flow::End(0)),
            OnScreen::Continue => return Ok(self.work(Work::GoOn).await),
            OnScreen::Clear => {
                self.open(Start::New).await?;
                screen.notice("A new session. The one before is kept: /resume shows it.");
            }
            OnScreen::Model(name) => return Ok(self.model(name.as_deref()).await),
            OnScreen::Resume(search) => self.resume(search.as_deref()).await?,
            OnScreen::Rename(title) => match &mut self.live {
                Some(live) => live.rename(&title, &self.setup).await,
                None => screen.notice(NO_SESSION),
            },
            OnScreen::Permissions(ask) => self.permissions(&ask).await?,
            OnScreen::Status | OnScreen::Skills | OnScreen::Mcp | OnScreen::Memos(_) | OnScreen::Sessions => {
                self.aside().command(&Slash::Screen(command)).await;
            }
        }
        Ok(Flow::Stay)
    }

    /// Asks the session, or changes it by the agent's own hand.
    async fn ask(&mut self, ask: &Ask) -> anyhow::Result<()> {
        let screen = &self.setup.screen;
        let Some(live) = &mut self.live else {
            screen.notice(NO_SESSION);
            return Ok(());
        };
        let desk = live.desk(&self.setup.data);
        let (mut ask, mut lent) = (ask.clone(), None);
        match &mut ask {
            Ask::Document { what: DocumentAsk::Edit, .. } | Ask::Assembled { editor: true, .. } => {
                lent = Some(lend(screen).await);
            }
            Ask::Document { what: DocumentAsk::Set(file), .. } => {
                anyhow::ensure!(file != "-", "standard input belongs to the screen; name a file");
                *file = self.setup.workspace.join(&*file).to_string_lossy().into_owned();
            }
            _ => {}
        }
        let answer = ask::answer(&desk, &mut Hand::Agent(&mut live.agent, screen), &ask).await;
        drop(lent);
        match answer {
            Ok(answer) => screen.page("", &answer.text),
            Err(error) => screen.problem(error_chain(error.as_ref())),
        }
        live.measure(screen);
        Ok(())
    }

    /// Has the model make STATE anew. It can be stopped while the model answers.
    async fn rebuild(&mut self) -> Flow {
        let (aside, cancel) = (self.aside(), CancelFlag::new());
        let screen = &self.setup.screen;
        let Some(live) = &mut self.live else {
            screen.notice(NO_SESSION);
            return Flow::Stay;
        };
        screen.turn(TurnState::Working);
        let work = live.agent.rebuild_state_with(true, screen, &cancel);
        let (rebuilt, later) = attended(work, &mut self.ears, &aside, &cancel).await;
        screen.page("", &by_agent(&live.desk(&self.setup.data), rebuilt).text);
        live.measure(screen);
        self.afterwards(later)
    }

    /// Compacts now, and says what that did.
    async fn compact(&mut self, instructions: Option<&str>) -> anyhow::Result<Flow> {
        let aside = self.aside();
        let (setup, ears) = (&self.setup, &mut self.ears);
        let Some(live) = &mut self.live else {
            setup.screen.notice(NO_SESSION);
            return Ok(Flow::Stay);
        };
        setup.screen.turn(TurnState::Compacting);
        let desk = live.desk(&setup.data);
        let later = super::compact::compact(live, instructions, &setup.screen, (&desk, ears, &aside)).await?;
        live.measure(&setup.screen);
        Ok(self.afterwards(later))
    }
}

/// Lends the terminal to another program. It comes back when what this gives is dropped.
async fn lend(screen: &super::screen::Screen) -> (oneshot::Sender<()>, Lent) {
    let lent = Lent::begin();
    let (ready, free) = oneshot::channel();
    let (back, waits) = oneshot::channel();
    screen.show(Show::Lend { ready, back: waits });
    // A screen that is gone has given the terminal up already.
    let _ = free.await;
    (back, lent)
}
