//! The folders and files that belong to the user.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use throughline_instructions::SessionFolders;

use crate::error::{Attempt as _, ConfigError, Result};

/// The user's config folder: `$XDG_CONFIG_HOME/throughline`, or `~/.config/throughline`.
#[must_use]
pub fn config_folder() -> Option<PathBuf> {
    let config = std::env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
    let home = || std::env::var_os("HOME").filter(|folder| !folder.is_empty());
    let folder =
        config.map(PathBuf::from).or_else(|| home().map(|home| PathBuf::from(home).join(".config")))?;
    Some(folder.join("throughline"))
}

/// The folders of a session that works in this one, with those of its user.
#[must_use]
pub fn session_folders(workspace: &Path) -> SessionFolders {
    SessionFolders::of(workspace, config_folder().as_deref()).with_home(std::env::home_dir().as_deref())
}

/// The file in which the user corrects the table of models: `models.toml` in the config folder.
#[must_use]
pub fn model_overrides_file() -> Option<PathBuf> {
    Some(config_folder()?.join("models.toml"))
}

/// The user's files of settings, whether they exist or not. The later one wins.
#[must_use]
pub fn settings_files() -> Vec<PathBuf> {
    let folder = config_folder().into_iter();
    folder.flat_map(|folder| [folder.join("config.json"), folder.join("config.toml")]).collect()
}

/// A path in which `~/` is the user's home.
#[must_use]
pub fn without_tilde(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(text),
    }
}

/// A path below the user's home, with `~` for the home; others unchanged.
#[must_use]
pub fn with_tilde(path: &str) -> String {
    let home = std::env::var("HOME").ok().filter(|home| !home.is_empty());
    let rest = home.and_then(|home| path.strip_prefix(&home));
    match rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
        Some(rest) => format!("~{rest}"),
        None => path.to_owned(),
    }
}

/// The workspace: the folder that is named, or the current one, with all links followed. Sessions are filed under this path.
///
/// # Errors
/// The folder does not exist, or is a file.
pub fn workspace(named: Option<&Path>) -> Result<PathBuf> {
    let folder = named.unwrap_or(Path::new("."));
    let attempt = || format!("there is no folder {}", folder.display());
    let folder = match (folder.canonicalize(), named) {
        (Err(error), Some(_)) => return Err(ConfigError::Argument { attempt: attempt(), source: error }),
        (found, _) => found.attempt(attempt)?,
    };
    if !folder.is_dir() {
        let attempt = format!("{} cannot be used", folder.display());
        return Err(ConfigError::Argument { attempt, source: ErrorKind::NotADirectory.into() });
    }
    Ok(folder)
}

/// The root of the project that a folder is in: that of its repository's main working tree, or the folder itself. Memos are
/// filed under this path, so that subfolders and linked worktrees of a project have them in common.
#[must_use]
pub fn project_root(workspace: &Path) -> PathBuf {
    SessionFolders::of(workspace, None).main_root()
}
