//! `throughline config get`: one setting, and where it was written.

use std::path::PathBuf;

use throughline_commands::settings::shown;
use throughline_config::{Config, ConfigSources};
use throughline_settings::setting_named;
use throughline_terminal::{json, line};

use super::args::ConfigGetArgs;
use super::show::entry;

/// Prints it.
pub(super) fn run(args: &ConfigGetArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let workspace = args.workspace.as_deref();
    let config = Config::load(ConfigSources { workspace, data_dir, ..ConfigSources::default() })?;
    if args.json {
        let spec = setting_named(&args.key)?;
        let mut all = config.resolved.shown().into_iter();
        let found = all.find(|(key, _, _)| *key == spec.key);
        return Ok(found.map_or(Ok(()), |(_, value, origin)| json(&entry(&value, &origin)))?);
    }
    for text in shown(&config, Some(&args.key))? {
        line(&text);
    }
    Ok(())
}
