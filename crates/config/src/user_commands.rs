//! The user's own slash commands.

use std::path::{Path, PathBuf};

use crate::command_files::CommandFiles;
use crate::folders::{config_folder, without_tilde};

/// Those of Claude Code.
const CLAUDE_USER: &str = "~/.claude/commands";

/// A prompt that the user has as a slash command in every project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCommand {
    /// Its name, without `/`: that of its file, behind those of the folders that it is in, with colons.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// It is written for Claude Code.
    pub of_claude: bool,
}

impl UserCommand {
    /// The files in `commands` next to the settings, then those of Claude Code. Of two with the same name the first counts. With
    /// settings from a named file they are those next to that file.
    pub(crate) fn all(settings: Option<&Path>) -> Vec<Self> {
        let own = match settings {
            Some(file) => Some(file.with_file_name("commands")),
            None => config_folder().map(|folder| folder.join("commands")),
        };
        let folders = own.map(|folder| (folder, false)).into_iter();
        let claude = settings.is_none().then(|| (without_tilde(CLAUDE_USER), true));
        let mut all: Vec<Self> = Vec::new();
        for (folder, of_claude) in folders.chain(claude) {
            for (name, path) in CommandFiles::of(None, &folder) {
                if all.iter().all(|other| other.name != name) {
                    all.push(Self { name, path, of_claude });
                }
            }
        }
        all
    }
}
