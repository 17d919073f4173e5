//! The mode and the rules of permissions, as they are typed.

use clap::ValueEnum;
use throughline_permission::Mode;
use throughline_settings::{Flag, keys};

/// The options about permissions as settings.
pub(super) fn flags(mode: Option<ModeName>, allow: &[String], deny: &[String]) -> Vec<Flag> {
    let flag = |name, key, text: &str| Flag { name, key, text: text.to_owned() };
    let mode = mode.map(|mode| flag("--mode", keys::MODE.name(), mode.mode().name()));
    let allow = allow.iter().map(|rule| flag("--allow", keys::ALLOW.name(), rule));
    let deny = deny.iter().map(|rule| flag("--deny", keys::DENY.name(), rule));
    mode.into_iter().chain(allow).chain(deny).collect()
}

/// A mode, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeName {
    /// Reads only; everything else is refused
    Plan,
    /// Reads freely; asks before edits, commands, the network and unknown tools
    Ask,
    /// Reads and edits the workspace freely; asks before the rest
    AutoEdit,
    /// Does everything without asking, but for what a rule forbids or asks about
    Yolo,
}

impl ModeName {
    pub(crate) fn mode(self) -> Mode {
        match self {
            Self::Plan => Mode::Plan,
            Self::Ask => Mode::Ask,
            Self::AutoEdit => Mode::AutoEdit,
            Self::Yolo => Mode::Yolo,
        }
    }
}
