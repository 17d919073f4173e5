//! Workspaces that hold the user's own folders. What a command writes there may run outside the sandbox later, or widen the
//! permissions.

use std::path::{Path, PathBuf};

use throughline_settings::keys;
use throughline_tools::resolve_links;

use super::ToolSet;
use throughline_config::Config;
use throughline_config::config_folder;
use throughline_stored::{Error, Result};

/// The config and data folders, with links followed as far as they exist. Commands never write there.
pub(super) fn protected(config: &Config) -> Vec<PathBuf> {
    let folders = config_folder().into_iter().chain(config.data_dir.clone());
    folders.map(|folder| std::path::absolute(&folder).unwrap_or(folder)).collect()
}

/// What a workspace holds that is not a project's, for the user.
pub(crate) fn held(config: &Config, workspace: &Path) -> Option<String> {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let mut folders =
        [("home", home), ("config", config_folder()), ("data", config.data_dir.clone())].into_iter();
    folders.find_map(|(name, folder)| {
        let folder = folder?;
        let real = resolve_links(&std::path::absolute(&folder).unwrap_or_else(|_| folder.clone()));
        real.starts_with(workspace).then(|| format!("your {name} folder ({})", folder.display()))
    })
}

/// Returns true if the workspace holds the user's own folders and the settings do not accept that.
pub(crate) fn is_home(config: &Config, workspace: &Path) -> bool {
    !accepted(config) && held(config, workspace).is_some()
}

/// Refuses a workspace that holds the user's own folders, for a session without a user, whose tools can change files.
///
/// # Errors
/// What the workspace holds, and how to continue.
pub fn check_unattended(config: &Config, workspace: &Path, tools: ToolSet) -> Result<()> {
    match held(config, workspace) {
        Some(held) if tools == ToolSet::All && !accepted(config) => Err(Error::usage(format!(
            "the workspace {} holds {held}: what a command or an edit changes there may start programs later, outside the \
             sandbox. Run in a project's folder, give only reading tools (--tools read), or accept it with \
             `home_workspace = true` in [tools] of the settings",
            workspace.display()
        ))),
        _ => Ok(()),
    }
}

/// A notice for the user of an interactive session.
pub(crate) fn home_note(config: &Config, workspace: &Path) -> Option<String> {
    let held = held(config, workspace).filter(|_| !accepted(config))?;
    Some(format!(
        "this folder holds {held}: the sandbox does not protect it, so each command needs your approval; better start in a \
         project's folder"
    ))
}

fn accepted(config: &Config) -> bool {
    config.resolved.get(keys::HOME_WORKSPACE).unwrap_or(false)
}
