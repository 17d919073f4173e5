//! Tells the terminal what the program does: the title of its window, the state of the program, and a call for the user.

use std::time::Instant;

use crate::attention::Attention;
use crate::options::{Options, StatusProtocol};
use crate::program_status::{ProgramState, QUERY};
use crate::terminal::Terminal;

/// The announcements so far.
pub(super) struct Announcer {
    protocol: StatusProtocol,
    reported: Option<ProgramState>,
    attention: Attention,
    /// Whether the terminal has the focus, as it reports.
    focused: Option<bool>,
    /// The state at the last frame, and its start.
    state: (ProgramState, Instant),
    title: String,
}

impl Announcer {
    /// Asks the terminal for its protocol, if the options say so.
    pub(super) fn start(options: &Options, terminal: &Terminal) -> std::io::Result<Self> {
        if options.status == StatusProtocol::Ask {
            terminal.command(QUERY)?;
        }
        Ok(Self {
            protocol: options.status,
            reported: None,
            attention: options.attention,
            focused: None,
            state: (ProgramState::Idle, Instant::now()),
            title: String::new(),
        })
    }

    /// Handles a reply of the terminal.
    pub(super) fn receive(&mut self, reply: &str) {
        if self.protocol == StatusProtocol::Ask && reply.contains("states=") {
            self.protocol = StatusProtocol::Always;
        }
    }

    pub(super) fn set_focused(&mut self, focused: bool) {
        self.focused = Some(focused);
    }

    /// Sends the title again at the next frame: another program may have changed it.
    pub(super) fn forget_title(&mut self) {
        self.title.clear();
    }

    /// Announces what has changed.
    pub(super) fn announce(
        &mut self,
        title: String,
        state: ProgramState,
        terminal: &Terminal,
    ) -> std::io::Result<()> {
        if title != self.title {
            terminal.command(&format!("0;{title}"))?;
            self.title = title;
        }
        if self.protocol == StatusProtocol::Always && self.reported != Some(state) {
            terminal.command(&state.command())?;
            self.reported = Some(state);
        }
        self.call_user(state, terminal)
    }

    /// Announces that the program ends.
    pub(super) fn end(&self, terminal: &Terminal) -> std::io::Result<()> {
        match self.protocol {
            StatusProtocol::Always => terminal.command(&ProgramState::Idle.command()),
            _ => Ok(()),
        }
    }

    /// Calls the user when the program stops working, if the user looks elsewhere.
    fn call_user(&mut self, state: ProgramState, terminal: &Terminal) -> std::io::Result<()> {
        let (before, since) = self.state;
        if before == state {
            return Ok(());
        }
        let now = Instant::now();
        self.state = (state, now);
        match self.attention.call(before, state, now.saturating_duration_since(since), self.focused) {
            Some(text) => terminal.notify(text),
            None => Ok(()),
        }
    }
}
