//! `throughline config get`: one setting, and where it was written.

use std::path::{Path, PathBuf};

use throughline::{Config, ConfigSources};
use throughline_settings::{Origin, setting_named};

use super::args::ConfigGetArgs;
use super::show::{entry, rows};
use crate::terminal::{json, line, plain};

/// Prints it.
pub(super) fn run(args: &ConfigGetArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let workspace = args.workspace.as_deref();
    let config = Config::load(ConfigSources { workspace, data_dir, ..ConfigSources::default() })?;
    if args.json {
        let spec = setting_named(&args.key)?;
        let mut all = config.resolved.shown().into_iter();
        let found = all.find(|(key, _, _)| *key == spec.key);
        return found.map_or(Ok(()), |(_, value, origin)| json(&entry(&value, &origin)));
    }
    for text in shown(&config, Some(&args.key))? {
        line(&text);
    }
    Ok(())
}

/// The table of all settings, or the row of one key, and what has no effect because the project is not trusted.
///
/// # Errors
/// The key is unknown.
fn shown(config: &Config, key: Option<&str>) -> anyhow::Result<Vec<String>> {
    let server =
        |key: &str| config.resolved.servers().any(|server| key == format!("mcp.servers.{}", server.name));
    let key = match key {
        Some(key) if server(key) => Some(key),
        Some(key) => Some(setting_named(key)?.key),
        None => None,
    };
    let mut lines = rows(config, true, |row| key.is_none_or(|key| key == row));
    let held = config.resolved.held().iter().filter(|held| key.is_none_or(|key| key == held.key));
    lines.extend(held.map(|held| {
        let text = format!("{} = {} ({}): {}", held.key, held.shown, held.origin, held.why);
        plain(&format!("Ignored until you trust this project (throughline trust): {text}"))
    }));
    Ok(lines)
}

/// The same for a session that runs with these settings, and what its files say for the next start.
///
/// # Errors
/// The key is unknown, or a file cannot be used any more.
pub(crate) fn shown_in_session(
    config: &Config,
    key: Option<&str>,
    folder: &Path,
    data_dir: Option<PathBuf>,
) -> anyhow::Result<String> {
    let mut lines = shown(config, key)?;
    let next = Config::load(ConfigSources { workspace: Some(folder), data_dir, ..ConfigSources::default() })?;
    let later = next.resolved.shown().into_iter().zip(config.resolved.shown());
    let later = later.filter(|((row, ..), _)| key.is_none_or(|key| key == *row));
    for ((row, value, from), (_, now, origin)) in later {
        // An option of this start does not hold for the next one.
        if value != now && !matches!(origin, Origin::Flag(_)) {
            lines.push(plain(&format!("From the next start on: {row} = {value} ({from})")));
        }
    }
    Ok(lines.join("\n"))
}
