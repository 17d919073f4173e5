//! The session's side: it owns the agent and answers the user's acts, one after the other.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use throughline::{ConnectedModel, ModelChoice, SessionStart};
use throughline_documents::GitProbe;
use throughline_git::GitCli;
use throughline_text::error_chain;
use throughline_tui::{Act, CommandInfo, Show, TurnState};
use tokio::sync::mpsc::UnboundedReceiver;

use super::aside::{Aside, Open};
use super::ending::Ended;
use super::files::Files;
use super::live::Live;
use super::setup::Setup;
use super::signals;
use super::turn::{Ears, Heard, Later, Work, turn};
use crate::shell::data_dir_option;
use crate::slash;

/// What becomes of the program after an act.
pub(super) enum Flow {
    Stay,
    /// It ends with this code.
    End(u8),
}

/// The session, and all that a command on it may need.
pub(super) struct Driver {
    pub(super) setup: Setup,
    pub(super) connected: ConnectedModel,
    /// The provider that the program began with, and how it is reached.
    pub(super) began: (String, ModelChoice),
    /// `None`: none is chosen yet.
    pub(super) live: Option<Live>,
    pub(super) files: Files,
    pub(super) ears: Ears,
    /// What was sent while something else was done.
    queue: VecDeque<Act>,
    previews: Arc<AtomicU64>,
}

impl Driver {
    pub(super) fn new(setup: Setup, connected: ConnectedModel, acts: UnboundedReceiver<Act>) -> Self {
        let (inputs, screen) = (Some(setup.inputs.clone()), setup.screen.clone());
        let ears = Ears { acts, ended: signals::listen(), inputs, screen };
        let files = Files::new(&setup.workspace);
        let began = (connected.row.info.provider.clone(), connected.choice.clone());
        let (queue, previews) = (VecDeque::new(), Arc::default());
        Self { setup, connected, began, live: None, files, ears, queue, previews }
    }

    /// Opens a session in the place of the one that is open.
    pub(super) async fn open(&mut self, start: SessionStart) -> anyhow::Result<()> {
        let live = Live::open(&self.setup, &self.connected, start).await?;
        if let Some(old) = self.live.take() {
            old.close(&self.setup).await;
        }
        live.present(&self.setup);
        if live.own_tools.is_some() && !self.setup.servers.have_started() {
            // Nobody waits for them before something is to be done.
            let setup = self.setup.clone();
            tokio::spawn(async move { setup.start_servers().await });
        }
        self.live = Some(live);
        self.look_at_git();
        Ok(())
    }

    /// Works until the user leaves.
    pub(super) async fn run(mut self) -> Ended {
        self.begin();
        let code = loop {
            let act = match self.queue.pop_front() {
                Some(act) => act,
                None => match self.ears.next().await {
                    Heard::Act(act) => act,
                    Heard::End(code) => break code,
                },
            };
            if let Flow::End(code) = self.take(act).await {
                break code;
            }
        };
        self.end(code).await
    }

    fn begin(&self) {
        let screen = &self.setup.screen;
        let commands = slash::rows().into_iter().map(|row| CommandInfo {
            name: row.name,
            arguments: row.arguments,
            about: row.about,
            anytime: row.anytime,
        });
        screen.show(Show::Commands(commands.collect()));
        self.bring_back();
        if let Some(note) = &self.connected.row.note {
            screen.notice(note.clone());
        }
        screen.turn(TurnState::Idle);
    }

    /// Gives the screen what was typed in earlier sessions, when it has been read.
    fn bring_back(&self) {
        let (inputs, screen) = (self.setup.inputs.clone(), self.setup.screen.clone());
        tokio::task::spawn_blocking(move || match inputs.earlier() {
            Ok(texts) => screen.show(Show::History(texts)),
            Err(error) => {
                let why = error_chain(error.as_ref());
                screen.notice(format!("What was typed in earlier sessions cannot be brought back: {why}."));
            }
        });
    }

    async fn end(self, code: u8) -> Ended {
        let Self { setup, live, .. } = self;
        let session = match live {
            Some(live) => live.close(&setup).await,
            None => None,
        };
        setup.servers.close().await;
        let unsaved =
            setup.screen.board().unsaved().map(|why| format!("the end of the session is not kept: {why}"));
        let failed = unsaved.is_some() && code == 0;
        setup.screen.show(Show::End);
        Ended {
            code: if failed { 1 } else { code },
            session,
            option: data_dir_option(&setup.data).clone(),
            problems: unsaved.into_iter().collect(),
        }
    }

    /// What can be done beside the session.
    pub(super) fn aside(&self) -> Aside {
        let open = |live: &Live| Open { id: live.info.id.clone(), instructions: live.instructions.clone() };
        Aside {
            setup: self.setup.clone(),
            files: self.files.clone(),
            session: self.live.as_ref().map(open),
            previews: Arc::clone(&self.previews),
        }
    }

    async fn take(&mut self, act: Act) -> Flow {
        match act {
            Act::Quit => Flow::End(0),
            Act::Submit(line) => {
                let flow = self.submit(line).await;
                self.setup.screen.turn(TurnState::Idle);
                flow
            }
            Act::Picked { picker, row } => self.picked(&picker, &row).await,
            Act::PickerClosed { picker } => self.closed(&picker),
            // Nothing runs that could be interrupted.
            Act::Interrupt => Flow::Stay,
            other => {
                if let Act::Renamed { row, title, .. } = &other {
                    self.renamed(row, title);
                }
                self.aside().spawn(other);
                Flow::Stay
            }
        }
    }

    async fn submit(&mut self, line: String) -> Flow {
        if slash::is_command(&line) {
            return self.command(&line).await;
        }
        self.work(Work::Message(line)).await
    }

    /// One turn.
    pub(super) async fn work(&mut self, work: Work) -> Flow {
        let aside = self.aside();
        let (setup, ears) = (&self.setup, &mut self.ears);
        let Some(live) = &mut self.live else {
            setup.screen.notice("Choose a session first: /resume, or /clear for a new one.");
            return Flow::Stay;
        };
        if let Work::Message(text) = &work {
            live.name(text, setup).await;
        }
        setup.screen.turn(TurnState::Working);
        live.take_up_tools(setup).await;
        let later = turn(&mut live.agent, work, &setup.screen, (ears, &aside)).await;
        live.measure(&setup.screen);
        setup.servers.refresh();
        self.look_at_git();
        self.afterwards(later)
    }

    /// Takes up what was heard while something else was done.
    pub(super) fn afterwards(&mut self, later: Later) -> Flow {
        self.queue.extend(later.acts);
        later.end.map_or(Flow::Stay, Flow::End)
    }

    /// Shows the branch, when git has told it.
    fn look_at_git(&self) {
        let (folder, screen) = (self.setup.workspace.clone(), self.setup.screen.clone());
        tokio::spawn(async move {
            // A folder without git has no branch.
            if let Ok(status) = GitCli::new(folder).status().await {
                screen.set(|board| board.branch = Some(status.branch).filter(|branch| !branch.is_empty()));
            }
        });
    }
}
