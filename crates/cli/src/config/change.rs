//! `throughline config set` and `unset`: change one key of a settings file.

use std::path::{Path, PathBuf};

use throughline_commands::settings::overridden;
use throughline_config::{Config, ConfigSources, SettingsFile, StorageKey, Trust};
use throughline_settings::keys;
use throughline_terminal::line;
use throughline_text::plain;

use super::args::{ConfigFileArgs, ConfigSetArgs, ConfigUnsetArgs};

/// Sets a key and prints what the change does not reach.
pub(super) fn set(args: &ConfigSetArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let file = SettingsFile::chosen(args.file.project, args.file.workspace.as_deref())?;
    if args.key == keys::ENCRYPTION_KEY_FILE.name() && !args.file.project {
        StorageKey::check_file(&args.value)?;
    }
    file.set(&args.key, &args.value)?;
    line(&plain(&format!("Set {} in {}.", args.key, file.path().display())));
    let config = load(args.file.workspace.as_deref(), data_dir)?;
    overridden(&config, &args.key, &file).iter().for_each(|text| line(text));
    distrusted(&args.file, &config);
    Ok(())
}

/// Removes a key.
pub(super) fn unset(args: &ConfigUnsetArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let file = SettingsFile::chosen(args.file.project, args.file.workspace.as_deref())?;
    let place = file.path().display();
    if file.unset(&args.key)? {
        line(&plain(&format!("Removed {} from {place}.", args.key)));
        if args.file.project {
            distrusted(&args.file, &load(args.file.workspace.as_deref(), data_dir)?);
        }
    } else {
        line(&plain(&format!("{} is not set in {place}.", args.key)));
    }
    Ok(())
}

fn load(workspace: Option<&Path>, data_dir: Option<PathBuf>) -> anyhow::Result<Config> {
    Ok(Config::load(ConfigSources { workspace, data_dir, ..ConfigSources::default() })?)
}

/// A trusted project's file that changes ends the trust.
fn distrusted(args: &ConfigFileArgs, config: &Config) {
    if args.project && config.trust == Trust::Changed {
        line("The project is not trusted any more, because its file has changed: throughline trust");
    }
}
