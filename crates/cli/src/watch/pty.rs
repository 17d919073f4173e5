//! Runs a program in a pseudo-terminal: its bytes pass unchanged, and an emulated screen is watched for compactions.

mod screen;
mod signals;
mod terminal;

use std::io::{IsTerminal as _, Read, Write};
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use portable_pty::{CommandBuilder, MasterPty, native_pty_system};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use throughline_terminal::complain;
use throughline_watch::{Extraction, ForeignAgent, Observed};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, timeout};

use self::screen::ObservedScreen;
use self::signals::{Caught, Signals};
use self::terminal::{RawTerminal, size};
use super::child::exit_code;

/// Bytes that are passed on at once.
const CHUNK: usize = 64 * 1024;

/// How long output is waited for after the program has ended: what it started may keep the terminal open.
const LINGER: Duration = Duration::from_millis(300);

/// How often it is looked if a context can be typed, and if an extraction is due.
const TICK: Duration = Duration::from_millis(250);

/// How long a program may take to end after its terminal is gone.
const HANGS_UP: Duration = Duration::from_secs(5);

/// End of transmission, as a terminal sends it for a user who ends the input.
const END_OF_INPUT: u8 = 4;

/// Runs the program. Its exit code, or why it cannot be started.
pub(super) async fn run(command: &Command, observed: Observed) -> anyhow::Result<ExitCode> {
    let screen = ObservedScreen::new(size(), &observed.settings.patterns);
    let agent = observed.agent;
    // Before the program starts: its files are recognised by their time.
    let extraction = Extraction::new(observed).await?;
    let pty =
        native_pty_system().openpty(size()).map_err(|error| anyhow!("no pseudo-terminal: {error:#}"))?;
    let child: Box<dyn portable_pty::Child> =
        pty.slave.spawn_command(builder(command)).map_err(|error| anyhow!("{error:#}"))?;
    // While this end is open, the output never ends.
    drop(pty.slave);
    let child = child.downcast::<Child>().map_err(|_| anyhow!("it is no process of this system"))?;
    let reader = pty.master.try_clone_reader().map_err(|error| anyhow!("{error:#}"))?;
    let writer = pty.master.take_writer().map_err(|error| anyhow!("{error:#}"))?;
    let _raw = RawTerminal::enter();
    Session { master: pty.master, agent, screen, extraction, typed: Typed::default() }
        .run(*child, reader, writer)
        .await
}

/// The same command, for the pseudo-terminal.
fn builder(command: &Command) -> CommandBuilder {
    let mut builder = CommandBuilder::new(command.get_program());
    builder.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => builder.env(name, value),
            None => builder.env_remove(name),
        }
    }
    if let Ok(folder) = std::env::current_dir() {
        builder.cwd(folder);
    }
    builder
}

/// What the user has typed, as far as it matters for not typing into it.
struct Typed {
    at: Instant,
    /// Something was typed since the last Enter.
    is_open: bool,
}

impl Default for Typed {
    fn default() -> Self {
        Self { at: Instant::now(), is_open: false }
    }
}

impl Typed {
    fn note(&mut self, bytes: &[u8]) {
        self.at = Instant::now();
        self.is_open = !matches!(bytes.last(), Some(b'\r' | b'\n' | 3));
    }
}

struct Session {
    master: Box<dyn MasterPty + Send>,
    agent: Option<ForeignAgent>,
    screen: ObservedScreen,
    extraction: Extraction,
    typed: Typed,
}

impl Session {
    async fn run(
        mut self,
        child: Child,
        reader: Box<dyn Read + Send>,
        writer: Box<dyn Write + Send>,
    ) -> anyhow::Result<ExitCode> {
        let mut signals = Signals::catch()?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let mut output = read_from(reader);
        let mut input = read_from(Box::new(std::io::stdin()));
        let to_program = write_to(writer);
        let mut ended = wait_for(child);
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut output_open, mut input_open) = (true, true);
        let mut hangs_up = None;
        let status = loop {
            tokio::select! {
                status = &mut ended => break status.context("the program cannot be waited for")??,
                bytes = output.recv(), if output_open => {
                    output_open = bytes.is_some();
                    if !self.shown(bytes.as_deref().unwrap_or_default()) {
                        hangs_up.get_or_insert_with(|| hang_up(pid, Signal::HUP));
                    }
                }
                bytes = input.recv(), if input_open => {
                    input_open = bytes.is_some();
                    self.typed.note(bytes.as_deref().unwrap_or(b"\n"));
                    let end = || if std::io::stdin().is_terminal() { Vec::new() } else { vec![END_OF_INPUT] };
                    // A program that has ended reads no more.
                    let _ = to_program.send(bytes.unwrap_or_else(end)).await;
                }
                _ = ticks.tick() => {
                    if hangs_up.is_some_and(|at| at.elapsed() >= HANGS_UP) {
                        hangs_up = Some(hang_up(pid, Signal::KILL));
                    }
                    if let Some(keys) = self.tick() {
                        let _ = to_program.send(keys).await;
                    }
                }
                caught = signals.next() => match caught {
                    Caught::Resized => self.resize(),
                    Caught::HangUp => {
                        hangs_up.get_or_insert_with(|| hang_up(pid, Signal::HUP));
                    }
                    // One that has just ended needs no signal.
                    Caught::PassOn(signal) => _ = pid.map(|pid| kill_process(pid, signal)),
                },
            }
        };
        while output_open && let Ok(Some(bytes)) = timeout(LINGER, output.recv()).await {
            self.shown(&bytes);
        }
        self.screen.rest().into_iter().for_each(|sign| self.extraction.note(sign));
        // The terminal is the user's again.
        self.extraction.finish().await.iter().for_each(|problem| complain(problem));
        Ok(exit_code(status))
    }

    /// Does what is due from time to time. Gives the keys of a context that can be typed now.
    fn tick(&mut self) -> Option<Vec<u8>> {
        self.screen.settled().into_iter().for_each(|sign| self.extraction.note(sign));
        self.extraction.tick();
        let text = if self.may_type() { self.extraction.take_context() } else { None };
        text.map(|text| screen::paste(&text))
    }

    /// Passes output on, and looks at the screen that it makes. Returns false if the terminal is gone.
    fn shown(&mut self, bytes: &[u8]) -> bool {
        let mut out = std::io::stdout().lock();
        let is_written = out.write_all(bytes).and_then(|()| out.flush()).is_ok();
        if let Some(sign) = self.screen.feed(bytes) {
            self.extraction.note(sign);
        }
        is_written
    }

    fn resize(&mut self) {
        let size = size();
        // If the terminal cannot be resized, the emulated screen keeps its size, too.
        if self.master.resize(size).is_ok() {
            self.screen.resize(size);
        }
    }

    /// Returns true if text that is typed now lands in an input field that the user is not using, and answers no dialog.
    fn may_type(&self) -> bool {
        // What the agent shows tells more than keys: terminals send reports that the user has not typed.
        let is_empty = match self.agent.and_then(ForeignAgent::empty_input) {
            Some(shown) => self.screen.shows(shown),
            None => !self.typed.is_open,
        };
        is_empty
            && self.screen.takes_pastes()
            && self.screen.is_quiet()
            && self.typed.at.elapsed() >= screen::QUIET
            && !self.screen.shows_dialog()
    }
}

/// Waits for the end of a program in a thread of its own: one that never ends must not hold up the end of this one.
fn wait_for(mut child: Child) -> oneshot::Receiver<std::io::Result<ExitStatus>> {
    let (sender, receiver) = oneshot::channel();
    // If nothing waits any more, nothing needs to know.
    std::thread::spawn(move || _ = sender.send(child.wait()));
    receiver
}

/// Sends a signal as the system does when a terminal is closed: to the program, which leads a group of its own, and to those in
/// it that the program has started. Gives the time.
fn hang_up(pid: Option<Pid>, signal: Signal) -> Instant {
    // Those that have just ended need no signal.
    let _ = pid.map(|pid| kill_process_group(pid, signal));
    Instant::now()
}

/// What a reader gives, piece by piece, until its end.
fn read_from(mut reader: Box<dyn Read + Send>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel(16);
    std::thread::spawn(move || {
        let mut buffer = vec![0; CHUNK];
        // A terminal whose other end is closed gives an error.
        while let Ok(read @ 1..) = reader.read(&mut buffer) {
            let bytes = buffer.get(..read).unwrap_or_default().to_vec();
            if sender.blocking_send(bytes).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Writes what it is sent, in a thread of its own: a program that does not read must not stop its output.
fn write_to(mut writer: Box<dyn Write + Send>) -> Sender<Vec<u8>> {
    let (sender, mut receiver) = channel::<Vec<u8>>(1024);
    std::thread::spawn(move || {
        while let Some(bytes) = receiver.blocking_recv() {
            if writer.write_all(&bytes).and_then(|()| writer.flush()).is_err() {
                return;
            }
        }
    });
    sender
}
