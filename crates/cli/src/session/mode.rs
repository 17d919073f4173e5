//! Permission modes and rules of the command line.

use clap::ValueEnum;
use throughline::Mode;
use throughline_settings::{Flag, keys};

/// The permission options as settings.
pub(super) fn flags(mode: Option<ModeName>, allow: &[String], deny: &[String]) -> Vec<Flag> {
    let flag = |name, key, text: &str| Flag { name, key, text: text.to_owned() };
    let mode = mode.map(|mode| flag("--mode", keys::MODE.name(), mode.mode().name()));
    let allow = allow.iter().map(|rule| flag("--allow", keys::ALLOW.name(), rule));
    let deny = deny.iter().map(|rule| flag("--deny", keys::DENY.name(), rule));
    mode.into_iter().chain(allow).chain(deny).collect()
}

/// The value of `--mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeName {
    /// Reads only; denies everything else
    Plan,
    /// Reads without asking; asks before edits, commands, network access and unknown tools
    Ask,
    /// Reads and edits the workspace without asking; asks before everything else
    AutoEdit,
    /// Runs everything without asking, except for what a rule denies or asks about
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
