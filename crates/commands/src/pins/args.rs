//! Arguments of `throughline pin`, `unpin` and `pins`.

use clap::Args;
use throughline_groups::{Change, PinTarget};

use crate::numbers::{parse_pin, parse_pinned};
use crate::session_command::SessionCommand;

/// The session, and what to pin in it.
#[derive(Debug, Args)]
pub struct PinArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// What to pin.
    #[command(flatten)]
    pub pin: PinWhat,
}

/// What to pin.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct PinWhat {
    /// Number of a turn, or id of a message, as `messages show` prints it
    #[arg(value_name = "TURN-OR-MESSAGE", value_parser = parse_pinned, allow_hyphen_values = true)]
    target: PinTarget,
    /// Pin only this text of it, word for word
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
}

/// The session, and which of its pins to remove.
#[derive(Debug, Args)]
pub struct UnpinArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// Which pin to remove.
    #[command(flatten)]
    pub unpin: UnpinWhat,
}

/// Which pin to remove.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct UnpinWhat {
    /// Number of the pin
    #[arg(value_name = "PIN", value_parser = parse_pin, allow_hyphen_values = true)]
    number: u32,
}

/// The session whose pins are listed.
#[derive(Debug, Args)]
pub struct PinsArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl PinWhat {
    pub fn command(&self) -> SessionCommand {
        SessionCommand::Pin { target: self.target, text: self.text.clone() }
    }
}

impl UnpinWhat {
    pub fn command(&self) -> SessionCommand {
        SessionCommand::Change(Change::Unpin(self.number))
    }
}
