//! Which calls of the model may run: from the settings to the tools that obey them.

mod rule_file;

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use throughline_permission::{Commands, Mode, Permissions, RuleKind, Rules};
use throughline_settings::{Flag, keys};

use crate::config::Config;
use crate::session::{is_sandboxed, writable};

pub(crate) use rule_file::RuleFile;

/// Whether somebody is there to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attended {
    /// A person at the screen.
    Yes,
    /// Nobody: what would be asked is denied.
    No,
}

/// The permissions that the settings say, with the rules that the user allowed for good in this workspace.
///
/// # Errors
/// A rule that cannot be used, with its place.
pub(crate) async fn permissions(
    config: &Config,
    data: &Path,
    workspace: &Path,
    attended: Attended,
) -> anyhow::Result<Permissions> {
    let set = &config.resolved;
    let mut rules = Rules::new();
    for (kind, key) in
        [(RuleKind::Deny, keys::DENY), (RuleKind::Ask, keys::ASK), (RuleKind::Allow, keys::ALLOW)]
    {
        for item in set.list(key) {
            let place = item.origin.to_string();
            rules.add(kind, &item.text, &place).with_context(|| format!("{} of {place}", kind.name()))?;
        }
    }
    let usual = if attended == Attended::Yes { Mode::Ask } else { Mode::AutoEdit };
    let mode = set.get(keys::MODE).and_then(|name| Mode::named(&name)).unwrap_or(usual);
    let free = set.get(keys::SANDBOXED_COMMANDS).map_or(attended == Attended::No, |word| word == "allow");
    let commands = Commands { sandboxed: is_sandboxed(config), sandboxed_are_free: free };
    let permissions = Permissions::new(mode, rules, workspace).commands(commands).editing(writable(config));
    Ok(permissions.remembering(Arc::new(RuleFile::new(data, workspace))).await)
}

/// Options of the command line about permissions, as settings.
pub(crate) fn flags(mode: Option<ModeName>, allow: &[String], deny: &[String]) -> Vec<Flag> {
    let flag = |name, key, text: &str| Flag { name, key, text: text.to_owned() };
    let mode = mode.map(|mode| flag("--mode", keys::MODE.name(), mode.mode().name()));
    let allow = allow.iter().map(|rule| flag("--allow", keys::ALLOW.name(), rule));
    let deny = deny.iter().map(|rule| flag("--deny", keys::DENY.name(), rule));
    mode.into_iter().chain(allow).chain(deny).collect()
}

/// A mode, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
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
