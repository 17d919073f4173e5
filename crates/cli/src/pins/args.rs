//! Arguments of `throughline pin`, `unpin` and `pins`.

use clap::Args;
use throughline_groups::{Change, PinTarget};

use crate::numbers::{parse_pin, parse_pinned};
use crate::session_command::SessionCommand;

#[derive(Debug, Args)]
pub(crate) struct PinArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) pin: PinWhat,
}

/// What to pin.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct PinWhat {
    /// Number of a turn, or id of a message, as `messages show` prints it
    #[arg(value_name = "TURN-OR-MESSAGE", value_parser = parse_pinned, allow_hyphen_values = true)]
    target: PinTarget,
    /// Pin only this text of it, word for word
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct UnpinArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) unpin: UnpinWhat,
}

/// Which pin to remove.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub(crate) struct UnpinWhat {
    /// Number of the pin
    #[arg(value_name = "PIN", value_parser = parse_pin, allow_hyphen_values = true)]
    number: u32,
}

#[derive(Debug, Args)]
pub(crate) struct PinsArgs {
    /// Session id, the start of one, or `last`
    pub(crate) session: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

impl PinWhat {
    pub(crate) fn command(&self) -> SessionCommand {
        SessionCommand::Pin { target: self.target, text: self.text.clone() }
    }
}

impl UnpinWhat {
    pub(crate) fn command(&self) -> SessionCommand {
        SessionCommand::Change(Change::Unpin(self.number))
    }
}
