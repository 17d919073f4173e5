//! `throughline config set` and `unset`: change one key of a settings file.

use std::path::{Path, PathBuf};

use throughline::{Config, ConfigSources, Project, SettingsFile, Trust, workspace};
use throughline_settings::Origin;

use super::args::{ConfigFileArgs, ConfigSetArgs, ConfigUnsetArgs};
use crate::terminal::{line, plain};

/// Sets a key and prints what the change does not reach.
pub(super) fn set(args: &ConfigSetArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let file = file(&args.file)?;
    file.set(&args.key, &args.value)?;
    line(&plain(&format!("Set {} in {}.", args.key, file.path().display())));
    let config = load(args.file.workspace.as_deref(), data_dir)?;
    overridden(&config, &args.key, &file).iter().for_each(|text| line(text));
    distrusted(&args.file, &config);
    Ok(())
}

/// Removes a key.
pub(super) fn unset(args: &ConfigUnsetArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let file = file(&args.file)?;
    let place = file.path().display();
    if file.unset(&args.key)? {
        line(&plain(&format!("Removed {} from {place}.", args.key)));
        distrusted(&args.file, &load(args.file.workspace.as_deref(), data_dir)?);
    } else {
        line(&plain(&format!("{} is not set in {place}.", args.key)));
    }
    Ok(())
}

/// Sets a key in the user's file, for a session that runs. Returns what to tell the user.
pub(crate) fn set_for_user(
    key: &str,
    value: &str,
    folder: &Path,
    data_dir: Option<PathBuf>,
) -> anyhow::Result<String> {
    let file = SettingsFile::of_user()?;
    file.set(key, value)?;
    let mut text =
        format!("Set {key} in {}. It takes effect when throughline starts again.", file.path().display());
    for more in overridden(&load(Some(folder), data_dir)?, key, &file) {
        text.push(' ');
        text.push_str(&more);
    }
    Ok(text)
}

fn file(args: &ConfigFileArgs) -> anyhow::Result<SettingsFile> {
    Ok(match args.project {
        true => SettingsFile::of_project(&Project::read(&workspace(args.workspace.as_deref())?)),
        false => SettingsFile::of_user()?,
    })
}

fn load(workspace: Option<&Path>, data_dir: Option<PathBuf>) -> anyhow::Result<Config> {
    Ok(Config::load(ConfigSources { workspace, data_dir, ..ConfigSources::default() })?)
}

/// Why the value in a file is not the effective one.
fn overridden(config: &Config, key: &str, file: &SettingsFile) -> Vec<String> {
    let place = file.path().display().to_string();
    let own = |origin: &Origin| matches!(origin, Origin::File { file, .. } if *file == place);
    let held = config.resolved.held().iter().find(|held| held.key == key && own(&held.origin));
    if let Some(held) = held {
        let why = held.why;
        return vec![format!("It is ignored until you trust this project (throughline trust): {why}.")];
    }
    let others = config.resolved.shown().into_iter().filter(|(row, _, from)| *row == key && !own(from));
    // Lists add up.
    others
        .filter(|(_, value, _)| !value.starts_with('['))
        .map(|(_, value, from)| plain(&format!("Here {from} sets it to {value}, and that wins.")))
        .collect()
}

/// A trusted project's file that changes ends the trust.
fn distrusted(args: &ConfigFileArgs, config: &Config) {
    if args.project && config.trust == Trust::Changed {
        line("The project is not trusted any more, because its file has changed: throughline trust");
    }
}
