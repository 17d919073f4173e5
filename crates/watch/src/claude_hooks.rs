//! Whether Claude Code runs hooks at all: its user, a project or an option may have turned all of them off.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::claude_settings::{SettingsMap, settings_in};
use crate::file_agent::named_folder;

/// The option of a run without hooks, plugins and the like.
const BARE: &str = "--bare";

/// The files of settings in the current folder and of the user, the one that counts most first.
pub(crate) fn settings_files() -> Vec<PathBuf> {
    let project = std::env::current_dir().map(|here| here.join(".claude")).ok();
    let own = named_folder("CLAUDE_CONFIG_DIR").or_else(|| Some(named_folder("HOME")?.join(".claude")));
    let of_project = project
        .into_iter()
        .flat_map(|folder| [folder.join("settings.local.json"), folder.join("settings.json")]);
    of_project.chain(own.map(|folder| folder.join("settings.json"))).collect()
}

/// Returns true if hooks run with these settings of the run and arguments. A file that cannot be read says nothing.
pub(crate) fn runs_hooks(settings: Option<&SettingsMap>, arguments: &[OsString], files: &[PathBuf]) -> bool {
    if arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == BARE) {
        return false;
    }
    let of_file = |file: &PathBuf| are_off(&settings_in(&std::fs::read_to_string(file).ok()?).ok()?);
    let are_off = settings.and_then(are_off).or_else(|| files.iter().find_map(of_file));
    !are_off.unwrap_or_default()
}

fn are_off(settings: &SettingsMap) -> Option<bool> {
    settings.get("disableAllHooks")?.as_bool()
}

#[cfg(test)]
mod tests;
