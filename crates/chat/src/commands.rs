//! Slash commands of the interactive session.

use throughline_commands::export::{ExportForm, to_continue, to_new_file};
use throughline_commands::settings::set_for_user;
use throughline_commands::slash::{PermissionsCommand, ScreenCommand, Slash, parse};
use throughline_commands::{DocumentAction, FileChoice, SessionCommand, by_agent, execute, refusal};
use throughline_conversation::EntryKind;
use throughline_permission::Mode;
use throughline_session::answer_text;
use throughline_stored::{SessionStart, SessionWriter};
use throughline_terminal::pager;
use throughline_text::{error_chain, group_thousands, plain};
use throughline_tools::CancelFlag;
use throughline_tui::{Show, TurnState};
use tokio::sync::oneshot;

use super::background::NO_SESSION;
use super::driver::{Driver, Flow};
use super::signals::TerminalGuard;
use super::turn::{Work, run_with_input};

impl Driver {
    /// Runs a slash command. Invalid commands are reported and have no effect.
    pub(super) async fn command(&mut self, line: &str) -> Flow {
        let slash = match parse(line) {
            Ok(slash) => slash,
            Err(error) => {
                if let Some(prompt) = self.setup.custom.message(line) {
                    let message = self.message(&prompt).await;
                    return self.work(Work::Message { title: line.to_owned(), message }).await;
                }
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
            Slash::Help => self.background().command(&slash).await,
            Slash::Compact { preview, instructions } => {
                return self.compact(&instructions.join(" "), preview).await;
            }
            Slash::Session(command) => match command.command() {
                SessionCommand::Rebuild => return Ok(self.rebuild().await),
                SessionCommand::Turn { undo, files: FileChoice::Ask } if self.ask_about_files(undo).await => {
                }
                command => self.on_session(command).await?,
            },
            Slash::Screen(command) => return self.on_screen(command).await,
        }
        Ok(Flow::Stay)
    }

    async fn on_screen(&mut self, command: ScreenCommand) -> anyhow::Result<Flow> {
        let screen = self.setup.screen.clone();
        match command {
            ScreenCommand::Quit => return Ok(Flow::End(0)),
            ScreenCommand::Continue => return Ok(self.work(Work::Continue).await),
            ScreenCommand::Clear => {
                self.open(SessionStart::New).await?;
                screen.notice("New session. To return to the previous one: /resume");
            }
            ScreenCommand::Model { name } => return Ok(self.model(text(&name).as_deref()).await),
            ScreenCommand::Effort { level } => return self.effort(level.as_deref()).await,
            ScreenCommand::AddDir { folder } => self.add_folder(&folder.join(" "))?,
            ScreenCommand::Fork => self.fork().await?,
            ScreenCommand::Resume { words } => self.resume(text(&words).as_deref()).await?,
            ScreenCommand::Rename { title } => match &mut self.live {
                Some(live) => {
                    let title = title.join(" ");
                    live.rename(&title, &self.setup).await;
                    screen.notice(format!("The session is named {title:?}."));
                }
                None => screen.notice(NO_SESSION),
            },
            ScreenCommand::Permissions { mode, what } => {
                let mode = mode.map(|mode| PermissionsCommand::Mode { mode });
                self.permissions(what.or(mode).as_ref()).await?;
            }
            ScreenCommand::Plan => {
                let mode = Mode::Plan.name().to_owned();
                self.permissions(Some(&PermissionsCommand::Mode { mode })).await?;
            }
            ScreenCommand::Config { key: Some(key), value } if !value.is_empty() => {
                let (folder, data_dir) = (&self.setup.workspace, self.setup.data.named.clone());
                screen.notice(set_for_user(&key, &value.join(" "), folder, data_dir)?);
            }
            ScreenCommand::OutputStyle { name } if !name.is_empty() => {
                self.set_output_style(&name.join(" "))?;
            }
            ScreenCommand::Mcp { what: Some(what) } => self.change_servers(&what).await?,
            ScreenCommand::Plugin { what: Some(what) } => self.switch_plugin(&what)?,
            ScreenCommand::Copy => self.copy_answer(),
            ScreenCommand::Export { form, file } => self.export(form.form(), file).await?,
            ScreenCommand::Status
            | ScreenCommand::Cost
            | ScreenCommand::Diff
            | ScreenCommand::Agents { .. }
            | ScreenCommand::Hooks
            | ScreenCommand::Jobs { .. }
            | ScreenCommand::Skills
            | ScreenCommand::OutputStyle { .. }
            | ScreenCommand::Mcp { what: None }
            | ScreenCommand::Plugin { what: None }
            | ScreenCommand::Config { .. }
            | ScreenCommand::Memos { .. }
            | ScreenCommand::Vim
            | ScreenCommand::Sessions => {
                self.background().command(&Slash::Screen(command)).await;
            }
        }
        Ok(Flow::Stay)
    }

    /// Copies the last answer of the model to the clipboard of the terminal.
    fn copy_answer(&self) {
        let screen = &self.setup.screen;
        let entries = self.live.iter().flat_map(|live| live.session.agent.view().entries());
        let answers = entries
            .filter(|entry| entry.kind == EntryKind::Assistant)
            .map(|entry| answer_text(&entry.message.text()));
        match answers.filter(|text| !text.trim().is_empty()).last() {
            Some(text) => {
                let characters = group_thousands(text.chars().count() as u64);
                screen.show(Show::Copy(text));
                screen.notice(format!(
                    "Copied the last answer ({characters} characters), if the terminal allows it."
                ));
            }
            None => screen.notice("There is no answer to copy yet."),
        }
    }

    /// Writes the open session to a file of the workspace, or to an absolute path.
    async fn export(&self, form: ExportForm, file: Option<String>) -> anyhow::Result<()> {
        let Some(live) = &self.live else {
            self.setup.screen.notice(NO_SESSION);
            return Ok(());
        };
        let file = file.unwrap_or_else(|| format!("{}.{}", live.session.info.id, form.extension()));
        let path = self.setup.workspace.join(file);
        to_new_file(&self.setup.data, &live.session.info.id, form, &path).await?;
        self.setup.screen.notice(format!("Exported the session to {}.", path.display()));
        if let Some(text) = to_continue(&self.setup.data, &live.session.info.id, form).await? {
            self.setup.screen.notice(text);
        }
        Ok(())
    }

    /// Runs a command on the open session.
    pub(super) async fn on_session(&mut self, mut command: SessionCommand) -> anyhow::Result<()> {
        if matches!(command, SessionCommand::Turn { undo: true, .. }) {
            self.stop_agents_since(None).await;
        }
        let screen = &self.setup.screen;
        let Some(live) = &mut self.live else {
            screen.notice(NO_SESSION);
            return Ok(());
        };
        let target = live.target(&self.setup.data);
        let mut terminal = None;
        match &mut command {
            SessionCommand::Document { action: DocumentAction::Edit, .. }
            | SessionCommand::Assembled { editor: true, .. } => {
                terminal = Some(lend(screen).await);
            }
            SessionCommand::Document { action: DocumentAction::Set(file), .. } => {
                anyhow::ensure!(file != "-", "standard input belongs to the screen; name a file");
                *file = self.setup.workspace.join(&*file).to_string_lossy().into_owned();
            }
            _ => {}
        }
        let answer =
            execute(&target, &mut SessionWriter::Agent(&mut live.session.agent, screen), &command).await;
        drop(terminal);
        match answer {
            // Wrapped lines would be no JSON in a copy.
            Ok(answer) if matches!(command, SessionCommand::Assembled { request: true, editor: false }) => {
                let terminal = lend(screen).await;
                pager::open(&plain(&answer.text));
                drop(terminal);
            }
            Ok(answer) => screen.page("", &answer.text),
            Err(error) => screen.problem(error_chain(error.as_ref())),
        }
        live.measure(screen);
        Ok(())
    }

    /// Has the model regenerate STATE. Can be stopped while the model answers.
    async fn rebuild(&mut self) -> Flow {
        let (background, cancel) = (self.background(), CancelFlag::new());
        let screen = &self.setup.screen;
        let Some(live) = &mut self.live else {
            screen.notice(NO_SESSION);
            return Flow::Stay;
        };
        screen.turn(TurnState::Working);
        let work = live.session.agent.rebuild_state(true, screen, &cancel);
        let (rebuilt, pending) = run_with_input(work, &mut self.input, &background, &cancel).await;
        screen.page("", &by_agent(&live.target(&self.setup.data), rebuilt).text);
        live.measure(screen);
        self.afterwards(pending)
    }
}

/// Words as one text, if there are any.
fn text(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(" "))
}

/// Lends the terminal to another program until the returned value is dropped.
pub(super) async fn lend(screen: &super::screen::Screen) -> (oneshot::Sender<()>, TerminalGuard) {
    let guard = TerminalGuard::begin();
    let (ready, free) = oneshot::channel();
    let (back, waits) = oneshot::channel();
    screen.show(Show::Lend { ready, back: waits });
    // A closed screen has released the terminal already.
    let _ = free.await;
    (back, guard)
}
