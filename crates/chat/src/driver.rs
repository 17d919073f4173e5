//! The session's side of the channels: owns the agent and handles the user's input, one act after the other.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError};

use throughline_commands::slash;
use throughline_config::with_tilde;
use throughline_connect::{ConnectedModel, ModelChoice};
use throughline_conversation::Origin;
use throughline_documents::GitProbe;
use throughline_git::GitCli;
use throughline_session::FileAttacher;
use throughline_stored::{SessionStart, data_dir_option, recorded_model};
use throughline_tui::{Act, Show, TurnState};
use tokio::sync::mpsc::UnboundedReceiver;

use super::background::{BackgroundCommands, OpenSession};
use super::clipboard::PastedPicture;
use super::ending::Ended;
use super::files::Files;
use super::live::ScreenSession;
use super::planning;
use super::setup::Setup;
use super::signals;
use super::status_command;
use super::turn::{Input, InputSource, PendingInput, Work, turn};
use super::waiting::{Waiting, ends_waiting};

/// What the program does after an act.
pub(super) enum Flow {
    Stay,
    /// End with this code.
    End(u8),
}

/// The model at the start of the program, whose address and key are used only for its provider.
pub(super) struct FirstModel {
    pub(super) provider: String,
    pub(super) choice: ModelChoice,
}

/// The session, and everything that a command on it may need.
pub(super) struct Driver {
    pub(super) setup: Setup,
    pub(super) connected: ConnectedModel,
    pub(super) first: FirstModel,
    /// `None`: no session is chosen yet.
    pub(super) live: Option<ScreenSession>,
    pub(super) files: Files,
    pub(super) input: InputSource,
    /// Input that arrived while something else ran.
    queue: VecDeque<Act>,
    previews: Arc<AtomicU64>,
    /// What was done while the session waits for its user.
    pub(super) waiting: Waiting,
    /// Pictures from the clipboard, which exist until the program ends.
    pub(super) pictures: Vec<PastedPicture>,
}

impl Driver {
    pub(super) fn new(setup: Setup, connected: ConnectedModel, acts: UnboundedReceiver<Act>) -> Self {
        let (history, screen) = (Some(setup.inputs.clone()), setup.screen.clone());
        let input = InputSource { acts, ended: signals::listen(), history, screen };
        let files = Files::new(&setup.workspace);
        let choice = connected.choice.clone();
        Self {
            first: FirstModel { provider: connected.row.info.provider.clone(), choice },
            setup,
            connected,
            live: None,
            files,
            input,
            queue: VecDeque::new(),
            previews: Arc::default(),
            waiting: Waiting::default(),
            pictures: Vec::new(),
        }
    }

    /// Opens a session and closes the one before.
    pub(super) async fn open(&mut self, start: SessionStart) -> anyhow::Result<()> {
        let recorded = self.connect_recorded(&start).await?;
        let connected = recorded.as_ref().unwrap_or(&self.connected);
        let mut live = ScreenSession::open(&self.setup, connected, start).await?;
        if let Some(connected) = recorded {
            self.setup.model = connected.choice.clone();
            self.connected = connected;
        }
        live.session.agent.prepare(&self.setup.screen).await;
        if let Some(old) = self.live.take() {
            old.close(&self.setup).await;
        }
        live.present(&self.setup).await;
        if live.session.base_tools().is_some() && !self.setup.servers.have_started() {
            // Only the first turn waits for them.
            let setup = self.setup.clone();
            tokio::spawn(async move { setup.start_servers().await });
        }
        let files = FileAttacher::of(&live.session);
        *self.setup.attaching.lock().unwrap_or_else(PoisonError::into_inner) = files;
        self.live = Some(live);
        self.look_at_git();
        Ok(())
    }

    /// Connects to the model that the session was recorded with, and asks it for as much thinking. What the command line says of them
    /// is for the first session. `None`: the connected one answers.
    async fn connect_recorded(&self, start: &SessionStart) -> anyhow::Result<Option<ConnectedModel>> {
        let Some(recorded) = recorded_model(&self.setup.data, start).await? else { return Ok(None) };
        let info = &self.connected.row.info;
        let said = match self.live {
            None => self.setup.options.run.model.clone(),
            Some(_) => ModelChoice::default(),
        };
        let origin = recorded.origin.as_ref();
        let choice = self.named(&origin.to_string()).thinking_as(&said, &recorded);
        let is_same = *origin == Origin::new(&info.provider, &info.name)
            && choice.thinking == self.connected.choice.thinking;
        if is_same || said.names_another(origin) {
            return Ok(None);
        }
        let connected = ConnectedModel::connect(&choice).await;
        if let Err(error) = &connected {
            self.setup.screen.notice(format!(
                "The model of this session, {origin}, is not available ({}); {}/{} answers instead.",
                error.text(),
                info.provider,
                info.name
            ));
        }
        Ok(connected.ok())
    }

    /// Runs until the user leaves.
    pub(super) async fn run(mut self) -> Ended {
        self.begin();
        let code = loop {
            let act = match self.queue.pop_front() {
                Some(act) => act,
                None => match self.next_input().await {
                    Input::Act(act) => act,
                    Input::End(code) => break code,
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
        self.show_commands();
        status_command::follow(&self.setup);
        if let Some(note) = &self.connected.row.note {
            screen.notice(note.clone());
        }
        if self.live.as_ref().is_some_and(|live| live.session.agent.exchange() == 0) {
            self.welcome();
        }
        screen.turn(TurnState::Idle);
    }

    /// The first lines of a new session.
    fn welcome(&self) {
        let title = format!("Throughline {}", env!("CARGO_PKG_VERSION"));
        let info = &self.connected.row.info;
        let folder = with_tilde(&self.setup.workspace.display().to_string());
        let text = format!("{folder} · {}/{}", info.provider, info.name);
        self.setup.screen.show(Show::Welcome { title, text });
    }

    async fn end(self, code: u8) -> Ended {
        let Self { setup, live, connected, .. } = self;
        let session = match live {
            Some(live) => live.close(&setup).await,
            None => None,
        };
        setup.servers.close().await;
        let unsaved = setup.screen.status().unsaved().map(str::to_owned);
        let gone = || setup.data.store.check_place().err().map(|gone| gone.to_string());
        let unsaved = unsaved.or_else(gone).map(|why| format!("the end of the session is not saved: {why}"));
        let failed = unsaved.is_some() && code == 0;
        setup.screen.show(Show::End);
        Ended {
            code: if failed { 1 } else { code },
            session,
            option: data_dir_option(&setup.data),
            server: setup.options.run.model.server_options(&connected.row.info.origin()),
            problems: unsaved.into_iter().collect(),
        }
    }

    /// The handler of input that needs no agent.
    pub(super) fn background(&self) -> BackgroundCommands {
        let open = |live: &ScreenSession| OpenSession {
            id: live.session.info.id.clone(),
            instructions: live.session.instructions.clone(),
            jobs: live.session.jobs.clone(),
            agents: live.session.agents.clone(),
        };
        BackgroundCommands {
            setup: self.setup.clone(),
            files: self.files.clone(),
            session: self.live.as_ref().map(open),
            previews: Arc::clone(&self.previews),
        }
    }

    async fn take(&mut self, act: Act) -> Flow {
        if ends_waiting(&act) {
            self.waiting = Waiting::default();
        }
        match act {
            Act::Typing => {
                self.waiting.typed();
                Flow::Stay
            }
            Act::Quit => Flow::End(0),
            Act::Submit(line) => {
                let flow = self.submit(line).await;
                self.setup.screen.turn(TurnState::Idle);
                flow
            }
            Act::Picked { picker, row } => self.picked(&picker, &row).await,
            Act::PickerClosed { picker } => self.closed(&picker),
            // Nothing is running.
            Act::Interrupt => Flow::Stay,
            Act::EditInput(text) => self.edit_input(&text).await,
            Act::Transcript => self.transcript().await,
            Act::PastePicture => {
                self.paste_picture().await;
                Flow::Stay
            }
            Act::Rewind => {
                self.rewind().await;
                Flow::Stay
            }
            other => {
                if let Act::Renamed { row, title, .. } = &other {
                    self.renamed(row, title);
                }
                self.background().spawn(other);
                Flow::Stay
            }
        }
    }

    async fn submit(&mut self, line: String) -> Flow {
        if slash::is_command(&line) {
            return self.command(&line).await;
        }
        match line.strip_prefix('!').map(str::trim) {
            Some("") => {
                self.setup.screen.notice("Write a command behind `!`, for example !git status");
                return Flow::Stay;
            }
            Some(command) => return self.run_user_command(command).await,
            None => {}
        }
        if let Some(text) = line.strip_prefix('#').filter(|_| !line.contains('\n')) {
            self.add_memo(text.trim()).await;
            return Flow::Stay;
        }
        let message = self.message(&line).await;
        self.work(Work::Message { title: line, message }).await
    }

    /// Runs one turn.
    pub(super) async fn work(&mut self, work: Work) -> Flow {
        let background = self.background();
        let setup = &self.setup;
        let Some(live) = &mut self.live else {
            setup.screen.notice("Choose a session first: /resume, or /clear for a new one.");
            return Flow::Stay;
        };
        if let Work::Message { title, .. } = &work {
            live.name(title, setup).await;
        }
        setup.screen.turn(TurnState::Working);
        live.update_tools(setup).await;
        let requests = live.session.agent.requests();
        let pending = turn(&mut live.session.agent, work, &mut self.input, &background).await;
        live.measure(&setup.screen);
        let asked = live.session.agent.requests() > requests;
        let question = planning::ask(live, setup.permissions.mode(), &pending).filter(|_| asked);
        if let Some(question) = question {
            setup.screen.show(question);
        }
        setup.servers.refresh();
        self.look_at_git();
        self.afterwards(pending)
    }

    /// Queues the input that arrived while something else ran.
    pub(super) fn afterwards(&mut self, pending: PendingInput) -> Flow {
        self.queue.extend(pending.acts);
        pending.end.map_or(Flow::Stay, Flow::End)
    }

    /// Shows the git branch once it is known.
    pub(super) fn look_at_git(&self) {
        let (folder, screen) = (self.setup.workspace.clone(), self.setup.screen.clone());
        tokio::spawn(async move {
            // A folder without git has no branch.
            if let Ok(git) = GitCli::new(folder).head().await {
                screen.set(|status| status.branch = Some(git.branch).filter(|branch| !branch.is_empty()));
            }
        });
    }
}
