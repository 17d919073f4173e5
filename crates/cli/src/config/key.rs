//! `throughline config key`: the key that stored contexts and results are encrypted with.

use std::path::{Path, PathBuf, absolute};

use throughline_config::{Config, ConfigSources, StorageKey, new_key_file};
use throughline_settings::keys;
use throughline_stored::recorded_key;
use throughline_terminal::line;
use throughline_text::{plain, shell_word};

use super::args::ConfigKey;

/// Runs it.
pub(super) async fn run(what: &ConfigKey, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    match what {
        ConfigKey::New { file } => new(file),
        ConfigKey::Show => show(data_dir).await,
    }
}

fn new(file: &Path) -> anyhow::Result<()> {
    let file = absolute(file)?;
    let id = new_key_file(&file)?;
    line(&plain(&format!("Wrote the new key {id} to {}.", file.display())));
    let word = shell_word(&file.display().to_string());
    line(&format!("To encrypt with it: throughline config set encryption.key_file {word}"));
    line("Make a copy of the file in a safe place. What is encrypted cannot be read without it.");
    Ok(())
}

async fn show(data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let config = Config::load(ConfigSources { data_dir: data_dir.clone(), ..ConfigSources::default() })?;
    let key = config.storage().key;
    let origin = match key {
        StorageKey::Command(_) => config.resolved.origin(keys::ENCRYPTION_KEY_COMMAND),
        _ => config.resolved.origin(keys::ENCRYPTION_KEY_FILE),
    };
    match key.load().await? {
        Some(key) => line(&plain(&format!("The settings name key {} ({origin}).", key.id()))),
        None => line("The settings name no key: set encryption.key_file or encryption.key_command."),
    }
    let Some(recorded) = recorded_key(config.storage(), data_dir).await? else {
        line("There is no database yet.");
        return Ok(());
    };
    let shown = recorded.place.display();
    line(&plain(&match recorded.key {
        Some(recorded) => format!("{shown} is encrypted with key {recorded}."),
        None => format!("{shown} has nothing that is encrypted."),
    }));
    Ok(())
}
